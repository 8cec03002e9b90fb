import type { CodePayload } from "../../spec/login.ts";
import type { Parameters } from "./body.ts";
import { clientLabel, type Front, nowS, type Route, type RouteContext } from "./front.ts";
import { entitledTo, grantedScopes } from "./grant.ts";
import { checkResource, issueTokens } from "./issue.ts";
import { askProvider, requestSignal } from "./provider-failure.ts";
import { isSame, sha256 } from "./random.ts";
import { redirectLabel } from "./redirects.ts";
import { refreshGrant } from "./refresh.ts";
import { readTokenClient, readTokenForm, type TokenClient, tokenRefusal } from "./token-request.ts";

/** `POST /oauth/token`. */
export function tokenRoute(front: Front): Route {
  const refresh = refreshGrant(front);
  return async (request, context) => {
    const read = await readTokenForm(request, front);
    const type = read.form.one("grant_type");
    if (!type) throw tokenRefusal("request", "invalid_request", "grant_type is missing.");
    if (type !== "authorization_code" && type !== "refresh_token") {
      throw tokenRefusal(
        "request",
        "unsupported_grant_type",
        "grant_type must be authorization_code or refresh_token.",
      );
    }
    const client = readTokenClient(read, front);
    return type === "refresh_token"
      ? refresh(read.form, client, context)
      : codeGrant(read.form, client, context, front);
  };
}

const verifierForm = /^[A-Za-z0-9._~-]{43,128}$/;

async function openCode(form: Parameters, client: TokenClient, front: Front): Promise<CodePayload> {
  const text = form.one("code");
  if (text === undefined) throw tokenRefusal("request", "invalid_request", "code is missing.");
  const bad = () =>
    tokenRefusal("code", "invalid_grant", "The code is invalid for this request, or has expired.");
  const code = await front.seals.open("code", text);
  if (!code || !isSame(code.client, client.hash)) throw bad();
  const redirect = form.one("redirect_uri");
  if (redirect !== undefined && redirect !== code.redirect) throw bad();
  const verifier = form.one("code_verifier");
  if (verifier === undefined || !verifierForm.test(verifier)) {
    throw tokenRefusal(
      "verifier",
      "invalid_request",
      "code_verifier must be 43 to 128 characters of the PKCE alphabet.",
    );
  }
  if (!isSame(sha256(verifier), code.challenge)) {
    throw tokenRefusal("verifier", "invalid_grant", "code_verifier does not match.");
  }
  return code;
}

/** Redeems the provider's code after every other check, so that a refused attempt does not use it up. */
async function codeGrant(
  form: Parameters,
  client: TokenClient,
  { remainingMs }: RouteContext,
  front: Front,
): Promise<Response> {
  const { settings, upstream, events } = front;
  const {
    code,
    verifier,
    nonce,
    scopes: requested,
    redirect,
  } = await openCode(form, client, front);
  checkResource(form, front);
  const signal = requestSignal(remainingMs);
  const session = await askProvider(() => upstream.redeem({ code, verifier, nonce }, signal));
  const { identity, grant } = session;
  const entitled = entitledTo(identity, settings.grants);
  const granted = grantedScopes(requested, entitled, settings.required);
  if (!granted) {
    throw tokenRefusal("no_access", "access_denied", "This account has no access to this server.");
  }
  const loginAt = nowS(front);
  const answer = await issueTokens(front, client, {
    subject: identity.subject,
    requested,
    entitled,
    granted,
    loginAt,
    sessionEnd: loginAt + (settings.sessionS || settings.accessTokenS),
    nonce,
    grant,
  });
  events.succeeded("login", {
    subject: identity.subject,
    client: clientLabel(client.reference),
    redirect: redirectLabel(redirect),
    scopes: granted,
  });
  return answer;
}
