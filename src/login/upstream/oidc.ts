import { compactVerify, decodeProtectedHeader, errors } from "jose";
import * as oauth from "oauth4webapi";
import { clockToleranceS, type JwtAlgorithm } from "../../../spec/auth.ts";
import { maxSubjectLength, type ProviderGrant } from "../../../spec/login.ts";
import type { Scope } from "../../../spec/scopes.ts";
import type { Identity } from "../../auth/identity.ts";
import { type Claims, textOf } from "../../auth/jwt-claims.ts";
import type { KeySource } from "../../auth/key-source.ts";
import { type Calls, UpstreamError } from "./calls.ts";
import { grantOf, redeemCode, refreshTokens, revokeToken, type UpstreamClient } from "./oauth.ts";
import type { Upstream } from "./upstream.ts";

/** What OpenID providers differ in. */
export interface OidcProfile {
  readonly name: string;
  readonly server: oauth.AuthorizationServer;
  readonly clientId: string;
  readonly authentication: oauth.ClientAuth;
  /** Of ID tokens, decided by the operator and not by the token (RFC 8725, 3.1). */
  readonly algorithm: JwtAlgorithm;
  readonly keys: KeySource;
  scopes(requested: readonly Scope[]): string;
  /** Beside what every provider gets. */
  readonly authorizationParameters?: Readonly<Record<string, string>>;
  readonly refreshParameters?: Readonly<Record<string, string>>;
  /** @param claims of the ID token; undefined at a refresh that brought none. @returns undefined: nothing new is known. */
  identityOf(claims: Claims | undefined, accessToken: string): Promise<Identity | undefined>;
  readonly callback: string;
  readonly calls: Calls;
  /** Unix time in ms. */
  readonly now: () => number;
}

/** People log in at an OpenID provider: identity is what its ID token says. */
export function oidcUpstream(profile: OidcProfile): Upstream {
  const { server, clientId, calls, callback, authentication } = profile;
  const clientNow = (): UpstreamClient => ({
    server,
    client: {
      client_id: clientId,
      id_token_signed_response_alg: profile.algorithm,
      [oauth.clockTolerance]: clockToleranceS,
      // The library reads the system's clock; tests move ours.
      [oauth.clockSkew]: Math.round((profile.now() - Date.now()) / 1000),
    },
    authentication,
    callback,
    calls,
  });

  const identify = async (
    response: oauth.TokenEndpointResponse,
    nonce: string,
  ): Promise<Identity | undefined> => {
    const claims = oauth.getValidatedIdTokenClaims(response);
    if (claims && response.id_token !== undefined) {
      await verifySignature(response.id_token, profile);
      if (claims.nonce !== undefined && claims.nonce !== nonce) throw new UpstreamError("answer");
      const subject = textOf(claims.sub);
      if (subject === "" || subject.length > maxSubjectLength) throw new UpstreamError("answer");
    }
    return profile.identityOf(claims, response.access_token);
  };

  const upstream: Upstream = {
    name: profile.name,
    acceptsIssuer(issuer) {
      if (issuer !== undefined) return issuer === server.issuer;
      return server.authorization_response_iss_parameter_supported !== true;
    },
    async authorizationUrl({ state, verifier, nonce, scopes }) {
      const url = new URL(server.authorization_endpoint ?? "");
      const parameters = {
        client_id: clientId,
        redirect_uri: callback,
        response_type: "code",
        scope: profile.scopes(scopes),
        state,
        nonce,
        code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
        code_challenge_method: "S256",
        ...profile.authorizationParameters,
      };
      for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
      return url.href;
    },
    async redeem({ code, verifier, nonce }, signal) {
      const response = await redeemCode(clientNow(), { code, verifier, nonce }, signal);
      const identity = await identify(response, nonce);
      if (!identity) throw new UpstreamError("answer");
      return { identity, grant: grantOf(response) };
    },
    async refresh(grant, nonce, signal) {
      const token = tokenOf(grant);
      const parameters = { ...profile.refreshParameters };
      const response = await refreshTokens(clientNow(), token, parameters, signal);
      return { identity: await identify(response, nonce), grant: grantOf(response, grant) };
    },
  };
  if (server.revocation_endpoint === undefined) return upstream;
  return {
    ...upstream,
    revoke: (grant, signal) => revokeToken(clientNow(), tokenOf(grant), signal),
  };
}

function tokenOf({ refresh }: ProviderGrant): string {
  if (refresh === undefined) throw new UpstreamError("grant");
  return refresh;
}

/**
 * OpenID Connect Core, 3.1.3.7 lets a client skip this over TLS; we check it all the same. Not by `oauth4webapi`, which
 * does not look for new keys within a minute of the last look: a login right after a rotation would fail.
 */
async function verifySignature(token: string, { keys, algorithm }: OidcProfile): Promise<void> {
  try {
    const key = await keys.find(decodeProtectedHeader(token).kid);
    if (!key) throw new UpstreamError("answer");
    await compactVerify(token, key, { algorithms: [algorithm] });
  } catch (error) {
    if (error instanceof errors.JOSEError || error instanceof TypeError) {
      throw new UpstreamError("answer", { cause: error });
    }
    throw error;
  }
}
