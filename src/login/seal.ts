import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import type { z } from "zod";
import { type SealPurpose, sealed } from "../../spec/login.ts";
import { parseJson } from "../json/parse.ts";
import type { KeyRing } from "./keys.ts";

type Payload<Purpose extends SealPurpose> = z.infer<(typeof sealed)[Purpose]["schema"]>;

/**
 * Encrypts what this server has to remember and does not store: JWE in its compact form, `dir` with A256GCM (RFC 7516).
 *
 * Not by `jose`, which decrypts with Web Crypto: Node 24.21 ended the process on a run of values that did not open
 * (`CipherJob::ToResult`, assertion `errors->Empty()`), and anybody may send such values. The synchronous ciphers have no
 * such job; a value of 12 KB takes them microseconds.
 */
export interface Seals {
  /** @returns undefined when the sealed value would be longer than its purpose allows. */
  seal<Purpose extends SealPurpose>(
    purpose: Purpose,
    payload: Omit<Payload<Purpose>, "v">,
  ): Promise<string | undefined>;
  /** @returns undefined if any check fails, without saying which. */
  open<Purpose extends SealPurpose>(
    purpose: Purpose,
    text: string,
  ): Promise<Payload<Purpose> | undefined>;
}

/** @param now Unix time in ms. */
export function createSeals(keys: KeyRing, now: () => number): Seals {
  const headers = keys.map(({ kid }) => kid);
  return {
    async seal(purpose, payload) {
      const [{ kid, derived }] = keys;
      const header = encode(headerOf(purpose, kid));
      const text = encrypt(header, JSON.stringify({ v: 1, ...payload }), derived[purpose]);
      return text.length <= sealed[purpose].most ? text : undefined;
    },
    async open(purpose, text) {
      if (text.length > sealed[purpose].most) return undefined;
      const header = text.slice(0, text.indexOf("."));
      // The whole header is compared, so that no other member, algorithm or compression can be in it.
      const index = headers.findIndex((kid) => header === encode(headerOf(purpose, kid)));
      const key = keys[index]?.derived[purpose];
      if (!key || !isCanonical(text)) return undefined;
      const payload = sealed[purpose].schema.safeParse(decrypt(text, key));
      if (!payload.success || payload.data.exp * 1000 <= now()) return undefined;
      return payload.data as Payload<typeof purpose>;
    },
  };
}

function headerOf(purpose: SealPurpose, kid: string) {
  return { alg: "dir", enc: "A256GCM", typ: `vmcp-${purpose}`, kid } as const;
}

function encode(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString("base64url");
}

/** Decoders ignore the spare bits of a last character: without this check a value would have several forms. */
export function isCanonical(compact: string): boolean {
  return compact
    .split(".")
    .every((part) => Buffer.from(part, "base64url").toString("base64url") === part);
}

const cipher = "aes-256-gcm";
const ivBytes = 12;
const tagBytes = 16;

function encrypt(header: string, plaintext: string, key: Uint8Array): string {
  const iv = randomBytes(ivBytes);
  const sealing = createCipheriv(cipher, key, iv, { authTagLength: tagBytes });
  sealing.setAAD(Buffer.from(header));
  const ciphertext = Buffer.concat([sealing.update(plaintext, "utf8"), sealing.final()]);
  const parts = [iv, ciphertext, sealing.getAuthTag()].map((part) => part.toString("base64url"));
  // The second part is the encrypted key, which `dir` does not have (RFC 7516, 5.1).
  return [header, "", ...parts].join(".");
}

function decrypt(text: string, key: Uint8Array): unknown {
  const [header = "", encryptedKey, iv, ciphertext, tag, ...more] = text.split(".");
  if (encryptedKey !== "" || more.length > 0) return undefined;
  const [ivBuffer, body, tagBuffer] = [iv, ciphertext, tag].map((part) =>
    Buffer.from(part ?? "", "base64url"),
  );
  if (ivBuffer?.length !== ivBytes || tagBuffer?.length !== tagBytes || !body) return undefined;
  try {
    const opening = createDecipheriv(cipher, key, ivBuffer, { authTagLength: tagBytes });
    opening.setAAD(Buffer.from(header));
    opening.setAuthTag(tagBuffer);
    const plaintext = Buffer.concat([opening.update(body), opening.final()]);
    return parseJson(new TextDecoder("utf-8", { fatal: true }).decode(plaintext));
  } catch {
    // The tag does not fit; or, for what another program sealed under our key, the text is not JSON.
    return undefined;
  }
}
