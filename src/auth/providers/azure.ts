import { authPrefix } from "../../../spec/auth.ts";
import { AzureMaterial } from "../../../spec/auth-material.ts";
import { Scope } from "../../../spec/scopes.ts";
import type { Authenticator } from "../caller.ts";
import { type AuthContext, commaList, materialError, readMaterial } from "../context.ts";
import { identityProvider } from "../identity-provider.ts";
import { scopesOf, stringsOf, textOf } from "../jwt-claims.ts";
import { jwtVerifier } from "../jwt-verifier.ts";
import { remoteKeys } from "../key-source.ts";

/** Scopes of OpenID Connect are asked for like others but never stand in the `scp` of an access token. */
const oidcScopes = new Set(["openid", "profile", "email", "offline_access"]);

/** `api://<id>/access` is asked for; the token says `access`. */
function lastSegment(scope: string): string {
  return scope.slice(scope.lastIndexOf("/") + 1);
}

/**
 * Access tokens (version 2.0) of one Microsoft Entra directory for one app registration.
 * @throws {StartupError} `auth_provider`.
 */
export async function createAzure(context: AuthContext, stepUp: boolean): Promise<Authenticator> {
  const material = readMaterial(AzureMaterial, "auth_provider", context);
  const required = commaList(material.REQUIRED_SCOPES);
  if (required.every((scope) => oidcScopes.has(scope))) {
    // Without one, an id token of the application would be accepted: it has the same issuer, audience and keys.
    throw materialError(
      "auth_provider",
      context,
      `${authPrefix}REQUIRED_SCOPES needs at least one non-OIDC scope of the app registration, such as api://<client id>/access.`,
    );
  }
  const { AZURE_CLIENT_ID: client, AZURE_TENANT_ID: tenant } = material;
  // Clients ask for the full name, which begins with the URI of the application.
  const fullName = required.find((scope) => scope.includes("://")) ?? `api://${client}/`;
  const uri = fullName.slice(0, fullName.lastIndexOf("/"));
  const authority = `https://login.microsoftonline.com/${tenant}`;
  const issuer = `${authority}/v2.0`;
  const verify = jwtVerifier({
    issuer,
    audiences: [client, `api://${client}`],
    algorithm: "RS256",
    keys: remoteKeys({ ...context, url: `${authority}/discovery/v2.0/keys`, algorithm: "RS256" }),
    now: context.now,
  });
  return identityProvider(context, material, stepUp, {
    authorizationServers: [issuer],
    defaultScopes: [],
    carriedScopes: Scope.options.map((scope) => `${uri}/${scope}`),
    scopeTest: (caller, needed) =>
      oidcScopes.has(needed) ||
      caller.scopes.some((scope) => lastSegment(scope) === lastSegment(needed)),
    async verify(token, from) {
      const outcome = await verify(token, from);
      if ("refused" in outcome) return outcome;
      const { sub, azp, scp, groups, roles } = outcome.claims;
      const subject = textOf(sub);
      return {
        identity: {
          subject,
          clientId: textOf(azp) || subject || "unknown",
          scopes: scopesOf(scp),
          groups: stringsOf(groups),
          roles: stringsOf(roles),
        },
      };
    },
  });
}
