import { normalOrigin } from "./guard.ts";

/** Lets web pages of origins that the operator lists by name call `/mcp`. */
export interface Cors {
  /** @returns the answer to a preflight of a listed origin; undefined for every other request. */
  preflight(request: Request): Response | undefined;
  /** Adds what a browser needs to show an answer to a listed origin. */
  expose(request: Request, response: Response): Response;
}

const maxAgeS = 7_200;
const requestHeaders = [
  "authorization",
  "content-type",
  "accept",
  "last-event-id",
  "mcp-session-id",
  "mcp-protocol-version",
  "mcp-method",
  "mcp-name",
];
const exposed = "WWW-Authenticate, Mcp-Session-Id, Mcp-Protocol-Version, Retry-After";

/**
 * Not by `hono/cors`: it answers a preflight for every method and cannot take the names of `Mcp-Param-*` headers from the
 * request, which the protocol leaves open.
 * @param allowedOrigins `VALIDATOR_MCP_ALLOWED_ORIGINS`; the server's own and loopback origins are not part of it.
 * @param methods of `/mcp`.
 */
export function createCors(
  allowedOrigins: readonly string[] | undefined,
  methods: readonly string[],
): Cors {
  const origins = new Set(allowedOrigins?.map(normalOrigin));
  const listed = ({ headers }: Request): string | undefined => {
    const origin = headers.get("origin");
    return origin !== null && origins.has(normalOrigin(origin)) ? origin : undefined;
  };
  return {
    preflight(request) {
      const origin = listed(request);
      if (request.method !== "OPTIONS" || origin === undefined) return undefined;
      const wanted = (request.headers.get("access-control-request-headers") ?? "")
        .toLowerCase()
        .split(",")
        .map((name) => name.trim())
        .filter((name) => /^mcp-[a-z0-9-]{1,100}$/.test(name));
      return new Response(null, {
        status: 204,
        headers: {
          "access-control-allow-origin": origin,
          "access-control-allow-methods": methods.join(", "),
          "access-control-allow-headers": [...new Set([...requestHeaders, ...wanted])].join(", "),
          "access-control-max-age": String(maxAgeS),
          vary: "Origin",
        },
      });
    },
    expose(request, response) {
      const origin = listed(request);
      if (origin === undefined) return response;
      response.headers.set("access-control-allow-origin", origin);
      response.headers.set("access-control-expose-headers", exposed);
      response.headers.append("vary", "Origin");
      return response;
    },
  };
}
