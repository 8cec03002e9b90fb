import { z } from "zod";
import { authPrefix } from "../../../spec/auth.ts";
import { isSafeUrl } from "../../../spec/auth-material.ts";
import type { StartupErrorKind } from "../../../spec/errors.ts";
import { type AuthContext, materialError } from "../../auth/context.ts";
import { fetchJson, type JsonAnswer, ProviderProblem } from "../../auth/http-json.ts";

const endpoint = z.string().refine(isSafeUrl);

/** Members that are used, and nothing else of the document. */
const Document = z.object({
  issuer: z.string(),
  authorization_endpoint: endpoint,
  token_endpoint: endpoint,
  jwks_uri: endpoint,
  revocation_endpoint: endpoint.optional(),
  code_challenge_methods_supported: z.array(z.string()).optional(),
  token_endpoint_auth_methods_supported: z.array(z.string()).optional(),
  authorization_response_iss_parameter_supported: z.boolean().optional(),
});

/** A provider as it describes itself. */
export interface Discovered {
  readonly server: {
    readonly issuer: string;
    readonly authorization_endpoint: string;
    readonly token_endpoint: string;
    readonly jwks_uri: string;
    readonly revocation_endpoint?: string;
    readonly authorization_response_iss_parameter_supported?: boolean;
  };
  /** How clients may authenticate at the token endpoint; undefined: the document does not say. */
  readonly authenticationMethods: readonly string[] | undefined;
}

const suffix = "/.well-known/openid-configuration";

export interface DiscoveryRequest {
  readonly url: string;
  /** What the document must say of itself; undefined: the address without the well-known part, with or without a slash. */
  readonly issuer?: string;
  readonly kind: StartupErrorKind;
  /** How the error names the document; default: its address. */
  readonly label?: string;
}

/**
 * Reads the document of the provider that people log in at, once, at start (OpenID Connect Discovery 1.0).
 * @throws {StartupError} when it cannot be had or used.
 */
export async function discover(
  context: AuthContext,
  { url, issuer, kind, label = url }: DiscoveryRequest,
): Promise<Discovered> {
  const fail = (problem: string) =>
    materialError(kind, context, `the discovery document ${label} ${problem}.`);
  let answer: JsonAnswer;
  try {
    answer = await fetchJson(url);
  } catch (error) {
    if (error instanceof ProviderProblem) throw fail(`is not reachable: ${error.message}`);
    throw error;
  }
  if (answer.status !== 200) throw fail(`is answered with status ${answer.status}`);
  const parsed = Document.safeParse(answer.body);
  if (!parsed.success) {
    const field = String(parsed.error.issues[0]?.path[0] ?? "");
    throw fail(
      field === ""
        ? "is not a JSON object"
        : `has no usable ${field}: endpoints must be https:// URLs (http:// only for a loopback address)`,
    );
  }
  const document = parsed.data;
  const isOwn =
    issuer === undefined
      ? document.issuer.replace(/\/$/, "") === url.replace(suffix, "")
      : document.issuer === issuer;
  if (!isOwn) throw fail("is invalid: its issuer is not the URL it was found at");
  const methods = document.code_challenge_methods_supported;
  if (methods && !methods.includes("S256")) throw fail("does not list S256 for PKCE");
  if (!methods) {
    context.log.warn(
      {},
      "The provider's discovery document lists no PKCE methods; logins use S256 all the same.",
    );
  }
  const { issuer: found, authorization_endpoint, token_endpoint, jwks_uri } = document;
  const { revocation_endpoint, authorization_response_iss_parameter_supported } = document;
  return {
    server: {
      issuer: found,
      authorization_endpoint,
      token_endpoint,
      jwks_uri,
      ...(revocation_endpoint !== undefined && { revocation_endpoint }),
      ...(authorization_response_iss_parameter_supported !== undefined && {
        authorization_response_iss_parameter_supported,
      }),
    },
    authenticationMethods: document.token_endpoint_auth_methods_supported,
  };
}

/** @returns where the provider of an issuer publishes its document. */
export function discoveryUrl(issuer: string): string {
  return issuer.replace(/\/$/, "") + suffix;
}

/** @returns a variable's full name, for errors. */
export function variableName(name: string): string {
  return authPrefix + name;
}
