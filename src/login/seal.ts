import { CompactEncrypt, compactDecrypt, errors } from "jose";
import type { z } from "zod";
import { type SealPurpose, sealed } from "../../spec/login.ts";
import { parseJson } from "../json/parse.ts";
import type { KeyRing } from "./keys.ts";

type Payload<Purpose extends SealPurpose> = z.infer<(typeof sealed)[Purpose]["schema"]>;

/** Encrypts what this server has to remember and does not store (RFC 7516, compact form). */
export interface Seals {
  /** @returns undefined when the sealed value would be longer than its purpose allows. */
  seal<Purpose extends SealPurpose>(
    purpose: Purpose,
    payload: Omit<Payload<Purpose>, "v">,
  ): Promise<string | undefined>;
  /** @returns undefined for whatever does not open: nothing tells which check failed. */
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
      const text = await new CompactEncrypt(Buffer.from(JSON.stringify({ v: 1, ...payload })))
        .setProtectedHeader(headerOf(purpose, kid))
        .encrypt(derived[purpose]);
      return text.length <= sealed[purpose].most ? text : undefined;
    },
    async open(purpose, text) {
      if (text.length > sealed[purpose].most) return undefined;
      const header = text.slice(0, text.indexOf("."));
      // The whole header is compared, so that no other member, algorithm or compression can be in it.
      const index = headers.findIndex((kid) => header === encode(headerOf(purpose, kid)));
      const key = keys[index]?.derived[purpose];
      if (!key || !isCanonical(text)) return undefined;
      const value = await decrypt(text, key);
      const payload = sealed[purpose].schema.safeParse(value);
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

async function decrypt(text: string, key: Uint8Array): Promise<unknown> {
  try {
    const { plaintext } = await compactDecrypt(text, key, {
      keyManagementAlgorithms: ["dir"],
      contentEncryptionAlgorithms: ["A256GCM"],
    });
    return parseJson(new TextDecoder("utf-8", { fatal: true }).decode(plaintext));
  } catch (error) {
    if (error instanceof errors.JOSEError || error instanceof SyntaxError) return undefined;
    throw error;
  }
}
