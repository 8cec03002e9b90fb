import { ClientSecretPost } from "oauth4webapi";
import { Scope } from "../../../spec/scopes.ts";
import { type AuthContext, materialError, variable } from "../../auth/context.ts";
import { scopesOf, stringsOf, textOf } from "../../auth/jwt-claims.ts";
import { jwtVerifier } from "../../auth/jwt-verifier.ts";
import { UpstreamError } from "./calls.ts";
import { discover, variableName } from "./discovery.ts";
import { upstreamKeys } from "./keys.ts";
import { oidcUpstream } from "./oidc.ts";
import type { UpstreamOptions } from "./options.ts";
import type { Upstream } from "./upstream.ts";

/**
 * People log in at one Auth0 tenant; what they may do is in the access token for our API.
 * @throws {StartupError} `auth_login` for a variable that is missing, `auth0_discovery` for the document.
 * @see https://auth0.com/docs/get-started/authentication-and-authorization-flow/authorization-code-flow-with-pkce
 */
export async function auth0Upstream(options: UpstreamOptions): Promise<Upstream> {
  const { context, settings, client, callback, calls } = options;
  const url = needed(context, "AUTH0_CONFIG_URL");
  const audience = needed(context, "AUTH0_AUDIENCE");
  const { server } = await discover(context, {
    url,
    kind: "auth0_discovery",
    label: `${url} (${variableName("AUTH0_CONFIG_URL")})`,
  });
  const keys = upstreamKeys(context, server.jwks_uri, "RS256");
  const verify = jwtVerifier({
    issuer: server.issuer,
    audiences: [audience],
    algorithm: "RS256",
    keys,
    now: context.now,
  });
  return oidcUpstream({
    name: new URL(server.issuer).host,
    server,
    clientId: client.id,
    authentication: ClientSecretPost(client.secret),
    algorithm: "RS256",
    keys,
    scopes(requested) {
      const wanted = requested.length > 0 ? [...requested, ...settings.required] : Scope.options;
      return ["openid profile email offline_access", ...new Set(wanted)].join(" ");
    },
    // Without it Auth0 gives an opaque token for its own userinfo endpoint.
    authorizationParameters: { audience },
    async identityOf(claims, accessToken) {
      const outcome = await verify(accessToken);
      if ("refused" in outcome) throw new UpstreamError("answer");
      const { sub, scope, permissions } = outcome.claims;
      const subject = textOf(sub);
      if (subject === "" || (claims && claims.sub !== subject)) throw new UpstreamError("answer");
      return {
        subject,
        clientId: subject,
        scopes: scopesOf(scope),
        roles: stringsOf(permissions),
      };
    },
    callback,
    calls,
    now: context.now,
  });
}

function needed(context: AuthContext, name: string): string {
  const value = variable(context, name);
  if (value !== undefined) return value.trim();
  throw materialError("auth_login", context, `${variableName(name)} is not set; login needs it.`);
}
