/** Programs on other origins may read these; browsers send no cookies there (Fetch standard, 3.2). */
export const anyOrigin = { "access-control-allow-origin": "*" } as const;

/**
 * A public document, readable also from pages of other origins.
 * @param maxAgeS how long caches may keep it; undefined: no header says so.
 */
export function publicDocument(method: string, body: object, maxAgeS?: number): Response {
  if (method === "OPTIONS") return preflight("GET");
  if (method !== "GET" && method !== "HEAD") return notAllowed("GET, HEAD, OPTIONS");
  return new Response(JSON.stringify(body), {
    headers: {
      "content-type": "application/json",
      ...(maxAgeS !== undefined && { "cache-control": `public, max-age=${maxAgeS}` }),
      ...anyOrigin,
    },
  });
}

/**
 * 405 without a body.
 * @param allow Methods of the route, separated by commas.
 */
export function notAllowed(allow: string): Response {
  return new Response(null, { status: 405, headers: { allow } });
}

/** Lifetime of the documents of a login, which clients read one after the other. */
export const documentMaxAgeS = 300;

/**
 * Answer to a preflight. Not by `hono/cors`, which puts the same four constants together anew for every request,
 * with a `Vary` that says they depend on it.
 */
export function preflight(methods: "GET" | "POST"): Response {
  return new Response(null, {
    status: 204,
    headers: {
      ...anyOrigin,
      "access-control-allow-methods": methods,
      "access-control-allow-headers": "authorization, content-type, mcp-protocol-version",
      "access-control-max-age": "86400",
    },
  });
}
