import { authPrefix } from "../../spec/auth.ts";
import { jwtLoginVariables, loginVariables } from "../../spec/login.ts";
import type { Authenticator } from "../auth/caller.ts";
import { type AuthContext, commaList, variable } from "../auth/context.ts";
import { createAccessTokens } from "./access-token.ts";
import { loginAuthenticator } from "./authenticator.ts";
import { createClientDocuments } from "./client-document.ts";
import type { FetchDocument } from "./client-document-fetch.ts";
import { createCookies } from "./cookies.ts";
import {
  createLoginEvents,
  type LoginEvents,
  type LoginLog,
  type LoginObserver,
} from "./events.ts";
import type { Front } from "./front.ts";
import { oidcScopes } from "./grant.ts";
import { type LoginRoutes, mountRoutes } from "./routes.ts";
import { createSeals } from "./seal.ts";
import { clientVariables, type LoginSettings, readLoginSettings } from "./settings.ts";
import { createCalls } from "./upstream/calls.ts";
import type { UpstreamOptions } from "./upstream/options.ts";
import type { Upstream } from "./upstream/upstream.ts";

export interface LoginOptions {
  readonly context: AuthContext;
  readonly stepUp: boolean;
  readonly log: LoginLog;
  readonly observer: LoginObserver;
  /** Logs an unexpected error. @returns the id of its line. */
  readonly defect: (error: unknown) => string;
  /**
   * Builds what verifies the provider's own tokens.
   * @param environment in place of the process's.
   */
  readonly providerAuthenticator: (
    environment: AuthContext["environment"],
  ) => Promise<Authenticator>;
  /** Gets clients' metadata documents in tests; absent: over the network. */
  readonly fetchDocument?: FetchDocument;
}

/** The authorization-server front of this process. */
export interface Login {
  readonly authenticator: Authenticator;
  readonly routes: LoginRoutes;
}

/** Variables that the front reads, beside those of the provider's own verifier. */
export function readVariables(provider: string): readonly string[] {
  return provider === "jwt" ? [...loginVariables, ...jwtLoginVariables] : loginVariables;
}

/**
 * Builds the front, for a login that is on.
 * @throws {StartupError} for every misconfiguration, and for a provider that cannot be discovered.
 */
export async function createLogin(options: LoginOptions): Promise<Login> {
  const { context, log, observer, defect, stepUp } = options;
  const settings = readLoginSettings(context);
  const ticks = context.ticks ?? context.now;
  const events = createLoginEvents(settings.provider, log, observer, ticks);
  const { upstream, environment } = await createUpstream(context, settings, events, ticks);
  const front: Front = {
    settings,
    seals: createSeals(settings.keys, context.now),
    cookies: createCookies(settings.base),
    documents: createClientDocuments(context, options.fetchDocument),
    upstream,
    tokens: createAccessTokens(settings, context.now, stepUp),
    events,
    now: context.now,
  };
  warn(context, settings);
  const providers = acceptsProviderTokens(context)
    ? await options.providerAuthenticator(environment)
    : undefined;
  return {
    authenticator: loginAuthenticator(settings, front.tokens, providers, stepUp),
    routes: mountRoutes(front, defect),
  };
}

interface BuiltUpstream {
  readonly upstream: Upstream;
  /** Settings of the provider's own verifier. */
  readonly environment: AuthContext["environment"];
}

/** A provider's code is loaded only when it is chosen. */
async function createUpstream(
  context: AuthContext,
  settings: LoginSettings,
  events: LoginEvents,
  ticks: () => number,
): Promise<BuiltUpstream> {
  const { environment } = context;
  const [id = "", secret = ""] = clientVariables[settings.provider].map((name) =>
    variable(context, name)?.trim(),
  );
  const options: UpstreamOptions = {
    context,
    settings,
    client: { id, secret },
    callback: `${settings.base}/oauth/callback`,
    calls: createCalls(ticks, (seconds) => events.providerTook(seconds)),
    events,
  };
  switch (settings.provider) {
    case "github":
      return {
        upstream: (await import("./upstream/github.ts")).githubUpstream(options),
        environment,
      };
    case "google":
      return {
        upstream: (await import("./upstream/google.ts")).googleUpstream(options),
        environment,
      };
    case "azure":
      return {
        upstream: (await import("./upstream/azure.ts")).azureUpstream(options),
        environment,
      };
    case "auth0":
      return {
        upstream: await (await import("./upstream/auth0.ts")).auth0Upstream(options),
        environment,
      };
    case "jwt":
      return jwt(context, await (await import("./upstream/jwt.ts")).jwtUpstream(options));
  }
}

/** Without its own key, tokens of the provider are verified with the keys that its document names. */
function jwt(
  context: AuthContext,
  { upstream, jwksUri }: { readonly upstream: Upstream; readonly jwksUri: string },
): BuiltUpstream {
  const { environment } = context;
  const hasKey = ["JWT_JWKS_URI", "JWT_PUBLIC_KEY"].some((name) => variable(context, name));
  if (hasKey) return { upstream, environment };
  const discovered = { [`${authPrefix}JWT_JWKS_URI`]: jwksUri };
  return { upstream, environment: { ...environment, ...discovered } };
}

/**
 * Whether the provider gives out tokens that are meant for this server: an API of Auth0, an audience of an issuer, a
 * scope of an Entra application. GitHub and Google have no audiences, so a token of theirs says nothing about us.
 */
function acceptsProviderTokens(context: AuthContext): boolean {
  if (context.provider === "auth0" || context.provider === "jwt") return true;
  return (
    context.provider === "azure" &&
    commaList(variable(context, "REQUIRED_SCOPES")).some(
      (scope) => !oidcScopes.has(scope) && !scope.startsWith("iam:"),
    )
  );
}

function warn(context: AuthContext, { required, provider }: LoginSettings): void {
  const names = commaList(variable(context, "REQUIRED_SCOPES"));
  const ignored = names.filter((name) => !required.some((scope) => scope === name));
  if (ignored.length > 0) {
    context.log.warn(
      { scopes: ignored },
      "Access tokens of this server's own login have only iam:* scopes; these required scopes do not count for them.",
    );
  }
  const map = variable(context, "SCOPE_MAP") ?? "{}";
  if ((provider === "github" || provider === "google") && Object.hasOwn(JSON.parse(map), "*")) {
    context.log.warn(
      {},
      "The scope map grants scopes to `*`: every account of the world can log in and use them.",
    );
  }
}
