import { createSecretKey, type KeyObject, randomUUID } from "node:crypto";
import { decodeProtectedHeader, SignJWT } from "jose";
import { z } from "zod";
import { AccessClaims } from "../../spec/login.ts";
import { Scope } from "../../spec/scopes.ts";
import type { Identity, Verdict } from "../auth/identity.ts";
import { scopesOf } from "../auth/jwt-claims.ts";
import { jwtVerifier } from "../auth/jwt-verifier.ts";
import { kidPrefix } from "./keys.ts";
import { isCanonical } from "./seal.ts";
import type { LoginSettings } from "./settings.ts";

/** What an access token says about a login. */
interface Granted {
  readonly subject: string;
  /** `client_id` of RFC 9068: the client's id, shortened if it carries a whole registration. */
  readonly clientId: string;
  readonly scopes: readonly Scope[];
  /** Scopes that the person could have. */
  readonly entitled: readonly Scope[];
  /** Unix seconds of the login. */
  readonly loginAt: number;
  /** Unix seconds past which no token of this session may live. */
  readonly sessionEnd: number;
}

/** Access tokens of this server: JWTs after RFC 9068 that carry nothing of the provider. */
export interface AccessTokens {
  issue(granted: Granted): Promise<{ readonly token: string; readonly expiresIn: number }>;
  verify(token: string): Promise<Verdict>;
}

const type = "at+jwt";
/** Ignores members that a later version adds: replicas of two versions run side by side. */
const Claims = z.looseObject(AccessClaims.shape);
const unknownToken = { refused: "The access token is not a valid token of this server." };

/** Whether a token says that this server issued it. If so, no other provider is asked. */
export function claimsToBeOurs(token: string): boolean {
  try {
    const { kid } = decodeProtectedHeader(token);
    return typeof kid === "string" && kid.startsWith(kidPrefix);
  } catch {
    return false;
  }
}

/**
 * @param now Unix time in ms.
 * @param stepUp whether challenges ask for more scopes. Only then does a token say which scopes its bearer could have:
 *   nothing is stored, and without this a client would log in again and again for a scope that the person never gets.
 */
export function createAccessTokens(
  settings: LoginSettings,
  now: () => number,
  stepUp: boolean,
): AccessTokens {
  const { base, resource, keys, accessTokenS } = settings;
  const secrets = new Map<string, KeyObject>(
    keys.map(({ kid, derived }) => [kid, createSecretKey(derived.access)]),
  );
  const [{ kid, derived }] = keys;
  const signingKey = createSecretKey(derived.access);
  const verifyJwt = jwtVerifier({
    issuer: base,
    audiences: [resource],
    algorithm: "HS256",
    keys: { find: async (id) => (id === undefined ? undefined : secrets.get(id)) },
    now,
  });

  return {
    async issue({ subject, clientId, scopes, entitled, loginAt, sessionEnd }) {
      const iat = Math.floor(now() / 1000);
      const exp = Math.min(iat + accessTokenS, sessionEnd);
      const claims: AccessClaims = {
        iss: base,
        aud: resource,
        sub: subject,
        client_id: clientId,
        scope: scopes.join(" "),
        iat,
        exp,
        jti: randomUUID(),
        auth_time: loginAt,
        ...(stepUp && { entitled: entitled.join(" ") }),
      };
      const token = await new SignJWT(claims)
        .setProtectedHeader({ alg: "HS256", typ: type, kid })
        .sign(signingKey);
      return { token, expiresIn: exp - iat };
    },
    async verify(token) {
      if (!isCanonical(token) || decodeProtectedHeader(token).typ !== type) return unknownToken;
      const outcome = await verifyJwt(token);
      if ("refused" in outcome) return outcome;
      const claims = Claims.safeParse(outcome.claims);
      return claims.success ? { identity: identityOf(claims.data) } : unknownToken;
    },
  };
}

function identityOf({ sub, client_id, scope, entitled }: AccessClaims): Identity {
  const known = new Set<string>(Scope.options);
  const scopes = scopesOf(scope).filter((each) => known.has(each));
  return {
    subject: sub,
    clientId: client_id,
    scopes,
    ...(entitled !== undefined && { entitled: scopesOf(entitled) }),
  };
}
