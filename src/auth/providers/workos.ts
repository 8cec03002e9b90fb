import { authPrefix } from "../../../spec/auth.ts";
import { WorkosMaterial } from "../../../spec/auth-material.ts";
import type { Authenticator } from "../caller.ts";
import { type AuthContext, materialError, readMaterial } from "../context.ts";
import { baseUrlOf, identityProvider } from "../identity-provider.ts";
import { scopesOf, stringsOf, textOf } from "../jwt-claims.ts";
import { jwtVerifier } from "../jwt-verifier.ts";
import { remoteKeys } from "../key-source.ts";

/**
 * Access tokens of one WorkOS AuthKit domain for the URL of this server.
 * @throws {StartupError} `auth_provider`.
 */
export async function createWorkos(context: AuthContext, stepUp: boolean): Promise<Authenticator> {
  const material = readMaterial(WorkosMaterial, "auth_provider", context);
  const domain = material.WORKOS_AUTHKIT_DOMAIN;
  const baseUrl = baseUrlOf(context, material);
  if (baseUrl === undefined) {
    throw materialError(
      "auth_provider",
      context,
      `${authPrefix}BASE_URL is not set; set it to the public URL of this server, because the audience of its tokens is <that URL>/mcp.`,
    );
  }
  const verify = jwtVerifier({
    issuer: domain,
    audiences: [`${baseUrl}/mcp`],
    algorithm: "RS256",
    keys: remoteKeys({ ...context, url: `${domain}/oauth2/jwks`, algorithm: "RS256" }),
    now: context.now,
  });
  return identityProvider(context, material, stepUp, {
    authorizationServers: [domain],
    defaultScopes: [],
    async verify(token, from) {
      const outcome = await verify(token, from);
      if ("refused" in outcome) return outcome;
      const { sub, scope, role, roles, permissions } = outcome.claims;
      const subject = textOf(sub);
      return {
        identity: {
          subject,
          clientId: subject || "unknown",
          scopes: scopesOf(scope),
          roles: [...stringsOf(role), ...stringsOf(roles), ...stringsOf(permissions)],
        },
      };
    },
  });
}
