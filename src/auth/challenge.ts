import type { AuthErrorBody } from "../../spec/auth.ts";
import type { Authenticator, Refusal } from "./caller.ts";
import { metadataUrl } from "./metadata.ts";

/** The answer to a refused request. `body` is absent where the answer has none. */
export interface Challenge {
  readonly status: 400 | 401 | 403;
  readonly headers: { readonly "WWW-Authenticate": string; readonly "Cache-Control": "no-store" };
  readonly body?: AuthErrorBody;
}

const statusOf = {
  missing: 401,
  invalid_request: 400,
  invalid_token: 401,
  insufficient_scope: 403,
} as const satisfies Record<Refusal["kind"], Challenge["status"]>;

/**
 * Status, challenge and body for a refusal (RFC 6750, section 3; RFC 9728, section 5.1).
 * Without credentials there is no error code and no body.
 */
export function buildChallenge(
  refusal: Refusal,
  authenticator: Pick<Authenticator, "challengeScopes" | "metadata">,
): Challenge {
  const scopes =
    refusal.kind === "insufficient_scope" ? refusal.scopes : authenticator.challengeScopes;
  const body: AuthErrorBody | undefined =
    refusal.kind === "missing"
      ? undefined
      : { error: refusal.kind, error_description: refusal.description };
  const parameters = Object.entries({
    ...body,
    // A malformed header says nothing about scopes.
    scope: refusal.kind === "invalid_request" ? undefined : scopes.join(" ") || undefined,
    resource_metadata: metadataUrl(authenticator),
  }).flatMap(([name, value]) => (value === undefined ? [] : [`${name}=${quoted(value)}`]));
  // The scheme must be followed by at least one parameter.
  if (parameters.length === 0) parameters.push('realm="validator-mcp"');
  return {
    status: statusOf[refusal.kind],
    headers: {
      "WWW-Authenticate": `Bearer ${parameters.join(", ")}`,
      "Cache-Control": "no-store",
    },
    ...(body && { body }),
  };
}

/** @returns an RFC 9110 quoted-string; what a header cannot carry becomes `?`. */
function quoted(text: string): string {
  return `"${text.replaceAll(/[^\x20-\x7e]/g, "?").replaceAll(/["\\]/g, "\\$&")}"`;
}
