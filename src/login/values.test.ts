import { describe, expect, test } from "vitest";
import { maxClientIdLength } from "../../spec/login.ts";
import type { Scope } from "../../spec/scopes.ts";
import { readClientId, writeClientId } from "./client-id.ts";
import { createCookies, loginCookies, onlyCookie } from "./cookies.ts";
import { entitledTo, grantedScopes, readScopes } from "./grant.ts";
import { deriveKeys, parseKeys } from "./keys.ts";
import { isSame, randomId, randomIdForm, sha256 } from "./random.ts";

const redirects = ["http://127.0.0.1:1/cb"];

describe("a client id", () => {
  const id = writeClientId({ name: "Trial", redirects }) ?? "";
  const [start = "", middle = "", checksum = ""] = id.split(".");
  const forged = (payload: string, encoding: BufferEncoding = "base64url") => {
    const text = Buffer.from(payload).toString(encoding);
    return `reg1.${text}.${sha256(text).slice(0, 16)}`;
  };

  test("carries its client, and is the same for the same client", () => {
    expect(start).toBe("reg1");
    expect(JSON.parse(Buffer.from(middle, "base64url").toString())).toEqual({
      n: "Trial",
      r: redirects,
    });
    expect(checksum).toBe(sha256(middle).slice(0, 16));
    expect(readClientId(id)).toEqual({ name: "Trial", redirects });
    expect(writeClientId({ name: "Trial", redirects })).toBe(id);
  });

  test.each([
    "",
    "reg1",
    "reg1.",
    "reg1..",
    `reg2.${middle}.${checksum}`,
    `REG1.${middle}.${checksum}`,
    `x${id}`,
    `${id}.`,
    `${id}x`,
    id.slice(0, -1),
    `reg1.${middle}`,
    `reg1.${middle}.${checksum.toLowerCase()}`,
    `reg1.${middle}=.${sha256(`${middle}=`).slice(0, 16)}`,
    forged("x"),
    forged("[]"),
    forged("null"),
    forged('{"n":"a","r":[]}'),
    forged('{"n":"a"}'),
    forged('{"r":["x"]}'),
    forged('{"n":1,"r":["x"]}'),
    forged('{"n":"a","r":[1]}'),
    forged('{"n":"a","r":["x"],"z":1}'),
    forged('{"n":"a","n":"b","r":["x"]}'),
    forged('{"n":"ÿÿÿ?","r":["x"]}', "base64"),
  ])("%j is not one", (text) => expect(readClientId(text)).toBeUndefined());

  test("has a bound, in both directions", () => {
    const name = (length: number) => writeClientId({ name: "n".repeat(length), redirects });
    const most = Array.from({ length: 1_600 }, (_, length) => length).findLast(name) ?? 0;
    expect(name(most)?.length).toBeGreaterThan(maxClientIdLength - 4);
    expect(name(most)?.length).toBeLessThanOrEqual(maxClientIdLength);
    expect(readClientId(name(most) ?? "")).toMatchObject({ redirects });
    const long = forged(JSON.stringify({ n: "n".repeat(most + 4), r: redirects }));
    expect(long.length).toBeGreaterThan(maxClientIdLength);
    expect(readClientId(long)).toBeUndefined();
  });

  test("has a clean name, also if another program wrote it", () => {
    expect(readClientId(forged('{"n":"a\\u202eb","r":["x"]}'))?.name).toBe("a\\u202eb");
    expect(readClientId(forged('{"n":" ","r":["x"]}'))?.name).toBe("unnamed app");
  });
});

