import * as oauth from "oauth4webapi";
import type { ProviderGrant } from "../../../spec/login.ts";
import { type Calls, UpstreamError } from "./calls.ts";

/** Our client at the provider, and where its endpoints are. */
export interface UpstreamClient {
  readonly server: oauth.AuthorizationServer;
  readonly client: oauth.Client;
  readonly authentication: oauth.ClientAuth;
  /** `<base>/oauth/callback`, registered at the provider. */
  readonly callback: string;
  readonly calls: Calls;
  /** Turns answers that break the standard into ones that keep it. */
  readonly normalize?: (response: Response) => Promise<Response>;
}

/**
 * Our credentials in the header (RFC 6749, 2.3.1 and appendix B). Not by the library, which writes `-`, `.` and `_` as
 * `%2D` and the like: servers that do not decode, such as Doorkeeper in GitLab and authentik, then know no such secret
 * (panva/oauth4webapi#199, goauthentik/authentik#20739), and GitLab's begin with `gloas-`.
 */
export function secretInHeader(secret: string): oauth.ClientAuth {
  return (_server, { client_id }, _body, headers) => {
    const credentials = `${formEncoded(client_id)}:${formEncoded(secret)}`;
    headers.set("authorization", `Basic ${Buffer.from(credentials).toString("base64")}`);
  };
}

function formEncoded(text: string): string {
  return new URLSearchParams({ "": text }).toString().slice(1);
}

type Fetch = (url: string, init: RequestInit) => Promise<Response>;

function options({ server, calls, normalize }: UpstreamClient, signal: AbortSignal) {
  const send: Fetch = async (url, init) => {
    const response = await calls.fetch(url, { ...init, signal });
    return normalize ? normalize(response) : response;
  };
  return {
    [oauth.customFetch]: send as Fetch & ((url: string, init: never) => Promise<Response>),
    // Only an issuer on loopback gets here with http: others are refused at start.
    [oauth.allowInsecureRequests]: server.issuer.startsWith("http:"),
  };
}

/** Redeems a code. @throws {UpstreamError} */
export async function redeemCode(
  upstream: UpstreamClient,
  { code, verifier, nonce }: { code: string; verifier: string; nonce: string | undefined },
  signal: AbortSignal,
): Promise<oauth.TokenEndpointResponse> {
  const { server, client, authentication, callback } = upstream;
  return failing(async () => {
    // State and issuer were checked when the browser came back; the library wants to have seen the parameters.
    const parameters = oauth.validateAuthResponse(
      { issuer: server.issuer },
      client,
      new URLSearchParams({ code }),
      oauth.skipStateCheck,
    );
    const response = await oauth.authorizationCodeGrantRequest(
      server,
      client,
      authentication,
      parameters,
      callback,
      verifier,
      options(upstream, signal),
    );
    return oauth.processAuthorizationCodeResponse(
      server,
      client,
      response,
      nonce === undefined ? {} : { expectedNonce: nonce, requireIdToken: true },
    );
  });
}

/** Uses a refresh token. @throws {UpstreamError} */
export async function refreshTokens(
  upstream: UpstreamClient,
  token: string,
  additionalParameters: Record<string, string>,
  signal: AbortSignal,
): Promise<oauth.TokenEndpointResponse> {
  const { server, client, authentication } = upstream;
  return failing(async () => {
    const response = await oauth.refreshTokenGrantRequest(server, client, authentication, token, {
      ...options(upstream, signal),
      additionalParameters,
    });
    return oauth.processRefreshTokenResponse(server, client, response);
  });
}

/** Ends a token at the provider (RFC 7009). @throws {UpstreamError} */
export async function revokeToken(
  upstream: UpstreamClient,
  token: string,
  signal: AbortSignal,
): Promise<void> {
  const { server, client, authentication } = upstream;
  await failing(async () => {
    const response = await oauth.revocationRequest(server, client, authentication, token, {
      ...options(upstream, signal),
      additionalParameters: { token_type_hint: "refresh_token" },
    });
    await oauth.processRevocationResponse(response);
  }).catch((error: unknown) => {
    // Google says so of a token that is unknown or has ended; RFC 7009 calls that a success.
    const isGone =
      error instanceof UpstreamError &&
      (error.failure === "grant" || error.word === "invalid_token");
    if (!isGone) throw error;
  });
}

/** The refresh token for later requests: the new one, else the earlier one. */
export function grantOf(
  { refresh_token }: oauth.TokenEndpointResponse,
  before: ProviderGrant = {},
): ProviderGrant {
  const refresh = refresh_token ?? before.refresh;
  return refresh === undefined ? {} : { refresh };
}

/** Error codes for an invalid code or refresh token, with those of GitHub and Entra. */
const grantWords = new Set([
  "invalid_grant",
  "bad_verification_code",
  "bad_refresh_token",
  "interaction_required",
  "login_required",
  "consent_required",
]);
const downWords = new Set(["temporarily_unavailable", "server_error", "slow_down"]);

async function failing<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw translated(error);
  }
}

function translated(error: unknown): unknown {
  if (error instanceof UpstreamError) return error;
  if (error instanceof oauth.ResponseBodyError) {
    const word = error.error;
    if (grantWords.has(word)) return new UpstreamError("grant", { word });
    if (downWords.has(word)) return new UpstreamError("down", { word });
    return new UpstreamError("refuses_us", { word });
  }
  // A 401 with a challenge: what RFC 6749, 5.2 prescribes for a client that is not accepted.
  if (error instanceof oauth.WWWAuthenticateChallengeError) return new UpstreamError("refuses_us");
  if (error instanceof oauth.OperationProcessingError) {
    return new UpstreamError("answer", { cause: error });
  }
  if (error instanceof oauth.UnsupportedOperationError) {
    return new UpstreamError("answer", { cause: error });
  }
  return error;
}
