import { z } from "zod";
import { authPrefix } from "../../../spec/auth.ts";
import { KeycloakMaterial } from "../../../spec/auth-material.ts";
import type { Authenticator } from "../caller.ts";
import { type AuthContext, readMaterial } from "../context.ts";
import { identityProvider } from "../identity-provider.ts";
import { type Claims, scopesOf, stringsOf, textOf } from "../jwt-claims.ts";
import { jwtVerifier } from "../jwt-verifier.ts";
import { remoteKeys } from "../key-source.ts";

const Roles = z.looseObject({ roles: z.array(z.string()) });
const RolesByClient = z.record(z.string(), Roles);

/**
 * Access tokens of one Keycloak realm.
 * @throws {StartupError} `auth_provider`.
 */
export async function createKeycloak(
  context: AuthContext,
  stepUp: boolean,
): Promise<Authenticator> {
  const material = readMaterial(KeycloakMaterial, "auth_provider", context);
  const { KEYCLOAK_REALM_URL: realm, KEYCLOAK_AUDIENCE: audience } = material;
  if (audience === undefined) {
    context.log.warn(
      {},
      `${authPrefix}KEYCLOAK_AUDIENCE is not set: access tokens for every other application of the realm are accepted too.`,
    );
  }
  const verify = jwtVerifier({
    issuer: realm,
    audiences: audience === undefined ? undefined : [audience],
    algorithm: "RS256",
    keys: remoteKeys({
      ...context,
      url: `${realm}/protocol/openid-connect/certs`,
      algorithm: "RS256",
    }),
    now: context.now,
  });
  return identityProvider(context, material, stepUp, {
    authorizationServers: [realm],
    defaultScopes: ["openid"],
    async verify(token, from) {
      const outcome = await verify(token, from);
      if ("refused" in outcome) return outcome;
      const { claims } = outcome;
      // Id and refresh tokens are signed with the same keys and tell themselves apart here only.
      if (claims.typ !== undefined && claims.typ !== "Bearer") {
        return { refused: "The token is not an access token." };
      }
      const subject = textOf(claims.sub);
      return {
        identity: {
          subject,
          clientId: textOf(claims.azp) || subject || "unknown",
          scopes: scopesOf(claims.scope),
          groups: stringsOf(claims.groups),
          roles: rolesOf(claims, audience),
        },
      };
    },
  });
}

/** Roles of the realm, and of the client that is our audience: a role of another client means nothing here. */
function rolesOf(claims: Claims, client: string | undefined): readonly string[] {
  const realm = Roles.safeParse(claims.realm_access).data?.roles ?? [];
  const byClient = RolesByClient.safeParse(claims.resource_access).data ?? {};
  const own =
    client !== undefined && Object.hasOwn(byClient, client) ? byClient[client] : undefined;
  return [...realm, ...(own?.roles ?? [])];
}
