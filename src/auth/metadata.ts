import type { ProtectedResourceMetadata } from "../../spec/auth.ts";
import type { Authenticator } from "./caller.ts";

const wellKnown = "/.well-known/oauth-protected-resource";

/**
 * Paths that serve the document: with the path of the endpoint (RFC 9728, 3.1), and the root form. Where the base URL has
 * a path, also with that path last: a proxy that strips it from others passes these on as they are.
 */
export function metadataPaths({ baseUrl }: { readonly baseUrl: string }): readonly string[] {
  const path = new URL(baseUrl).pathname.replace(/\/$/, "");
  const root = [`${wellKnown}/mcp`, wellKnown];
  return path === "" ? root : [...root, `${wellKnown}${path}/mcp`, `${wellKnown}${path}`];
}

/** @returns the URL for `resource_metadata` of challenges, or undefined where no metadata is published. */
export function metadataUrl({ metadata }: Pick<Authenticator, "metadata">): string | undefined {
  return metadata && `${metadata.baseUrl}${wellKnown}/mcp`;
}

/** @returns the document for both metadata paths, or undefined: answer 404. */
export function resourceMetadata(
  authenticator: Authenticator,
): ProtectedResourceMetadata | undefined {
  const { metadata, challengeScopes } = authenticator;
  if (!metadata) return undefined;
  return {
    resource: `${metadata.baseUrl}/mcp`,
    authorization_servers: [...metadata.authorizationServers],
    ...(challengeScopes.length > 0 && { scopes_supported: [...challengeScopes] }),
    bearer_methods_supported: ["header"],
    resource_name: "IAM Policy Validator",
  };
}
