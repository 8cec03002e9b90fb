import { claimsToBeOurs } from "./access-token.ts";
import { json } from "./answers.ts";
import { clientLabel, type Front, type Route } from "./front.ts";
import { askProvider, requestSignal } from "./provider-failure.ts";
import { openRefresh } from "./refresh.ts";
import { readTokenClient, readTokenForm, tokenRefusal } from "./token-request.ts";
import type { Upstream } from "./upstream/upstream.ts";

/** `POST /oauth/revoke` (RFC 7009): ends a refresh token by ending the provider's. Access tokens end by themselves. */
export function revokeRoute(front: Front, revoke: NonNullable<Upstream["revoke"]>): Route {
  return async (request, { remainingMs }) => {
    const read = await readTokenForm(request, front);
    const token = read.form.one("token");
    if (token === undefined) {
      throw tokenRefusal("request", "invalid_request", "token is missing.");
    }
    const client = readTokenClient(read, front);
    if (isAccessToken(token)) {
      throw tokenRefusal(
        "request",
        "unsupported_token_type",
        "Access tokens cannot be revoked; they end by themselves.",
      );
    }
    const payload = await openRefresh(token, client, front);
    if (payload) {
      const signal = requestSignal(remainingMs);
      await askProvider(() => revoke(payload.grant, signal));
      const label = clientLabel(client.reference);
      front.events.succeeded("revoke", { subject: payload.sub, client: label });
    }
    return json(200, {}, { pragma: "no-cache" });
  };
}

/** Signed values have three parts, sealed ones five. */
function isAccessToken(token: string): boolean {
  return token.split(".").length === 3 && claimsToBeOurs(token);
}
