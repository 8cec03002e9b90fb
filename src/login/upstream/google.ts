import { ClientSecretPost } from "oauth4webapi";
import { stringsOf, textOf } from "../../auth/jwt-claims.ts";
import { upstreamKeys } from "./keys.ts";
import { oidcUpstream } from "./oidc.ts";
import type { UpstreamOptions } from "./options.ts";
import type { Upstream } from "./upstream.ts";

/** Fixed addresses of https://accounts.google.com/.well-known/openid-configuration. */
const google = {
  issuer: "https://accounts.google.com",
  authorization_endpoint: "https://accounts.google.com/o/oauth2/v2/auth",
  token_endpoint: "https://oauth2.googleapis.com/token",
  revocation_endpoint: "https://oauth2.googleapis.com/revoke",
  jwks_uri: "https://www.googleapis.com/oauth2/v3/certs",
};

/**
 * People log in at Google; for Workspace accounts the domain is a group.
 * @see https://developers.google.com/identity/openid-connect/openid-connect (claims `hd`, `email_verified`)
 */
export function googleUpstream({ context, client, callback, calls }: UpstreamOptions): Upstream {
  return oidcUpstream({
    name: "Google",
    server: google,
    clientId: client.id,
    authentication: ClientSecretPost(client.secret),
    algorithm: "RS256",
    keys: upstreamKeys(context, google.jwks_uri, "RS256"),
    scopes: () => "openid email",
    // Without both, Google gives a refresh token only the first time that a person logs in.
    // https://developers.google.com/identity/protocols/oauth2/web-server#offline
    authorizationParameters: { access_type: "offline", prompt: "consent" },
    async identityOf(claims) {
      if (!claims) return undefined;
      const { sub, email, email_verified, hd } = claims;
      const subject = textOf(sub);
      return {
        subject,
        clientId: subject,
        scopes: [],
        groups: stringsOf(hd),
        login: String(email_verified) === "true" ? textOf(email) || undefined : undefined,
      };
    },
    callback,
    calls,
    now: context.now,
  });
}
