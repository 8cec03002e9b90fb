import { authPrefix, type JwtAlgorithm } from "../../spec/auth.ts";
import { JwtMaterial } from "../../spec/auth-material.ts";
import { advertisedScopes } from "./advertised-scopes.ts";
import { bearerAuthenticator } from "./bearer-authenticator.ts";
import type { Authenticator } from "./caller.ts";
import { type AuthContext, commaList, materialError, readMaterial } from "./context.ts";
import { publish } from "./discovery.ts";
import type { Identity } from "./identity.ts";
import { type Claims, stringsOf, textOf, tokenScopes } from "./jwt-claims.ts";
import { jwtVerifier } from "./jwt-verifier.ts";
import { fixedKey, type KeySource, remoteKeys } from "./key-source.ts";
import { readScopeMap } from "./scope-map.ts";
import { localKey } from "./verification-key.ts";

const uriVariable = `${authPrefix}JWT_JWKS_URI`;
const keyVariable = `${authPrefix}JWT_PUBLIC_KEY`;

/**
 * Signed tokens of any issuer, verified here.
 * @throws {StartupError} `auth_jwt`.
 */
export async function createJwt(context: AuthContext, stepUp: boolean): Promise<Authenticator> {
  const material = readMaterial(JwtMaterial, "auth_jwt", context);
  const verify = jwtVerifier({
    issuer: material.JWT_ISSUER,
    audiences: [material.JWT_AUDIENCE],
    algorithm: material.JWT_ALGORITHM,
    keys: keySource(context, material),
    now: context.now,
  });
  const metadata = publish(context, material.BASE_URL, [material.JWT_ISSUER]);
  return bearerAuthenticator({
    provider: "jwt",
    requiredScopes: commaList(material.REQUIRED_SCOPES),
    advertisedScopes: advertisedScopes(material),
    grants: readScopeMap(material.SCOPE_MAP, context),
    metadata,
    stepUp,
    async verify(token, from) {
      const outcome = await verify(token, from);
      return "refused" in outcome ? outcome : { identity: identityOf(outcome.claims) };
    },
  });
}

function identityOf(claims: Claims): Identity {
  const subject = textOf(claims.sub);
  return {
    subject,
    clientId: textOf(claims.client_id) || textOf(claims.azp) || subject || "unknown",
    scopes: tokenScopes(claims),
    groups: stringsOf(claims.groups),
    roles: stringsOf(claims.roles),
  };
}

function keySource(
  context: AuthContext,
  material: {
    readonly JWT_JWKS_URI?: string | undefined;
    readonly JWT_PUBLIC_KEY?: string | undefined;
    readonly JWT_ALGORITHM: JwtAlgorithm;
  },
): KeySource {
  const { JWT_JWKS_URI: url, JWT_PUBLIC_KEY: text, JWT_ALGORITHM: algorithm } = material;
  const fail = (problem: string) => materialError("auth_jwt", context, problem);
  if (url !== undefined && text !== undefined) {
    throw fail(`set exactly one of ${uriVariable} and ${keyVariable}; both are set.`);
  }
  if (url !== undefined) {
    if (algorithm.startsWith("HS")) {
      throw fail(
        `${authPrefix}JWT_ALGORITHM ${algorithm} needs a shared secret in ${keyVariable}; ${uriVariable} publishes public keys only.`,
      );
    }
    return remoteKeys({ ...context, url, algorithm });
  }
  if (text === undefined) {
    throw fail(`set exactly one of ${uriVariable} and ${keyVariable}; neither is set.`);
  }
  const local = localKey(text, algorithm);
  if ("problem" in local) throw fail(`${keyVariable} ${local.problem}.`);
  return fixedKey(local.key);
}