describe("scopes", () => {
  test.each([
    ["", [], []],
    ["   ", [], []],
    ["openid profile email offline_access address phone", [], []],
    ["iam:query  iam:validate", ["iam:validate", "iam:query"], []],
    [" iam:query iam:query ", ["iam:query"], []],
    ["openid x iam:config", ["iam:config"], ["x"]],
    ["IAM:QUERY iam:query2 Openid", [], ["IAM:QUERY", "iam:query2", "Openid"]],
    ["! # [ ] ~", [], ["!", "#", "[", "]", "~"]],
  ])("%j", (text, known, unknown) => expect(readScopes(text)).toEqual({ known, unknown }));
  test.each([
    '"',
    'a"',
    '"a',
    "a\\",
    "\\a",
    "a\tb",
    "a\nb",
    "ä",
    "a ä",
    "\u007f",
    "a \u007f",
    "\0",
    "a\u00a0b",
    "\t",
  ])("%j has no form of a scope", (text) => expect(readScopes(text)).toBeUndefined());

  const all: Scope[] = ["iam:validate", "iam:query", "iam:analyze", "iam:config"];
  const [validate, query, analyze] = all as [Scope, Scope, Scope];
  test("a person may have what the provider names and the map grants", () => {
    const identity = { subject: "a", clientId: "b", scopes: ["iam:query", "x", "openid"] };
    expect(entitledTo(identity, () => [validate])).toEqual([validate, query]);
    expect(entitledTo({ ...identity, scopes: [] }, () => [])).toEqual([]);
  });
  test.each<[string, Scope[], Scope[], Scope[], Scope[] | undefined]>([
    ["nothing requested: all", [], [query, validate], [], [query, validate]],
    ["nothing entitled", [], [], [], undefined],
    ["nothing entitled, something requested", [query], [], [], undefined],
    ["the common part", [query, analyze], [query, validate], [], [query]],
    ["nothing common", [analyze], [query], [], undefined],
    ["required is added", [query], [validate, query], [validate], [validate, query]],
    ["required is not entitled", [query], [query], [validate], undefined],
    ["one of two required is not entitled", [query], [query], [query, validate], undefined],
    ["nothing common but the required", [analyze], [validate], [validate], undefined],
    ["in the order of the contract", [query, validate], all, [], [validate, query]],
  ])("%s", (_, requested, entitled, required, granted) => {
    expect(grantedScopes(requested, entitled, required)).toEqual(granted);
  });
});

describe("keys", () => {
  const bytes = Buffer.from(Array.from({ length: 32 }, (_, index) => index * 7));
  const other = Buffer.from(Array.from({ length: 32 }, (_, index) => index * 5 + 1));
  // Its base64 has both characters that base64url writes differently.
  const marked = Buffer.from(Array.from({ length: 32 }, (_, index) => 255 - index));
  const [base64, base64url] = [marked.toString("base64"), marked.toString("base64url")];

  test.each([
    [bytes.toString("hex"), bytes],
    [bytes.toString("hex").toUpperCase(), bytes],
    [base64, marked],
    [base64.replace("=", ""), marked],
    [base64url, marked],
    [`${base64url}=`, marked],
  ])("%s", (text, expected) => {
    expect(base64).toMatch(/[+/]/);
    expect(parseKeys([text])).toEqual({ keys: [expected] });
  });

  const form = (place: number) => `has, at place ${place}, no key of 32 bytes in base64 or hex`;
  test.each([
    ["x"],
    [""],
    [bytes.toString("hex").slice(1)],
    [`${bytes.toString("hex")}0`],
    [`g${bytes.toString("hex").slice(1)}`],
    [`${base64}=`],
    [`x${base64}`],
    [base64.slice(0, -3)],
    [` ${base64}`],
    [base64.replace("/", "_")],
  ])("%j is not a key", (text) => {
    expect(parseKeys([text])).toEqual({ problem: form(1) });
    expect(parseKeys([bytes.toString("hex"), text])).toEqual({ problem: form(2) });
  });

  test("are random, different, and one to eight", () => {
    const weak = (different: number) =>
      Buffer.from(Array.from({ length: 32 }, (_, index) => index % different)).toString("hex");
    expect(parseKeys([weak(16)])).toHaveProperty("keys");
    expect(parseKeys([weak(15)])).toEqual({
      problem: "has, at place 1, a key that is not random; make one with: openssl rand -base64 32",
    });
    const hex = bytes.toString("hex");
    expect(parseKeys([hex, other.toString("hex"), bytes.toString("base64")])).toEqual({
      problem: "has the same key at places 1 and 3",
    });
    const many = (count: number) =>
      Array.from({ length: count }, (_, first) =>
        Buffer.from([first, ...bytes.subarray(1)]).toString("hex"),
      );
    expect(parseKeys(many(8))).toHaveProperty("keys.length", 8);
    const bound = { problem: "must hold 1 to 8 keys" };
    expect([parseKeys([]), parseKeys(many(9))]).toEqual([bound, bound]);
  });

  test("derive one key for each purpose, base and operator key", () => {
    const rings = [
      deriveKeys([bytes, other], "https://a.example"),
      deriveKeys([bytes], "https://b.example"),
    ];
    const derived = rings.flatMap((ring) => ring.flatMap((key) => Object.values(key.derived)));
    expect(derived).toHaveLength(15);
    expect(new Set(derived.map((key) => Buffer.from(key).toString("hex"))).size).toBe(15);
    expect(rings[0]?.map(({ kid }) => kid)).toEqual([
      expect.stringMatching(/^vmcp\.[\w-]{8}$/),
      expect.stringMatching(/^vmcp\.[\w-]{8}$/),
    ]);
    expect(Object.keys(rings[0]?.[0].derived ?? {})).toEqual([
      "consent",
      "login",
      "code",
      "refresh",
      "access",
    ]);
  });

  test("are those of the contract, so that a rollout ends no login", () => {
    const [{ kid, derived }] = deriveKeys([bytes], "https://a.example");
    expect(kid).toBe("vmcp.hxYxp_zN");
    expect(Buffer.from(derived.refresh).toString("base64url")).toBe(
      "yw0sq_ulTmGbmvRvmrvXuXNAgXz8hhODwhvC3xnpsFU",
    );
  });
});

