import { type KeyObject, verify } from "node:crypto";
import { compactVerify, decodeProtectedHeader, errors, type ProtectedHeaderParameters } from "jose";
import type { JwtAlgorithm } from "../../spec/auth.ts";
import { ProviderProblem } from "./http-json.ts";
import { type Claims, validateClaims } from "./jwt-claims.ts";
import type { KeySource } from "./key-source.ts";

export interface JwtRules {
  readonly issuer: string;
  /** One of these must be in `aud`; undefined: `aud` is not checked. */
  readonly audiences: readonly string[] | undefined;
  readonly algorithm: JwtAlgorithm;
  readonly keys: KeySource;
  /** Unix time in ms. */
  readonly now: () => number;
}

export type JwtOutcome = { readonly claims: Claims } | { readonly refused: string };

/** Compact serialization in base64url without padding (RFC 7515, 2 and 7.1); libraries take more, so that one token has many forms. */
const compact = /^[\w-]+\.[\w-]+\.[\w-]+$/;

const invalid = { refused: "The access token is not a valid JWT of this server's issuer." };

/** @returns a function that validates one token: signature first, then claims. It never throws for a bad token. */
export function jwtVerifier(
  rules: JwtRules,
): (token: string, from?: string) => Promise<JwtOutcome> {
  return async (token, from) => {
    if (!compact.test(token)) return invalid;
    const header = headerOf(token);
    // Exactly one algorithm, decided by the operator and not by the token (RFC 8725, 3.1).
    if (header?.alg !== rules.algorithm) return invalid;
    // No extension is understood here, so every `crit` is one that must be refused (RFC 7515, 4.1.11).
    if (header.crit !== undefined) return invalid;
    if (header.kid !== undefined && typeof header.kid !== "string") return invalid;
    try {
      const key = await rules.keys.find(header.kid, from);
      const payload = key && (await signedPayload(token, key, rules.algorithm));
      if (!payload) return invalid;
      return validateClaims(header, payload, { ...rules, nowMs: rules.now() });
    } catch (error) {
      if (error instanceof ProviderProblem) {
        return { refused: "The access token cannot be checked at the moment." };
      }
      throw error;
    }
  };
}

function headerOf(token: string): ProtectedHeaderParameters | undefined {
  try {
    return decodeProtectedHeader(token);
  } catch {
    return undefined;
  }
}

/** @returns the payload when the signature is good. */
async function signedPayload(
  token: string,
  key: KeyObject,
  algorithm: JwtAlgorithm,
): Promise<Uint8Array | undefined> {
  if (key.asymmetricKeyType === "ed448") return ed448Payload(token, key);
  try {
    return (await compactVerify(token, key, { algorithms: [algorithm] })).payload;
  } catch (error) {
    if (error instanceof errors.JOSEError) return undefined;
    throw error;
  }
}

/** jose 6 knows Ed25519 only: Web Crypto had no Ed448 when it was written. */
function ed448Payload(token: string, key: KeyObject): Uint8Array | undefined {
  const end = token.lastIndexOf(".");
  const signature = Buffer.from(token.slice(end + 1), "base64url");
  if (!verify(null, Buffer.from(token.slice(0, end)), key, signature)) return undefined;
  return Buffer.from(token.slice(token.indexOf(".") + 1, end), "base64url");
}
