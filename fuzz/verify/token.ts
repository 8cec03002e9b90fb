import { clockToleranceS, maxTokenLength } from "../../spec/auth.ts";

/** What a server accepts, as its operator has said it. */
export interface TokenRules {
  readonly algorithm: string;
  readonly issuer: string;
  readonly audience: string;
  /** Ids of the published keys; absent: one fixed key, whatever the token names. */
  readonly kids?: readonly string[];
  readonly nowS: number;
}

type JsonObject = Readonly<Record<string, unknown>>;

/**
 * What RFC 7515, 7519, 8725 and 9068 say of a token whose signature is good, written down a second
 * time: the code under test must come to the same.
 */
export function isValidToken(
  token: string,
  header: string,
  payload: string,
  rules: TokenRules,
): boolean {
  if (token.length > maxTokenLength) return false;
  const head = objectIn(header);
  const claims = objectIn(payload);
  if (!head || !claims) return false;
  return isGoodHeader(head, rules) && areGoodClaims(claims, rules);
}

function isGoodHeader(
  { alg, crit, kid, typ }: JsonObject,
  { algorithm, kids }: TokenRules,
): boolean {
  if (alg !== algorithm || crit !== undefined) return false;
  if (kid !== undefined && typeof kid !== "string") return false;
  if (kids && !(kid === undefined ? kids.length === 1 : kids.includes(kid))) return false;
  return (
    typ === undefined || (typeof typ === "string" && /^(application\/)?(at\+)?jwt$/i.test(typ))
  );
}

function areGoodClaims(
  { iss, aud, exp, nbf }: JsonObject,
  { issuer, audience, nowS }: TokenRules,
): boolean {
  const audiences: unknown[] = Array.isArray(aud) ? aud : [aud];
  const isTime = (value: unknown) => typeof value === "number" && Number.isFinite(value);
  return (
    iss === issuer &&
    audiences.includes(audience) &&
    isTime(exp) &&
    Number(exp) > nowS - clockToleranceS &&
    (nbf === undefined || (isTime(nbf) && Number(nbf) <= nowS + clockToleranceS))
  );
}

/** @returns the object of a JSON text; members without inherited members. */
export function objectIn(text: string): JsonObject | undefined {
  try {
    // As the bytes of a token say it: a lone surrogate has none. A parser may pass over a byte-order
    // mark (RFC 8259, 8.1), and ours do.
    const value: unknown = JSON.parse(text.toWellFormed().replace(/^\ufeff/, ""));
    if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
    return Object.assign(Object.create(null), value);
  } catch {
    return undefined;
  }
}