describe("cookies", () => {
  const [secure, plain] = [createCookies("https://a.example"), createCookies("http://localhost:1")];
  const state = "A".repeat(22);
  const headers = (cookie?: string) => new Headers(cookie === undefined ? {} : { cookie });

  test("are bound to the host over https, and plain on loopback", () => {
    expect(secure.consent).toBe("__Host-vmcp-consent");
    expect(secure.login(state)).toBe(`__Host-vmcp-login-${state}`);
    expect(plain.consent).toBe("vmcp-consent");
    expect(secure.set("__Host-x", "v")).toBe(
      "__Host-x=v; Max-Age=600; Path=/; HttpOnly; Secure; SameSite=Lax",
    );
    expect(plain.set("x", "v")).toBe("x=v; Max-Age=600; Path=/; HttpOnly; SameSite=Lax");
    expect(plain.remove("x")).toBe("x=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax");
  });
  test("a name counts once", () => {
    expect(onlyCookie(headers("a=1; b=2"), "b")).toBe("2");
    expect(onlyCookie(headers("a=1;b = 2=3 "), "b")).toBe("2=3");
    expect(onlyCookie(headers("b=1; b=2"), "b")).toBeUndefined();
    expect(onlyCookie(headers("b; ab=1"), "b")).toBeUndefined();
    expect(onlyCookie(headers("b="), "b")).toBe("");
    expect(onlyCookie(headers(), "b")).toBeUndefined();
    expect(onlyCookie(headers("=1"), "")).toBe("1");
  });
  test("those of logins have our form", () => {
    const names = ["", "x", `${state}x`, `${state.slice(1)} `, `${state.slice(1)}(`];
    const all = [...names, state].map((name) => `vmcp-login-${name}=v`).join("; ");
    expect(loginCookies(headers(`${all}; __Host-vmcp-login-${state}=w`), plain)).toEqual([
      [`vmcp-login-${state}`, "v"],
    ]);
    expect(loginCookies(headers(`x-vmcp-login-${state}=v`), plain)).toEqual([]);
  });
});

test("random values and comparisons", () => {
  const ids = Array.from({ length: 100 }, randomId);
  expect(new Set(ids).size).toBe(100);
  expect(ids.every((id) => randomIdForm.test(id))).toBe(true);
  expect(
    ["", "a".repeat(21), "a".repeat(23), `${"a".repeat(21)}.`].some((id) => randomIdForm.test(id)),
  ).toBe(false);
  // RFC 7636, appendix B.
  expect(sha256("dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk")).toBe(
    "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM",
  );
  expect([isSame("a", "a"), isSame("a", "b"), isSame("a", "ab"), isSame("", "")]).toEqual([
    true,
    false,
    false,
    true,
  ]);
});
