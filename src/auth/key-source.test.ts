import type { ServerResponse } from "node:http";
import { expect, test } from "vitest";
import { localServer, sendJson, testKey } from "../../test/support/issuer.ts";
import { ProviderCrowded, remoteKeys } from "./key-source.ts";

const first = testKey("RS256", "first");
const second = testKey("RS256", "second");
const hourMs = 3_600_000;

/** Keys of a server whose answer and whose clock the test moves. */
async function setUp(answer: (response: ServerResponse) => void, bounds?: object) {
  const state = { answer, nowMs: 1_000_000 };
  const server = await localServer((_, response) => state.answer(response));
  const warnings: object[] = [];
  const lines: string[] = [];
  const keys = remoteKeys({
    url: `${server.url}/jwks`,
    algorithm: "RS256",
    log: {
      info() {},
      warn(fields, message) {
        warnings.push(fields);
        lines.push(message);
      },
    },
    now: () => state.nowMs,
    bounds: { timeoutMs: 10_000, maxBytes: 1_048_576, ...bounds },
  });
  return {
    state,
    keys,
    warnings,
    lines,
    server: server.url,
    requests: server.requests,
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}
const serve =
  (...keys: unknown[]) =>
  (response: ServerResponse) =>
    sendJson(response, { keys });

test("a set is fetched on first use, once, and used for an hour from then", async () => {
  await using at = await setUp(serve(first.jwk));
  expect(at.requests).toHaveLength(0);
  expect(await at.keys.find("first")).toBeDefined();
  at.state.nowMs += hourMs - 1;
  expect(await at.keys.find("first")).toBeDefined();
  expect(at.requests).toHaveLength(1);
  at.state.nowMs += 1;
  expect(await at.keys.find("first")).toBeDefined();
  expect(at.requests).toHaveLength(2);
});

test("the log tells a set without usable keys, and why a set could not be had", async () => {
  await using at = await setUp(serve(first.jwk));
  await at.keys.find("first");
  expect(at.warnings).toEqual([]);
  at.state.answer = serve({ ...first.jwk, use: "enc" });
  at.state.nowMs += hourMs;
  await at.keys.find("first");
  expect(at.warnings).toEqual([{ url: `${at.server}/jwks`, skipped: 1 }]);
  at.state.answer = (response) => sendJson(response, {}, 503);
  at.state.nowMs += hourMs;
  await expect(at.keys.find("first")).rejects.toThrow();
  expect(at.warnings.at(-1)).toEqual({
    url: `${at.server}/jwks`,
    reason: "it answered with status 503",
  });
  expect(at.lines).toEqual([
    "The key set has no usable key for RS256.",
    "The key set could not be fetched.",
  ]);
});

test("concurrent first uses share one fetch", async () => {
  await using at = await setUp(serve(first.jwk));
  const found = await Promise.all(Array.from({ length: 50 }, () => at.keys.find("first")));
  expect(found.every((key) => key !== undefined)).toBe(true);
  expect(at.requests).toHaveLength(1);
});

test("a rotated key is found at once, and unknown ids cause one fetch in 30 s", async () => {
  await using at = await setUp(serve(first.jwk));
  await at.keys.find("first");
  at.state.answer = serve(second.jwk);
  expect(await at.keys.find("second")).toBeDefined();
  expect(at.requests).toHaveLength(2);
  for (let count = 0; count < 20; count++) {
    expect(await at.keys.find(`invented-${count}`)).toBeUndefined();
  }
  at.state.nowMs += 29_999;
  expect(await at.keys.find("third")).toBeUndefined();
  expect(at.requests).toHaveLength(2);
  at.state.nowMs += 1;
  expect(await at.keys.find("third")).toBeUndefined();
  expect(at.requests).toHaveLength(3);
});

test("an unknown id on an empty cache causes one fetch, not two", async () => {
  await using at = await setUp(serve(first.jwk));
  expect(await at.keys.find("invented-1")).toBeUndefined();
  expect(await at.keys.find("invented-2")).toBeUndefined();
  expect(at.requests).toHaveLength(1);
});

test("a token without a key id causes no search", async () => {
  await using at = await setUp(serve(first.jwk, second.jwk));
  expect(await at.keys.find("first")).toBeDefined();
  expect(await at.keys.find(undefined)).toBeUndefined();
  expect(at.requests).toHaveLength(1);
});

test("a withdrawn key ends with the hour", async () => {
  await using at = await setUp(serve(first.jwk));
  await at.keys.find("first");
  at.state.answer = serve(second.jwk);
  at.state.nowMs += hourMs;
  expect(await at.keys.find("first")).toBeUndefined();
});

test("keys past their hour are not used while the provider is down", async () => {
  await using at = await setUp(serve(first.jwk));
  await at.keys.find("first");
  at.state.answer = (response) => sendJson(response, {}, 503);
  at.state.nowMs += hourMs;
  await expect(at.keys.find("first")).rejects.toThrow("status 503");
});

test("a failed search for an unknown id leaves the known keys in use", async () => {
  await using at = await setUp(serve(first.jwk));
  await at.keys.find("first");
  at.state.answer = (response) => sendJson(response, {}, 500);
  await expect(at.keys.find("second")).rejects.toThrow("status 500");
  expect(await at.keys.find("first")).toBeDefined();
  expect(await at.keys.find("second")).toBeUndefined();
  expect(at.requests).toHaveLength(2);
});

test("an unreachable provider is asked once a second, and found again", async () => {
  await using at = await setUp((response) => response.destroy());
  await expect(at.keys.find("first")).rejects.toThrow("the request failed");
  await expect(at.keys.find("first")).rejects.toThrow("just failed");
  expect(at.requests).toHaveLength(1);
  expect(at.warnings).toHaveLength(1);
  at.state.nowMs += 1_000;
  at.state.answer = serve(first.jwk);
  expect(await at.keys.find("first")).toBeDefined();
});

test.each([
  [
    "a redirect, which is not followed",
    (r: ServerResponse) => r.writeHead(302, { location: "/other" }).end(),
    {},
    "status 302",
  ],
  [
    "a set larger than the bound",
    (r: ServerResponse) => sendJson(r, { keys: [first.jwk] }),
    { maxBytes: 100 },
    "larger than 100",
  ],
  ["no answer in time", () => {}, { timeoutMs: 500 }, "within 500 ms"],
  [
    "a body that never ends",
    (r: ServerResponse) => r.write('{"keys":['),
    { timeoutMs: 500 },
    "within 500 ms",
  ],
  ["no JSON", (r: ServerResponse) => r.end("<html>"), {}, "not a JWK Set"],
  ["JSON of another shape", (r: ServerResponse) => sendJson(r, [first.jwk]), {}, "not a JWK Set"],
  [
    "an error status with a good body",
    (r: ServerResponse) => sendJson(r, { keys: [first.jwk] }, 500),
    {},
    "status 500",
  ],
])("no caller gets in by %s", async (_, answer, bounds, reason) => {
  await using at = await setUp(answer, bounds);
  await expect(at.keys.find("first")).rejects.toThrow(reason);
  expect(at.requests).toEqual(["/jwks"]);
  expect(at.warnings).toHaveLength(1);
});

const { kid: _, ...anonymous } = first.jwk;
test.each([
  ["the only key without an id", undefined, [anonymous], true],
  ["the only key with an id", undefined, [first.jwk], true],
  ["one of two keys", undefined, [first.jwk, second.jwk], false],
  ["the only suitable key", undefined, [first.jwk, testKey("ES256", "ec").jwk], true],
  ["an id beside keys of other types", "first", [testKey("ES256", "first").jwk, first.jwk], true],
  ["an id that two keys share", "first", [first.jwk, { ...second.jwk, kid: "first" }], false],
  ["an id that no key has", "third", [first.jwk], false],
  ["an id where the key has none", "first", [anonymous], false],
  ["an id named like a member of every object", "toString", [first.jwk], false],
  ["a key for encryption", "first", [{ ...first.jwk, use: "enc" }], false],
  ["a key for signing only", "first", [{ ...first.jwk, key_ops: ["sign"] }], false],
  ["a key of another algorithm", "first", [{ ...first.jwk, alg: "PS256" }], false],
  ["a key without algorithm", "first", [{ ...first.jwk, alg: undefined }], true],
  ["a weak key", "weak", [testKey("RS256", "weak", 1024).jwk], false],
  ["a secret", "s", [{ kty: "oct", kid: "s", k: "c2VjcmV0", alg: "RS256" }], false],
  [
    "a private key",
    "first",
    [{ ...first.privateKey.export({ format: "jwk" }), kid: "first" }],
    false,
  ],
  [
    "a key among broken ones",
    "first",
    [null, 7, {}, { kty: "RSA", kid: "x", n: "!", e: 1 }, first.jwk],
    true,
  ],
])("%s: found = %4$s", async (_name, kid, keys, found) => {
  await using at = await setUp(serve(...keys));
  expect((await at.keys.find(kid)) !== undefined).toBe(found);
});

test("no more requests wait for the keys than 256, of which one address has three quarters", async () => {
  let end: () => void = () => {};
  await using at = await setUp((response) => {
    end = () => sendJson(response, { keys: [first.jwk] });
  });
  const waiting = Array.from({ length: 192 }, () => at.keys.find("first", "192.0.2.1"));
  await expect(at.keys.find("first", "192.0.2.1")).rejects.toThrow(ProviderCrowded);
  waiting.push(...Array.from({ length: 64 }, () => at.keys.find("first", "192.0.2.2")));
  await expect(at.keys.find("first", "192.0.2.2")).rejects.toThrow(ProviderCrowded);
  await expect.poll(() => at.requests.length).toBe(1);
  end();
  for (const key of await Promise.all(waiting)) expect(key).toBeDefined();
  expect(await at.keys.find("first")).toBeDefined();
});
