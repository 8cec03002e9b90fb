import { generateCookie } from "hono/cookie";
import { consentLifetimeS } from "../../spec/login.ts";
import { randomIdForm } from "./random.ts";

/** Cookies of the front: names, attributes, and what a request brings. */
export interface Cookies {
  readonly consent: string;
  login(state: string): string;
  set(name: string, value: string): string;
  remove(name: string): string;
}

const loginPrefix = "vmcp-login-";
const hostPrefix = "__Host-";

/** @param base a loopback base over http has neither `Secure` nor the prefix that needs it. */
export function createCookies(base: string): Cookies {
  const secure = base.startsWith("https:");
  const prefix = secure ? hostPrefix : "";
  const write = (name: string, value: string, maxAge: number) =>
    generateCookie(name, value, { path: "/", secure, httpOnly: true, sameSite: "Lax", maxAge });
  return {
    consent: `${prefix}vmcp-consent`,
    login: (state) => `${prefix}${loginPrefix}${state}`,
    set: (name, value) => write(name, value, consentLifetimeS),
    remove: (name) => write(name, "", 0),
  };
}

/**
 * Cookies of a request, in order. Not by `hono/cookie`, which keeps one of several of a name: a second one of ours was
 * set by somebody else, and that must be seen.
 */
function readCookies(headers: Headers): readonly (readonly [name: string, value: string])[] {
  return (headers.get("cookie") ?? "").split(";").flatMap((part) => {
    const at = part.indexOf("=");
    return at < 0 ? [] : [[part.slice(0, at).trim(), part.slice(at + 1).trim()] as const];
  });
}

/** @returns the value of a cookie; undefined when there is none, or more than one. */
export function onlyCookie(headers: Headers, name: string): string | undefined {
  const [first, ...others] = readCookies(headers).filter(([each]) => each === name);
  return others.length === 0 ? first?.[1] : undefined;
}

/** @returns cookies of logins under way, with the names they are removed by; other names are not of this server. */
export function loginCookies(
  headers: Headers,
  cookies: Cookies,
): readonly (readonly [name: string, value: string])[] {
  const prefix = cookies.login("");
  return readCookies(headers).filter(
    ([name]) => name.startsWith(prefix) && randomIdForm.test(name.slice(prefix.length)),
  );
}
