import type { ProviderGrant, TokenResponse } from "../../spec/login.ts";
import type { Scope } from "../../spec/scopes.ts";
import { json } from "./answers.ts";
import type { Parameters } from "./body.ts";
import { clientIdOfToken, type Front } from "./front.ts";
import { namesThisServer } from "./resource.ts";
import { type TokenClient, tokenRefusal } from "./token-request.ts";

/** @throws {LoginRefusal} for tokens that are for another server. */
export function checkResource(form: Parameters, { settings }: Front): void {
  if (namesThisServer(form.all("resource"), settings.base)) return;
  throw tokenRefusal("resource", "invalid_target", "resource is not this server.");
}

/** What tokens are issued from, at login and at every refresh. */
export interface Issue {
  readonly subject: string;
  readonly requested: readonly Scope[];
  readonly entitled: readonly Scope[];
  readonly granted: readonly Scope[];
  /** Unix seconds. */
  readonly loginAt: number;
  readonly sessionEnd: number;
  readonly nonce: string;
  readonly grant: ProviderGrant;
}

/**
 * The token response (RFC 6749, 5.1): an access token and, where the session goes on, a refresh token.
 */
export async function issueTokens(
  front: Front,
  client: TokenClient,
  issue: Issue,
): Promise<Response> {
  const { subject, entitled, granted, loginAt, sessionEnd } = issue;
  const { token, expiresIn } = await front.tokens.issue({
    subject,
    clientId: clientIdOfToken(client.id),
    scopes: granted,
    entitled,
    loginAt,
    sessionEnd,
  });
  const refresh = await sealRefresh(front, client, issue);
  const body: TokenResponse = {
    access_token: token,
    token_type: "Bearer",
    expires_in: expiresIn,
    scope: granted.join(" "),
    ...(refresh !== undefined && { refresh_token: refresh }),
  };
  return json(200, body, { pragma: "no-cache" });
}

/** @returns undefined if there are no refresh tokens, or the provider gave none for later requests. */
async function sealRefresh(
  { settings, seals, events }: Front,
  client: TokenClient,
  { subject, requested, entitled, loginAt, sessionEnd, nonce, grant }: Issue,
): Promise<string | undefined> {
  if (settings.sessionS === 0) return undefined;
  const isEmpty = grant.refresh === undefined && grant.access === undefined;
  const sealed = isEmpty
    ? undefined
    : await seals.seal("refresh", {
        exp: sessionEnd,
        client: client.hash,
        scopes: [...requested],
        sub: subject,
        at: loginAt,
        entitled: [...entitled],
        nonce,
        grant,
      });
  if (sealed === undefined) {
    events.once(
      "no_refresh_token",
      "The identity provider gives no refresh token that can be kept: people log in again whenever their access token ends.",
    );
  }
  return sealed;
}
