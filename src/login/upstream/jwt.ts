import { ClientSecretPost } from "oauth4webapi";
import { JwtAlgorithm } from "../../../spec/auth.ts";
import { materialError, variable } from "../../auth/context.ts";
import { stringsOf, textOf } from "../../auth/jwt-claims.ts";
import { discover, discoveryUrl, variableName } from "./discovery.ts";
import { upstreamKeys } from "./keys.ts";
import { secretInHeader } from "./oauth.ts";
import { oidcUpstream } from "./oidc.ts";
import type { UpstreamOptions } from "./options.ts";
import type { Upstream } from "./upstream.ts";

const standardScopes = "openid profile email offline_access";

/** The provider, and where its keys are: its own access tokens are verified with them too. */
export interface DiscoveredUpstream {
  readonly upstream: Upstream;
  readonly jwksUri: string;
}

/**
 * People log in at any OpenID provider, found by its issuer.
 * @throws {StartupError} `auth_login` for settings, `auth_discovery` for the provider's document.
 */
export async function jwtUpstream(options: UpstreamOptions): Promise<DiscoveredUpstream> {
  const { context, client, callback, calls } = options;
  const fail = (problem: string) => materialError("auth_login", context, problem);
  const issuer = variable(context, "JWT_ISSUER")?.trim();
  if (issuer === undefined) {
    throw fail(`${variableName("JWT_ISSUER")} is not set; login needs it.`);
  }
  const scopes = variable(context, "OAUTH_SCOPES")?.trim() ?? standardScopes;
  if (!scopes.split(/\s+/).includes("openid")) {
    throw fail(`${variableName("OAUTH_SCOPES")} must contain openid.`);
  }
  const algorithm = readAlgorithm(options);
  const { server, authenticationMethods } = await discover(context, {
    url: discoveryUrl(issuer),
    issuer,
    kind: "auth_discovery",
  });
  const methods = authenticationMethods ?? ["client_secret_basic"];
  const usesPost =
    methods.includes("client_secret_post") && !methods.includes("client_secret_basic");
  const upstream = oidcUpstream({
    name: new URL(issuer).host,
    server,
    clientId: client.id,
    authentication: (usesPost ? ClientSecretPost : secretInHeader)(client.secret),
    algorithm,
    keys: upstreamKeys(context, server.jwks_uri, algorithm),
    scopes: () => scopes.split(/\s+/).join(" "),
    async identityOf(claims) {
      if (!claims) return undefined;
      const subject = textOf(claims.sub);
      return {
        subject,
        clientId: subject,
        scopes: [],
        groups: stringsOf(claims.groups),
        roles: stringsOf(claims.roles),
      };
    },
    callback,
    calls,
    now: context.now,
  });
  return { upstream, jwksUri: server.jwks_uri };
}

function readAlgorithm({ context }: UpstreamOptions): JwtAlgorithm {
  const text = variable(context, "JWT_ALGORITHM")?.trim() ?? "RS256";
  const algorithm = JwtAlgorithm.safeParse(text);
  const setting = variableName("JWT_ALGORITHM");
  if (!algorithm.success) {
    throw materialError(
      "auth_jwt",
      context,
      `${setting} must be one of ${JwtAlgorithm.options.join(", ")}.`,
    );
  }
  // Shared secrets are not in a key set, and the library for ID tokens does not support Ed448.
  if (/^(?:HS|Ed448)/.test(algorithm.data)) {
    throw materialError(
      "auth_login",
      context,
      `${setting} ${algorithm.data} cannot be used for login; ID tokens need a public-key algorithm such as RS256.`,
    );
  }
  return algorithm.data;
}
