import type { RefreshPayload } from "../../spec/login.ts";
import type { Scope } from "../../spec/scopes.ts";
import type { Parameters } from "./body.ts";
import { clientLabel, type Front, type RouteContext } from "./front.ts";
import { entitledTo, grantedScopes, readScopes } from "./grant.ts";
import { checkResource, issueTokens } from "./issue.ts";
import { askProvider, requestSignal } from "./provider-failure.ts";
import { isSame, sha256 } from "./random.ts";
import { LoginRefusal } from "./refusal.ts";
import { type TokenClient, tokenRefusal } from "./token-request.ts";
import type { Renewal } from "./upstream/upstream.ts";

type RefreshGrant = (
  form: Parameters,
  client: TokenClient,
  context: RouteContext,
) => Promise<Response>;

const bad = () =>
  tokenRefusal("code", "invalid_grant", "The refresh token is invalid, or the session has ended.");

/**
 * The refresh grant. The provider is asked every time, so that an account that is disabled there ends here, and scopes
 * are those of now.
 */
export function refreshGrant(front: Front): RefreshGrant {
  const { settings, upstream, events } = front;
  // Several processes of one client share a refresh token and use it at once: the provider is asked once.
  const underWay = new Map<string, Promise<Renewal>>();

  const renew = (text: string, payload: RefreshPayload, remainingMs: number | undefined) => {
    const key = sha256(text);
    const shared = underWay.get(key);
    if (shared) return shared;
    const signal = requestSignal(remainingMs);
    const started = upstream
      .refresh(payload.grant, payload.nonce, signal)
      .finally(() => underWay.delete(key));
    underWay.set(key, started);
    return started;
  };

  return async (form, client, { remainingMs }) => {
    const text = form.one("refresh_token");
    if (text === undefined) {
      throw tokenRefusal("request", "invalid_request", "refresh_token is missing.");
    }
    const payload = await openRefresh(text, client, front);
    if (!payload) throw bad();
    checkResource(form, front);
    const asked = narrowed(form.one("scope"), payload.scopes);
    const { identity, grant } = await askProvider(() => renew(text, payload, remainingMs));
    if (identity && identity.subject !== payload.sub) throw subjectChanged();
    const entitled = identity ? entitledTo(identity, settings.grants) : payload.entitled;
    const granted = grantedScopes(asked, entitled, settings.required);
    if (!granted) {
      throw tokenRefusal(
        "no_access",
        "invalid_grant",
        "This account has no access to this server.",
      );
    }
    const answer = await issueTokens(front, client, {
      subject: payload.sub,
      requested: payload.scopes,
      entitled,
      granted,
      loginAt: payload.at,
      sessionEnd: payload.exp,
      nonce: payload.nonce,
      grant,
    });
    const label = clientLabel(client.reference);
    events.succeeded("refresh", { subject: payload.sub, client: label, scopes: granted });
    return answer;
  };
}

/** @returns what a refresh token of this client holds; undefined for anything else. */
export async function openRefresh(
  text: string,
  client: TokenClient,
  { seals, settings }: Front,
): Promise<RefreshPayload | undefined> {
  if (settings.sessionS === 0) return undefined;
  const payload = await seals.open("refresh", text);
  return payload && isSame(payload.client, client.hash) ? payload : undefined;
}

/** @returns the scopes to grant from: those of the login, or the part of them that the request names. */
function narrowed(text: string | undefined, requested: readonly Scope[]): readonly Scope[] {
  if (text === undefined) return requested;
  const scopes = readScopes(text);
  const isPart =
    scopes?.unknown.length === 0 &&
    scopes.known.every((scope) => requested.length === 0 || requested.includes(scope));
  if (!scopes || !isPart) {
    throw tokenRefusal(
      "scope",
      "invalid_scope",
      "scope must be part of what was asked for at login.",
    );
  }
  return scopes.known.length > 0 ? scopes.known : requested;
}

function subjectChanged(): LoginRefusal {
  const { answer } = bad();
  return new LoginRefusal("subject_changed", answer, { isOurs: true });
}
