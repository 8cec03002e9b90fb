import { z } from "zod";
import { clockToleranceS } from "../../spec/auth.ts";
import { parseJson } from "../json/parse.ts";

/** The claims set of a verified token. */
export type Claims = Readonly<Record<string, unknown>>;

const ClaimsSet = z.record(z.string(), z.unknown());

/** Media types an access token may carry in `typ` (RFC 9068, 2.1; RFC 8725, 3.11); most issuers still write `JWT`. */
const tokenTypes = new Set(["jwt", "at+jwt", "application/jwt", "application/at+jwt"]);

export interface ClaimRules {
  readonly issuer: string;
  /** One of these must be in `aud`; undefined: `aud` is not checked. */
  readonly audiences: readonly string[] | undefined;
  readonly nowMs: number;
}

/** @returns the claims of a payload whose signature is valid, or why the token is refused. */
export function validateClaims(
  header: { readonly typ?: unknown },
  payload: Uint8Array,
  { issuer, audiences, nowMs }: ClaimRules,
): { readonly claims: Claims } | { readonly refused: string } {
  if (header.typ !== undefined && !tokenTypes.has(textOf(header.typ).toLowerCase())) {
    return { refused: "The token is not an access token." };
  }
  const claims = parseClaims(payload);
  if (!claims) return { refused: "The access token has no claims set." };
  if (claims.iss !== issuer) return { refused: "The access token has another issuer." };
  if (audiences && !stringsOf(claims.aud).some((audience) => audiences.includes(audience))) {
    return { refused: "The access token is for another audience." };
  }
  const nowS = nowMs / 1000;
  if (!isDate(claims.exp)) return { refused: "The access token has no valid expiry." };
  if (nowS - clockToleranceS >= claims.exp) return { refused: "The access token has expired." };
  if (claims.nbf !== undefined) {
    if (!isDate(claims.nbf)) return { refused: "The access token has an invalid start." };
    if (nowS + clockToleranceS < claims.nbf) {
      return { refused: "The access token is not valid yet." };
    }
  }
  return { claims };
}

function parseClaims(payload: Uint8Array): Claims | undefined {
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(payload);
    return ClaimsSet.safeParse(parseJson(text)).data;
  } catch {
    return undefined;
  }
}

function isDate(value: unknown): value is number {
  return Number.isFinite(value);
}

/** @returns the claim when it is text, else "". */
export function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

/** @returns the strings of a claim that is text or a list. */
export function stringsOf(value: unknown): readonly string[] {
  const values = Array.isArray(value) ? value : [value];
  return values.filter((each) => typeof each === "string" && each !== "");
}

/** @returns scopes: text is split on spaces, a list is taken as it is. */
export function scopesOf(value: unknown): readonly string[] {
  return typeof value === "string" ? stringsOf(value.split(" ")) : stringsOf(value);
}

/** @returns the scopes of `scope` when that claim is present, else of `scp`. */
export function tokenScopes(claims: Claims): readonly string[] {
  return scopesOf(Object.hasOwn(claims, "scope") ? claims.scope : claims.scp);
}
