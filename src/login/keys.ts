import { createHash, hkdfSync } from "node:crypto";
import { keyBytes, maxKeys, minDifferentKeyBytes } from "../../spec/login.ts";

/** What keys are derived for; a value of one purpose does not open for another. */
type KeyPurpose = "consent" | "login" | "code" | "refresh" | "access";

/** Begins the `kid` of every value of this server, so that its own tokens can be told from a provider's. */
export const kidPrefix = "vmcp.";

/** One operator key, as this server uses it. */
export interface LoginKey {
  readonly kid: string;
  /** 32 bytes, for one purpose under one base URL. */
  readonly derived: Readonly<Record<KeyPurpose, Uint8Array>>;
}

/** The first key seals and signs, all of them open and verify. */
export type KeyRing = readonly [LoginKey, ...LoginKey[]];

const purposes: readonly KeyPurpose[] = ["consent", "login", "code", "refresh", "access"];

/** @returns the bytes of a key in hex, base64 or base64url; undefined for any other form. */
function decodeKey(text: string): Buffer | undefined {
  if (/^[0-9a-f]{64}$/i.test(text)) return Buffer.from(text, "hex");
  if (!/^(?:[A-Za-z0-9+/]{43}|[\w-]{43})=?$/.test(text)) return undefined;
  const bytes = Buffer.from(text, "base64");
  return bytes.length === keyBytes ? bytes : undefined;
}

/**
 * Reads operator keys.
 * @param entries texts of keys, in order.
 * @returns the keys, or what is wrong with the list, in words that follow its name and quote no key.
 */
export function parseKeys(
  entries: readonly string[],
): { readonly keys: readonly [Buffer, ...Buffer[]] } | { readonly problem: string } {
  const keys: Buffer[] = [];
  for (const [index, entry] of entries.entries()) {
    const key = decodeKey(entry);
    const place = index + 1;
    if (!key) return { problem: `has, at place ${place}, no key of 32 bytes in base64 or hex` };
    if (new Set(key).size < minDifferentKeyBytes) {
      return {
        problem: `has, at place ${place}, a key that is not random; make one with: openssl rand -base64 32`,
      };
    }
    const same = keys.findIndex((other) => other.equals(key));
    if (same >= 0) return { problem: `has the same key at places ${same + 1} and ${place}` };
    keys.push(key);
  }
  const [first, ...others] = keys;
  if (!first || keys.length > maxKeys) return { problem: `must hold 1 to ${maxKeys} keys` };
  return { keys: [first, ...others] };
}

/** @returns the keys of one deployment: another base URL derives others from the same operator keys. */
export function deriveKeys(
  [first, ...others]: readonly [Buffer, ...Buffer[]],
  base: string,
): KeyRing {
  const derive = (key: Buffer): LoginKey => ({
    kid:
      kidPrefix +
      createHash("sha256")
        .update("validator-mcp key id|")
        .update(key)
        .digest("base64url")
        .slice(0, 8),
    derived: Object.fromEntries(
      purposes.map((purpose) => {
        const info = `validator-mcp login 1|${purpose}|${base}`;
        return [purpose, new Uint8Array(hkdfSync("sha256", key, "", info, keyBytes))];
      }),
    ) as Record<KeyPurpose, Uint8Array>,
  });
  return [derive(first), ...others.map(derive)];
}
