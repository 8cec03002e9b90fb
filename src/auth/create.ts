import { z } from "zod";
import { authPrefix } from "../../spec/auth.ts";
import { AuthProvider } from "../../spec/settings.ts";
import { StartupError } from "../errors.ts";
import type { Authenticator } from "./caller.ts";
import {
  type AuthContext,
  type AuthLog,
  materialError,
  readMaterial,
  variable,
} from "./context.ts";
import { createNone } from "./providers/none.ts";

export interface AuthOptions {
  /** Value of `--auth` or `VALIDATOR_MCP_AUTH`. */
  readonly auth: string;
  /** Whether that value was given, rather than defaulted. */
  readonly explicit: boolean;
  readonly mode: "local" | "hosted";
  /** Built by the entry point of the serverless function. */
  readonly serverless: boolean;
  /** Only `VALIDATOR_MCP_AUTH_*` is read, and `AWS_LAMBDA_FUNCTION_NAME` for `gateway`. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly log: AuthLog;
  /** `http://<host>:<port>`: the base URL of identity providers when `VALIDATOR_MCP_AUTH_BASE_URL` is unset. */
  readonly defaultBaseUrl?: string | undefined;
  /** Unix time in ms, also used as the monotonic clock; for tests. */
  readonly now?: () => number;
  /** Variables without their prefix that something else reads beside the provider. */
  readonly alsoRead?: readonly string[];
  /** The setting `unknown_names`. */
  readonly unknownNames?: "error" | "warn";
}

/** @returns what a provider is built from. */
export function contextOf(options: AuthOptions, provider: AuthProvider): AuthContext {
  return {
    provider,
    environment: options.environment,
    log: options.log,
    defaultBaseUrl: options.defaultBaseUrl,
    alsoRead: options.alsoRead,
    unknownNames: options.unknownNames,
    now: options.now ?? Date.now,
    ticks: options.now ?? (() => performance.now()),
  };
}

/**
 * Builds the one authenticator of this process. A provider's code is loaded only when it is chosen.
 * @throws {StartupError} For every misconfiguration: one line that names variables and never their values.
 */
export async function createAuthenticator(options: AuthOptions): Promise<Authenticator> {
  const provider = AuthProvider.safeParse(options.auth);
  if (!provider.success) {
    const known = AuthProvider.options.join(", ");
    throw new StartupError(
      "unknown_auth",
      `Auth ${JSON.stringify(options.auth)} is unknown; --auth (VALIDATOR_MCP_AUTH) is one of ${known}.`,
    );
  }
  const context = contextOf(options, provider.data);
  const stepUp = readStepUp(context);
  switch (provider.data) {
    case "none":
      if (options.mode === "hosted" && !options.explicit) {
        throw new StartupError(
          "auth_not_explicit",
          "Hosted mode runs without authentication only on request: give an explicit --auth none (VALIDATOR_MCP_AUTH=none), or choose a provider.",
        );
      }
      // Reads nothing; warns of variables of other providers.
      readMaterial(z.object({}), "invalid_setting", context);
      return createNone();
    case "token":
      return (await import("./token.ts")).createToken(context, stepUp);
    case "gateway":
      if (!options.serverless) {
        throw new StartupError(
          "gateway_outside_function",
          "Auth gateway is serverless only: it trusts the authorizer of a function event, and there is none here. Choose another --auth (VALIDATOR_MCP_AUTH).",
        );
      }
      return (await import("./providers/gateway.ts")).createGateway(context, stepUp);
    case "jwt":
      return (await import("./jwt.ts")).createJwt(context, stepUp);
    case "azure":
      return (await import("./providers/azure.ts")).createAzure(context, stepUp);
    case "google":
      return (await import("./providers/google.ts")).createGoogle(context, stepUp);
    case "github":
      return (await import("./providers/github.ts")).createGithub(context, stepUp);
    case "keycloak":
      return (await import("./providers/keycloak.ts")).createKeycloak(context, stepUp);
    case "auth0":
      return (await import("./providers/auth0.ts")).createAuth0(context, stepUp);
    case "workos":
      return (await import("./providers/workos.ts")).createWorkos(context, stepUp);
  }
}

/** @throws {StartupError} `invalid_setting`. */
export function readStepUp(context: AuthContext): boolean {
  const value = variable(context, "STEP_UP")?.trim().toLowerCase() ?? "0";
  if (["1", "true"].includes(value)) return true;
  if (["0", "false"].includes(value)) return false;
  throw materialError("invalid_setting", context, `${authPrefix}STEP_UP must be 1 or 0.`);
}
