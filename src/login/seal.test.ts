import { createCipheriv } from "node:crypto";
import { describe, expect, test } from "vitest";
import { sealed } from "../../spec/login.ts";
import { deriveKeys, type KeyRing, parseKeys } from "./keys.ts";
import { createSeals } from "./seal.ts";

const base = "https://tools.example.com";
const now = Date.parse("2026-01-01T00:00:00Z");
const texts = [1, 2, 3].map((start) =>
  Buffer.from(Array.from({ length: 32 }, (_, index) => index * start + start)).toString("base64"),
);

function ring(order: readonly number[], of = base): KeyRing {
  const parsed = parseKeys(order.map((index) => texts[index] ?? ""));
  if ("problem" in parsed) throw new Error(parsed.problem);
  return deriveKeys(parsed.keys, of);
}

const exp = now / 1000 + 60;
const hash = "h".repeat(43);
const login = {
  exp,
  client: hash,
  redirect: "http://127.0.0.1/",
  challenge: hash,
  scopes: ["iam:query" as const],
  id: "a",
  verifier: "b",
  nonce: "c",
};

async function sealedLogin(keys = ring([0]), changes = {}): Promise<string> {
  const text = await createSeals(keys, () => now).seal("login", { ...login, ...changes });
  if (text === undefined) throw new Error("too long");
  return text;
}

const open = (text: string, keys = ring([0]), at = now) =>
  createSeals(keys, () => at).open("login", text);

describe("a sealed value", () => {
  test("opens with what was sealed", async () => {
    expect(await open(await sealedLogin())).toEqual({ v: 1, ...login });
  });

  test("never looks the same twice and shows nothing", async () => {
    const [one, other] = [await sealedLogin(), await sealedLogin()];
    expect(one).not.toBe(other);
    expect(Buffer.from(one, "base64url").toString("latin1")).not.toContain("127.0.0.1");
  });

  test("has this header and no other member", async () => {
    const [header = ""] = (await sealedLogin()).split(".");
    const { kid, ...rest } = JSON.parse(Buffer.from(header, "base64url").toString());
    expect(rest).toEqual({ alg: "dir", enc: "A256GCM", typ: "vmcp-login" });
    expect(kid).toMatch(/^vmcp\.[\w-]{8}$/);
  });

  test("does not open after its end, to the second", async () => {
    const text = await sealedLogin();
    expect(await open(text, ring([0]), exp * 1000 - 1)).toBeDefined();
    expect(await open(text, ring([0]), exp * 1000)).toBeUndefined();
  });

  test("opens through a rotation of keys, and not once its key is gone", async () => {
    const text = await sealedLogin(ring([0]));
    for (const order of [[0], [0, 1], [1, 0], [2, 1, 0]])
      expect(await open(text, ring(order))).toBeDefined();
    for (const order of [[1], [1, 2]]) expect(await open(text, ring(order))).toBeUndefined();
  });

  test("does not open for another purpose or another base, under the same key", async () => {
    const text = await sealedLogin();
    expect(await createSeals(ring([0]), () => now).open("code", text)).toBeUndefined();
    expect(await open(text, ring([0], "https://other.example"))).toBeUndefined();
  });

  test("does not open with any bit of it flipped", async () => {
    const text = await sealedLogin();
    const opened: number[] = [];
    for (let index = 0; index < text.length; index += 1) {
      for (let bit = 0; bit < 7; bit += 1) {
        const changed = String.fromCharCode(text.charCodeAt(index) ^ (1 << bit));
        if (await open(text.slice(0, index) + changed + text.slice(index + 1))) opened.push(index);
      }
    }
    expect(opened).toEqual([]);
  });

  test("does not open with parts of another one, or with parts missing or added", async () => {
    const [one, other] = [(await sealedLogin()).split("."), (await sealedLogin()).split(".")];
    for (const index of [2, 3, 4]) {
      const mixed = one.map((part, at) => (at === index ? (other[at] ?? "") : part)).join(".");
      expect(await open(mixed), `part ${index}`).toBeUndefined();
    }
    expect(await open(one.slice(0, 4).join("."))).toBeUndefined();
    expect(await open([...one, ""].join("."))).toBeUndefined();
    expect(await open("")).toBeUndefined();
  });

  test("of another version, or with other members, does not open", async () => {
    expect(await open(await sealedLogin(ring([0]), { v: 2 }))).toBeUndefined();
    expect(await open(await sealedLogin(ring([0]), { more: 1 }))).toBeUndefined();
    expect(await open(await sealedLogin(ring([0]), { id: undefined }))).toBeUndefined();
  });

  test("past the length of its purpose is not made, and is not opened", async () => {
    const seals = createSeals(ring([0]), () => now);
    expect(await seals.seal("login", { ...login, redirect: "a".repeat(3_000) })).toBeUndefined();
    expect(await seals.open("login", `${await sealedLogin()}${"A".repeat(4_000)}`)).toBeUndefined();
  });

  test("just as long as its purpose allows is made and opened", async () => {
    const seals = createSeals(ring([0]), () => now);
    const texts: (string | undefined)[] = [];
    for (let length = 2_400; length < 2_800; length += 1) {
      texts.push(await seals.seal("login", { ...login, redirect: "a".repeat(length) }));
    }
    const longest = texts.findLast((text) => text !== undefined) ?? "";
    expect(longest).toHaveLength(sealed.login.most);
    expect(await seals.open("login", longest)).toBeDefined();
  });
});

describe("a value that somebody with the key made", () => {
  const [{ kid, derived }] = ring([0]);
  const encode = (text: string | Buffer) => Buffer.from(text).toString("base64url");
  const header = encode(JSON.stringify({ alg: "dir", enc: "A256GCM", typ: "vmcp-login", kid }));
  function made(
    plaintext: string | Buffer = JSON.stringify({ v: 1, ...login }),
    { iv = Buffer.alloc(12, 1), second = "", cut = 16 } = {},
  ): string {
    const cipher = createCipheriv("aes-256-gcm", derived.login, iv).setAAD(Buffer.from(header));
    const body = Buffer.concat([cipher.update(plaintext), cipher.final()]);
    return [
      header,
      second,
      encode(iv),
      encode(body),
      encode(cipher.getAuthTag().subarray(0, cut)),
    ].join(".");
  }

  test("opens when it is as we make them", async () => {
    expect(await open(made())).toEqual({ v: 1, ...login });
  });
  const long = JSON.stringify({ v: 1, ...login, redirect: "a".repeat(3_000) });
  test.each([
    ["is too long", made(long)],
    ["has an encrypted key", made(undefined, { second: "QUJD" })],
    ["has another nonce length", made(undefined, { iv: Buffer.alloc(16, 1) })],
    ["has a short tag", made(undefined, { cut: 12 })],
    ["is not JSON", made("x")],
    ["is not UTF-8", made(Buffer.from([0x22, 0xff, 0x22]))],
    [
      "has text that is not UTF-8",
      made(Buffer.from(JSON.stringify({ v: 1, ...login, id: "\u00ff" }), "latin1")),
    ],
    ["is empty", made("")],
  ])("does not open when it %s", async (_, text) => {
    expect(await open(text)).toBeUndefined();
  });
});
