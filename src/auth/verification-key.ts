import { createPublicKey, createSecretKey, type JsonWebKey, type KeyObject } from "node:crypto";
import { z } from "zod";
import type { JwtAlgorithm } from "../../spec/auth.ts";

const curves: Readonly<Record<string, string>> = {
  ES256: "prime256v1",
  ES384: "secp384r1",
  ES512: "secp521r1",
};
const edwards: Readonly<Record<string, readonly string[]>> = {
  EdDSA: ["ed25519", "ed448"],
  Ed25519: ["ed25519"],
  Ed448: ["ed448"],
};
const minRsaBits = 2048;

/** @returns why a public key cannot verify signatures of an algorithm, or undefined when it can. */
function keyProblem(key: KeyObject, algorithm: JwtAlgorithm): string | undefined {
  const type = key.asymmetricKeyType;
  if (algorithm.startsWith("RS") || algorithm.startsWith("PS")) {
    if (type !== "rsa") return `${algorithm} needs an RSA key`;
    const bits = key.asymmetricKeyDetails?.modulusLength ?? 0;
    return bits < minRsaBits ? `RSA keys need at least ${minRsaBits} bits` : undefined;
  }
  if (algorithm.startsWith("ES")) {
    const curve = curves[algorithm];
    const fits = key.asymmetricKeyDetails?.namedCurve === curve;
    return fits ? undefined : `${algorithm} needs an EC key on ${curve}`;
  }
  const types = edwards[algorithm] ?? [];
  return types.includes(type ?? "")
    ? undefined
    : `${algorithm} needs a key of ${types.join(" or ")}`;
}

/**
 * The key of `JWT_PUBLIC_KEY`: PEM (public key or certificate), or the shared secret of an HS algorithm.
 * @returns the key, or what is wrong in words that quote nothing of it.
 */
export function localKey(
  text: string,
  algorithm: JwtAlgorithm,
): { readonly key: KeyObject } | { readonly problem: string } {
  const isPem = text.includes("-----BEGIN");
  if (algorithm.startsWith("HS")) {
    // A public key as HMAC secret is the classic confusion: anyone could sign (RFC 8725, 2.1).
    if (isPem) return { problem: `holds a PEM key, but ${algorithm} needs a shared secret` };
    const secret = Buffer.from(text);
    // RFC 7518, 3.2: as long as the hash.
    const least = Number(algorithm.slice(2)) / 8;
    if (secret.length < least)
      return { problem: `is too short: ${algorithm} needs ${least} bytes` };
    return { key: createSecretKey(secret) };
  }
  if (!isPem) return { problem: `must be a public key in PEM for ${algorithm}` };
  if (text.includes("PRIVATE KEY-----")) {
    return { problem: "holds a private key; give the public key only" };
  }
  try {
    // Variables of one line often carry the line ends as `\n`.
    const key = createPublicKey(text.replaceAll("\\n", "\n"));
    const problem = keyProblem(key, algorithm);
    return problem ? { problem: `holds a key that does not fit: ${problem}` } : { key };
  } catch {
    return { problem: "holds no readable PEM public key" };
  }
}

const Jwk = z.looseObject({
  kty: z.string(),
  kid: z.string().optional(),
  alg: z.string().optional(),
  use: z.string().optional(),
  key_ops: z.array(z.string()).optional(),
  // A private key that was published is no longer secret.
  d: z.undefined().optional(),
});
const JwkSet = z.looseObject({ keys: z.array(z.unknown()) });

/** Keys of one JWK Set that can verify signatures of one algorithm. */
export interface KeySet {
  /** Keys that were left out: of another type or use, too weak, or malformed. */
  readonly skipped: number;
  readonly size: number;
  /**
   * @returns the key of that id; without an id the only key of the set. Two keys of one id are ambiguous: none.
   */
  find(kid: string | undefined): KeyObject | undefined;
}

/** @returns the usable keys of a JWK Set document, or undefined when it is none. */
export function parseKeySet(document: unknown, algorithm: JwtAlgorithm): KeySet | undefined {
  const set = JwkSet.safeParse(document);
  if (!set.success) return undefined;
  const keys: { readonly kid: string | undefined; readonly key: KeyObject }[] = [];
  for (const candidate of set.data.keys) {
    const jwk = Jwk.safeParse(candidate);
    if (!jwk.success) continue;
    const { kid, alg, use, key_ops } = jwk.data;
    if (use !== undefined && use !== "sig") continue;
    if (key_ops !== undefined && !key_ops.includes("verify")) continue;
    if (alg !== undefined && family(alg) !== family(algorithm)) continue;
    const key = importJwk(jwk.data);
    if (key && keyProblem(key, algorithm) === undefined) keys.push({ kid, key });
  }
  return {
    skipped: set.data.keys.length - keys.length,
    size: keys.length,
    find(kid) {
      const [only, ...others] = kid === undefined ? keys : keys.filter((each) => each.kid === kid);
      return others.length === 0 ? only?.key : undefined;
    },
  };
}

/** `EdDSA` and the names of RFC 9864 mean the same keys; the key itself tells the curve. */
function family(algorithm: string): string {
  return algorithm.startsWith("Ed") ? "EdDSA" : algorithm;
}

function importJwk(jwk: unknown): KeyObject | undefined {
  try {
    // Node's import is the parse: it refuses whatever is not a public key of a known type.
    return createPublicKey({ key: jwk as JsonWebKey, format: "jwk" });
  } catch {
    // One broken key must not make the others useless; it is counted as skipped.
    return undefined;
  }
}
