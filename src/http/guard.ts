import { isIPv4, isIPv6 } from "node:net";
import { rpcCode, rpcError } from "../protocol/rpc-error.ts";

export interface GuardOptions {
  /** Address the server listens on; undefined: serverless, which checks the Host only if hosts are listed. */
  readonly host?: string | undefined;
  /** Origins accepted beside the server's own, e.g. `https://tools.example.com`. */
  readonly allowedOrigins?: readonly string[] | undefined;
  /** Host names accepted, with or without a port. Setting it switches the Host check on. */
  readonly allowedHosts?: readonly string[] | undefined;
  /** Host of the server's public URL: accepted if the Host is checked. Setting it does not switch the check on. */
  readonly publicHost?: string | undefined;
  /** Only the Host is checked: other sites send browsers here, and the login validates their requests. */
  readonly anyOrigin?: boolean;
}

const maxRememberedHosts = 64;

/** @returns a refusal; undefined: the request is accepted. */
export type Guard = (request: Request) => Response | undefined;

/**
 * Protects the endpoint from web pages: DNS rebinding gives a page a foreign Host, plain
 * cross-site requests a foreign Origin. Programs send no Origin and pass.
 */
export function createGuard({
  host,
  allowedOrigins,
  allowedHosts,
  publicHost,
  anyOrigin = false,
}: GuardOptions): Guard {
  const bound = host === undefined ? undefined : parseHost(host);
  const onLoopback = bound !== undefined && isLoopback(bound.hostname);
  const hosts = new Set(allowedHosts?.map((entry) => entry.trim().toLowerCase()));
  const origins = new Set(allowedOrigins?.map(normalOrigin));
  const listed = origins.size > 0;

  const hostAccepted = (own: URL): boolean =>
    (onLoopback && isLoopback(own.hostname)) ||
    hosts.has(own.host) ||
    hosts.has(own.hostname) ||
    own.host === publicHost;

  const originAccepted = (origin: string, hostHeader: string, scheme: string): boolean => {
    if (origins.has(normalOrigin(origin))) return true;
    const from = parseUrl(origin);
    if (!from || (from.protocol !== "http:" && from.protocol !== "https:")) return false;
    // A default port is dropped by the scheme of the Origin: behind TLS termination our own scheme
    // is http while the page's is https, and both leave their default port out.
    const own = parseUrl(`${from.protocol}//${hostHeader}`);
    if (!own) return false;
    if (isLoopback(from.hostname) && isLoopback(own.hostname)) return true;
    return from.host === own.host && (!listed || from.protocol === scheme);
  };

  // Few Host headers are ever seen, and parsing one costs more than the rest of the guard.
  const acceptedHosts = new Set<string>();
  const hostHeaderAccepted = (header: string): boolean => {
    if (acceptedHosts.has(header)) return true;
    const own = parseHost(header);
    if (!own || !hostAccepted(own)) return false;
    if (acceptedHosts.size < maxRememberedHosts) acceptedHosts.add(header);
    return true;
  };

  return ({ url, headers }) => {
    const hostHeader = headers.get("host") ?? new URL(url).host;
    if ((onLoopback || hosts.size > 0) && !hostHeaderAccepted(hostHeader)) {
      return new Response("Misdirected Request: this server does not answer for that host.\n", {
        status: 421,
        headers: { "content-type": "text/plain; charset=utf-8" },
      });
    }
    const origin = headers.get("origin");
    if (origin === null || anyOrigin) return undefined;
    return originAccepted(origin, hostHeader, new URL(url).protocol)
      ? undefined
      : rpcError(403, rpcCode.invalidRequest, "Forbidden: Origin not allowed");
  };
}

/** Numbers like 127.1 and 0x7f000001 have become dotted decimal in a parsed URL. */
function isLoopback(hostname: string): boolean {
  if (hostname === "localhost" || hostname === "[::1]") return true;
  return hostname.startsWith("127.") && isIPv4(hostname);
}

/** @returns an address, host name or Host header as a URL; undefined: it is not one. */
function parseHost(text: string): URL | undefined {
  const url = parseUrl(`http://${isIPv6(text) ? `[${text}]` : text}`);
  return url && url.username === "" && url.pathname === "/" && !url.search ? url : undefined;
}

function parseUrl(text: string): URL | undefined {
  return URL.parse(text) ?? undefined;
}

/** Origins of schemes the URL standard does not know (`vscode-webview://…`) are compared as text. */
export function normalOrigin(origin: string): string {
  const parsed = parseUrl(origin);
  return parsed && parsed.origin !== "null" ? parsed.origin : origin.trim().toLowerCase();
}
