import { editorRedirects, maxRedirectLength } from "../../spec/login.ts";

/** ASCII without spaces and without what a header, an attribute or a browser may take for something else. */
const characters = /^[!#-;=?-[\]_a-z~%]+$/;
/** No URL parser decides this: it would take `http://2130706433/` and `http://127.1/` for loopback too. */
const loopback = /^(https?):\/\/(127\.0\.0\.1|\[::1\]|localhost)(?::(\d{1,5}))?([/?].*)?$/;
const scheme = /^([a-z][a-z0-9+.-]*):(.+)$/;
/** Schemes that run or show something on this machine, or that no application owns. */
const forbidden =
  /^(?:javascript|data|vbscript|file|blob|about|filesystem|view-source|intent|mailto|ms-.*|wss?)$/;
const segment = /^(?!\.{1,2}$)[A-Za-z0-9._~-]+$/;
/** Members that our answer adds; a redirect that has one already would carry two. */
const reserved = ["code", "state", "iss", "error"];

/** Which redirects the operator allows, read from `OAUTH_REDIRECTS`. */
export interface RedirectRules {
  /** Whether codes may be sent there. */
  allows(redirect: string): boolean;
}

/** Whether a text has the form of a redirect at all. */
function isRedirect(text: string): boolean {
  if (text.length > maxRedirectLength || !characters.test(text) || text.includes("#")) return false;
  const [, name = "", rest = ""] = scheme.exec(text) ?? [];
  if (name === "" || forbidden.test(name)) return false;
  const authority = rest.startsWith("//") ? (/^\/\/([^/?]*)/.exec(rest)?.[1] ?? "") : undefined;
  if (authority?.includes("@")) return false;
  if (name !== "http" && name !== "https") return URL.canParse(text);
  if (!authority || !URL.canParse(text)) return false;
  return name === "https" || isLoopbackRedirect(text);
}

/** Whether a redirect goes to this computer, whichever way it writes that. */
export function isLoopbackRedirect(text: string): boolean {
  const [, , , port = "1"] = loopback.exec(text) ?? [];
  return loopback.test(text) && Number(port) <= 65_535;
}

/** Whether the redirect has a scheme that an application has registered with the system. */
export function isPrivateScheme(redirect: string): boolean {
  return !/^https?:/.test(redirect);
}

/** Whether a query of the redirect would get between our answer and the client. */
export function hasReservedQuery(redirect: string): boolean {
  const start = redirect.indexOf("?");
  if (start < 0) return false;
  const query = new URLSearchParams(redirect.slice(start + 1));
  return reserved.some((name) => query.has(name));
}

/** Scheme, path and query: port and name of a loopback redirect may differ from the registered ones. */
function loopbackPart(redirect: string): string | undefined {
  const [, name, , , path = "/"] = loopback.exec(redirect) ?? [];
  return name && `${name}:${path.startsWith("?") ? `/${path}` : path}`;
}

/** Whether a redirect of a request is one of those a client registered. */
export function isRegistered(redirect: string, registered: readonly string[]): boolean {
  if (registered.includes(redirect)) return true;
  if (!isLoopbackRedirect(redirect)) return false;
  const wanted = loopbackPart(redirect);
  return registered.some((other) => isLoopbackRedirect(other) && loopbackPart(other) === wanted);
}

/**
 * @param entries of `OAUTH_REDIRECTS`, in order.
 * @returns the rules, or the place (from 1) of an entry that cannot be allowed.
 */
export function parseRedirectRules(
  entries: readonly string[],
): { readonly rules: RedirectRules } | { readonly place: number } {
  const exact = new Set<string>();
  const prefixes: string[] = [];
  let anyLoopback = false;
  for (const [index, entry] of entries.entries()) {
    const prefix = entry.endsWith("/*") ? entry.slice(0, -1) : undefined;
    if (entry === "loopback") anyLoopback = true;
    else if (entry === "editors") for (const each of editorRedirects) exact.add(each);
    else if (entry.includes("*") && prefix === undefined) return { place: index + 1 };
    else if (prefix !== undefined) {
      const good = prefix.startsWith("https://") && !/[*?]/.test(prefix) && isRedirect(prefix);
      if (!good) return { place: index + 1 };
      prefixes.push(prefix);
    } else if (isRedirect(entry)) exact.add(entry);
    else return { place: index + 1 };
  }
  return {
    rules: {
      allows(redirect) {
        if (!isRedirect(redirect)) return false;
        if (exact.has(redirect)) return true;
        if (isLoopbackRedirect(redirect)) return anyLoopback;
        return prefixes.some(
          (prefix) => redirect.startsWith(prefix) && segment.test(redirect.slice(prefix.length)),
        );
      },
    },
  };
}

/** @returns the redirect with the answer added to its own query. */
export function withAnswer(redirect: string, answer: Readonly<Record<string, string>>): string {
  const url = new URL(redirect);
  const added = new URLSearchParams(answer).toString();
  url.search = url.search === "" ? added : `${url.search}&${added}`;
  return url.href;
}

/** @returns where a redirect goes in words for the log: `loopback`, a scheme, or a host. */
export function redirectLabel(redirect: string): string {
  if (isLoopbackRedirect(redirect)) return "loopback";
  const { protocol, host } = new URL(redirect);
  return isPrivateScheme(redirect) ? protocol.slice(0, -1) : host;
}
