import { z } from "zod";
import { authPrefix } from "../../../spec/auth.ts";
import { Auth0Material, isSafeUrl } from "../../../spec/auth-material.ts";
import type { Authenticator } from "../caller.ts";
import { type AuthContext, materialError, readMaterial } from "../context.ts";
import { fetchJson, ProviderProblem } from "../http-json.ts";
import { identityProvider } from "../identity-provider.ts";
import { scopesOf, stringsOf, textOf } from "../jwt-claims.ts";
import { jwtVerifier } from "../jwt-verifier.ts";
import { remoteKeys } from "../key-source.ts";

const Discovery = z.looseObject({
  issuer: z.string().refine(isSafeUrl),
  jwks_uri: z.string().refine(isSafeUrl),
});
type Discovery = z.infer<typeof Discovery>;

const suffix = /\/\.well-known\/openid-configuration$/;

/**
 * Access tokens of one Auth0 tenant for one API.
 * @throws {StartupError} `auth_provider`; `auth0_discovery` if the tenant's document is not available or not valid.
 */
export async function createAuth0(context: AuthContext, stepUp: boolean): Promise<Authenticator> {
  const material = readMaterial(Auth0Material, "auth_provider", context);
  const { issuer, jwks_uri: url } = await discover(material.AUTH0_CONFIG_URL, context);
  const verify = jwtVerifier({
    issuer,
    audiences: [material.AUTH0_AUDIENCE],
    algorithm: "RS256",
    keys: remoteKeys({ ...context, url, algorithm: "RS256" }),
    now: context.now,
  });
  return identityProvider(context, material, stepUp, {
    authorizationServers: [issuer],
    defaultScopes: ["openid"],
    async verify(token, from) {
      const outcome = await verify(token, from);
      if ("refused" in outcome) return outcome;
      const { sub, azp, scope, permissions } = outcome.claims;
      const subject = textOf(sub);
      return {
        identity: {
          subject,
          clientId: textOf(azp) || subject || "unknown",
          scopes: scopesOf(scope),
          // Role-based access control of Auth0 puts the rights of the user here.
          roles: stringsOf(permissions),
        },
      };
    },
  });
}

async function discover(configUrl: string, context: AuthContext): Promise<Discovery> {
  const fail = (problem: string) =>
    materialError(
      "auth0_discovery",
      context,
      `the discovery document ${configUrl} (${authPrefix}AUTH0_CONFIG_URL) ${problem}.`,
    );
  let answer: Awaited<ReturnType<typeof fetchJson>>;
  try {
    answer = await fetchJson(configUrl);
  } catch (error) {
    if (error instanceof ProviderProblem) throw fail(`is not reachable: ${error.message}`);
    throw error;
  }
  if (answer.status !== 200) throw fail(`is answered with status ${answer.status}`);
  const document = Discovery.safeParse(answer.body);
  if (!document.success) throw fail("is invalid: it needs issuer and jwks_uri as https:// URLs");
  // OpenID Connect Discovery 1.0, 4.3: a document may speak only for the issuer it was found at.
  const expected = configUrl.replace(suffix, "");
  if (document.data.issuer.replace(/\/$/, "") !== expected) {
    throw fail("is invalid: its issuer is not the URL it was found at");
  }
  // The tenant publishes its keys at the same origin. Another origin would be a request that the document chooses.
  if (new URL(document.data.jwks_uri).origin !== new URL(configUrl).origin) {
    throw fail("is invalid: its jwks_uri is not at the tenant's own address");
  }
  return document.data;
}
