import { ClientSecretPost } from "oauth4webapi";
import { authPrefix } from "../../../spec/auth.ts";
import { materialError, variable } from "../../auth/context.ts";
import { stringsOf, textOf } from "../../auth/jwt-claims.ts";
import { upstreamKeys } from "./keys.ts";
import { oidcUpstream } from "./oidc.ts";
import type { UpstreamOptions } from "./options.ts";
import type { Upstream } from "./upstream.ts";

const guid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const scope = "openid profile email offline_access";

/**
 * People log in at one Entra directory.
 * @throws {StartupError} `auth_login` when the tenant is not a GUID: the issuer of tokens has no other form.
 * @see https://learn.microsoft.com/entra/identity-platform/v2-oauth2-auth-code-flow
 */
export function azureUpstream({
  context,
  client,
  callback,
  calls,
  events,
}: UpstreamOptions): Upstream {
  const tenant = variable(context, "AZURE_TENANT_ID")?.trim().toLowerCase() ?? "";
  if (!guid.test(tenant)) {
    throw materialError(
      "auth_login",
      context,
      `${authPrefix}AZURE_TENANT_ID must be the directory's id (a GUID) for login.`,
    );
  }
  const authority = `https://login.microsoftonline.com/${tenant}`;
  const jwks = `${authority}/discovery/v2.0/keys`;
  return oidcUpstream({
    name: "Microsoft Entra",
    server: {
      issuer: `${authority}/v2.0`,
      authorization_endpoint: `${authority}/oauth2/v2.0/authorize`,
      token_endpoint: `${authority}/oauth2/v2.0/token`,
      jwks_uri: jwks,
    },
    clientId: client.id,
    authentication: ClientSecretPost(client.secret),
    algorithm: "RS256",
    keys: upstreamKeys(context, jwks, "RS256"),
    scopes: () => scope,
    // Entra refuses a refresh without it (AADSTS90009 for tokens of an application for itself).
    refreshParameters: { scope },
    async identityOf(claims) {
      if (!claims) return undefined;
      const { sub, groups, roles, _claim_names, hasgroups } = claims;
      // https://learn.microsoft.com/entra/identity-platform/id-token-claims-reference#groups-overage-claim
      const isOver = groups === undefined && (hasgroups === true || names(_claim_names, "groups"));
      if (isOver) {
        events.once(
          "groups_overage",
          "A person is in more than 200 groups, so Entra names none of them. Use app roles, or assign groups to the application.",
        );
      }
      const subject = textOf(sub);
      return {
        subject,
        clientId: subject,
        scopes: [],
        groups: stringsOf(groups),
        roles: stringsOf(roles),
      };
    },
    callback,
    calls,
    now: context.now,
  });
}

function names(claim: unknown, member: string): boolean {
  return typeof claim === "object" && claim !== null && Object.hasOwn(claim, member);
}
