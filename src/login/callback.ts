import { codeLifetimeS, type LoginPayload, maxProviderCodeLength } from "../../spec/login.ts";
import { answerClient } from "./authorize.ts";
import { readParameters } from "./body.ts";
import { onlyCookie } from "./cookies.ts";
import { type Front, nowS, type Route } from "./front.ts";
import { errorPage } from "./pages.ts";
import { isSame, randomIdForm } from "./random.ts";
import { redirectLabel } from "./redirects.ts";
import { LoginRefusal } from "./refusal.ts";
import { errorWord } from "./upstream/calls.ts";

/** Error codes of a provider when the person, or a policy of the provider, stops the login. */
const deniedWords = new Set([
  "access_denied",
  "consent_required",
  "login_required",
  "interaction_required",
]);
const printable = /^[\x20-\x7e]+$/;

/**
 * `GET /oauth/callback`: the provider redirects the person here. The client gets the provider's code in sealed form, and this
 * server redeems it when the client presents it. So it works once although nothing is stored.
 */
export function callbackRoute(front: Front): Route {
  const { settings, seals, cookies, upstream } = front;
  return async (request) => {
    if (/\bprefetch\b/.test(request.headers.get("sec-purpose") ?? "")) {
      return errorPage("login", 503);
    }
    const query = readParameters(new URL(request.url).search.slice(1));
    const state = query?.one("state") ?? "";
    if (!query || !randomIdForm.test(state)) throw await notThisBrowser();
    const name = cookies.login(state);
    const login = await seals.open("login", onlyCookie(request.headers, name) ?? "");
    if (!login || !isSame(login.id, state)) throw await notThisBrowser();

    const detail = { redirect: redirectLabel(login.redirect) };
    if (query.isRepeated("iss") || !upstream.acceptsIssuer(query.one("iss"))) {
      throw new LoginRefusal("issuer", await errorPage("provider"), detail);
    }
    // A HEAD request ends nothing, so that the browser's own request still can.
    const ended = request.method === "HEAD" ? [] : [cookies.remove(name)];
    const words = query.all("error");
    if (words.length > 0) throw await providerRefused(words, login, ended, settings.base);

    const code = query.one("code") ?? "";
    const sealed = isCode(code) ? await sealCode(login, code, front) : undefined;
    if (sealed === undefined) {
      throw new LoginRefusal("provider_answer", await errorPage("provider"), detail);
    }
    return answerClient(login, settings.base, { code: sealed }, ended);
  };

  async function sealCode(login: LoginPayload, code: string, { seals: s }: Front) {
    const { client, redirect, challenge, scopes, verifier, nonce } = login;
    const exp = nowS(front) + codeLifetimeS;
    return s.seal("code", { exp, client, redirect, challenge, scopes, code, verifier, nonce });
  }
}

async function notThisBrowser(): Promise<LoginRefusal> {
  return new LoginRefusal("login_cookie", await errorPage("login"));
}

function isCode(code: string): boolean {
  return code.length <= maxProviderCodeLength && printable.test(code);
}

async function providerRefused(
  words: readonly string[],
  { redirect, state }: LoginPayload,
  cookies: readonly string[],
  base: string,
): Promise<LoginRefusal> {
  const [word = ""] = words;
  const to = { redirect, state };
  const answer = (error: string, error_description: string) =>
    answerClient(to, base, { error, error_description }, cookies);
  const detail = { redirect: redirectLabel(redirect), providerError: errorWord(word) };
  if (deniedWords.has(word)) {
    const denied = await answer("access_denied", "The identity provider did not allow it.");
    return new LoginRefusal("denied", denied, detail);
  }
  if (word === "temporarily_unavailable" || word === "server_error") {
    const down = await answer(word, "The identity provider has a problem.");
    return new LoginRefusal("provider_down", down, detail);
  }
  const failed = await answer("server_error", "The identity provider answered with an error.");
  return new LoginRefusal("provider_answer", failed, detail);
}
