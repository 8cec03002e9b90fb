import type { AuthorizationServerMetadata } from "../../spec/login.ts";
import { Scope } from "../../spec/scopes.ts";
import type { Front } from "./front.ts";
import { grantTypes } from "./register.ts";

const wellKnown = "/.well-known/oauth-authorization-server";

/** @returns the path part of the base URL; empty for most deployments. */
function basePath(base: string): string {
  return new URL(base).pathname.replace(/\/$/, "");
}

/** Paths that serve the document: at the root, and with the path of the issuer behind it (RFC 8414, 3.1). */
export function metadataPaths(base: string): readonly string[] {
  return [...new Set([wellKnown, wellKnown + basePath(base)])];
}

/** @returns what clients learn about the front (RFC 8414). */
export function authorizationServerMetadata({
  settings,
  upstream,
}: Front): AuthorizationServerMetadata {
  const { base } = settings;
  return {
    issuer: base,
    authorization_endpoint: `${base}/oauth/authorize`,
    token_endpoint: `${base}/oauth/token`,
    registration_endpoint: `${base}/oauth/register`,
    ...(upstream.revoke && {
      revocation_endpoint: `${base}/oauth/revoke`,
      revocation_endpoint_auth_methods_supported: ["none"] as ["none"],
    }),
    scopes_supported: [...Scope.options],
    response_types_supported: ["code"],
    response_modes_supported: ["query"],
    grant_types_supported: grantTypes(settings.sessionS),
    token_endpoint_auth_methods_supported: ["none"],
    code_challenge_methods_supported: ["S256"],
    authorization_response_iss_parameter_supported: true,
    ...(settings.documentHosts && { client_id_metadata_document_supported: true as const }),
  };
}
