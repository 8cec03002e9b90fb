import { B64Token, maxTokenLength } from "../../spec/auth.ts";
import type { Refusal } from "./caller.ts";

const bearerScheme = /^bearer(?=[ \t,]|$)/i;

/**
 * The bearer token of a request. Only the `Authorization` header counts: neither query nor body is read.
 *
 * - No header, or another scheme only: `missing`. RFC 6750, 3.1 wants no error code for a client that did not know or
 *   used an unsupported method.
 * - A header that is not one credential (no token, several parts, several headers): `invalid_request`.
 * - One part that cannot be a token by its characters or its length: `invalid_token`.
 */
export function bearerToken(
  headers: Headers,
): { readonly token: string } | { readonly refusal: Refusal } {
  // Repeated headers arrive joined by ", ". A token holds no comma, so nothing valid is lost by looking for one.
  const header = headers.get("authorization");
  if (header === null) return { refusal: { kind: "missing" } };
  const parts = header.split(",").map((part) => part.trim());
  if (!parts.some((part) => bearerScheme.test(part))) return { refusal: { kind: "missing" } };
  if (parts.length > 1) return badRequest("More than one credential in the Authorization header.");
  const token = header.replace(/^bearer */i, "");
  if (token === "") return badRequest("The Authorization header has no token.");
  if (/\s/.test(token)) return badRequest("The Authorization header is not `Bearer <token>`.");
  if (token.length > maxTokenLength) return badToken("The access token is too long.");
  if (!B64Token.safeParse(token).success) return badToken("The access token is malformed.");
  return { token };
}

function badRequest(description: string): { refusal: Refusal } {
  return { refusal: { kind: "invalid_request", description } };
}

function badToken(description: string): { refusal: Refusal } {
  return { refusal: { kind: "invalid_token", description } };
}
