import { consentLifetimeS, maxLoginCookies, type RefusedReason } from "../../spec/login.ts";
import { redirect as redirectTo } from "./answers.ts";
import { answerClient, isNonceOf } from "./authorize.ts";
import { formType, mediaType, type Parameters, readParameters, readText } from "./body.ts";
import { loginCookies, onlyCookie } from "./cookies.ts";
import { type Front, nowS, type Route } from "./front.ts";
import { errorPage } from "./pages.ts";
import { randomId } from "./random.ts";
import { redirectLabel } from "./redirects.ts";
import { LoginRefusal } from "./refusal.ts";

async function refused(reason: RefusedReason): Promise<LoginRefusal> {
  return new LoginRefusal(reason, await errorPage("consent"));
}

/** `POST /oauth/consent`: what the person decided on the consent page. */
export function consentRoute(front: Front): Route {
  const { settings, seals, cookies, upstream } = front;
  const origin = new URL(settings.base).origin;
  return async (request) => {
    const form = await readForm(request);
    const decision = form.one("decision");
    if (decision !== "allow" && decision !== "deny") {
      throw new LoginRefusal("request", await errorPage("noRequest"));
    }
    if (!comesFrom(origin, request.headers)) throw await refused("consent_origin");
    const consent = await seals.open("consent", form.one("request") ?? "");
    if (!consent) throw await refused("consent_expired");
    const nonce = onlyCookie(request.headers, cookies.consent);
    if (nonce === undefined || !isNonceOf(nonce, consent.nonce)) {
      throw await refused("consent_cookie");
    }

    const { client, redirect, state, challenge, scopes } = consent;
    if (decision === "deny") {
      const answer = await answerClient({ redirect, state }, settings.base, {
        error: "access_denied",
        error_description: "The person did not allow it.",
      });
      throw new LoginRefusal("denied", answer, { redirect: redirectLabel(redirect) });
    }
    const id = randomId();
    const login = { id, verifier: randomId() + randomId(), nonce: randomId() };
    const sealed = await seals.seal("login", {
      exp: nowS(front) + consentLifetimeS,
      client,
      redirect,
      ...(state !== undefined && { state }),
      challenge,
      scopes,
      ...login,
    });
    if (sealed === undefined) throw await refused("request");
    const url = await upstream.authorizationUrl({ state: id, ...login, scopes });
    const ended = await oldestLogins(request.headers, front);
    return redirectTo(url, [
      cookies.set(cookies.login(id), sealed),
      ...ended.map((name) => cookies.remove(name)),
    ]);
  };
}

async function readForm(request: Request): Promise<Parameters> {
  const body = await readText(request);
  if (body === "too_large") throw new LoginRefusal("request", await errorPage("noRequest", 413));
  const form =
    body === "invalid" || mediaType(request) !== formType ? undefined : readParameters(body.text);
  if (!form) throw new LoginRefusal("request", await errorPage("noRequest"));
  return form;
}

/** Browsers send `Origin` with a form; those that leave it out for their own origin say so otherwise. */
function comesFrom(origin: string, headers: Headers): boolean {
  const given = headers.get("origin");
  return given === null ? headers.get("sec-fetch-site") === "same-origin" : given === origin;
}

/** @returns names of cookies to remove, so that the browser holds no more than four logins. */
async function oldestLogins(headers: Headers, { seals, cookies }: Front): Promise<string[]> {
  const present = loginCookies(headers, cookies);
  const surplus = present.length - (maxLoginCookies - 1);
  if (surplus <= 0) return [];
  const ends = await Promise.all(
    present.map(async ([name, value]) => ({
      name,
      end: (await seals.open("login", value))?.exp ?? 0,
    })),
  );
  return ends
    .sort((one, other) => one.end - other.end)
    .slice(0, surplus)
    .map(({ name }) => name);
}
