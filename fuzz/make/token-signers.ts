import { createHmac, type KeyObject } from "node:crypto";
import type { JwtAlgorithm } from "../../spec/auth.ts";
import { signedByHand, type TestKey, testKey } from "../../test/support/issuer.ts";
import { keyId } from "./token-case.ts";

export const secret = "a shared secret that is long enough";

/** Signs an input with the key of a setup, or with one that is not. */
export interface Signer {
  readonly algorithm: JwtAlgorithm;
  sign(header: string, payload: string, by: "own key" | "foreign key"): string;
  /** Text of the public key; for a shared secret there is none. */
  readonly pem: string;
}

export function asymmetric(key: TestKey, digest: string | null): Signer {
  const foreign = testKey(key.algorithm, keyId);
  return {
    algorithm: key.algorithm,
    pem: key.pem,
    sign: (header, payload, by) =>
      signedByHand(header, payload, (by === "own key" ? key : foreign).privateKey, digest),
  };
}

/** JOSE wants the two numbers of a signature side by side, not in DER. */
export function elliptic(key: TestKey): Signer {
  const foreign = testKey(key.algorithm, keyId);
  // `sign` passes on options with the key; the type of the shared helper says key only.
  const raw = ({ privateKey }: TestKey) =>
    ({ key: privateKey, dsaEncoding: "ieee-p1363" }) as unknown as KeyObject;
  return {
    algorithm: key.algorithm,
    pem: key.pem,
    sign: (header, payload, by) =>
      signedByHand(header, payload, raw(by === "own key" ? key : foreign), "sha256"),
  };
}

export function shared(): Signer {
  return {
    algorithm: "HS256",
    pem: "",
    sign: (header, payload, by) =>
      withHmac(header, payload, by === "own key" ? secret : `another ${secret}`),
  };
}

export function withHmac(header: string, payload: string, key: string): string {
  const input = signedByHand(header, payload).slice(0, -1);
  return `${input}.${createHmac("sha256", key).update(input).digest("base64url")}`;
}
