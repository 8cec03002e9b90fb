import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { nowS } from "../support/auth-tokens.ts";
import { startInProcess } from "../support/in-process.ts";
import { localServer, sendJson, signToken, type TestKey, testKey } from "../support/issuer.ts";
import { call } from "../support/rpc.ts";

type Answer = (response: ServerResponse) => void;

const issuer = "https://issuer.example.com";
const audience = "https://validator.example.com/mcp";
const [first, second] = [testKey("RS256", "first"), testKey("RS256", "second")];

const tokenOf = (key: TestKey) =>
  signToken(key, {
    iss: issuer,
    aud: audience,
    sub: "alice",
    exp: nowS() + 600,
    scope: "iam:config",
  });

const publish =
  (...keys: TestKey[]): Answer =>
  (response) =>
    sendJson(response, { keys: keys.map(({ jwk }) => jwk) });

/** A server whose keys come from a provider that the test breaks. */
async function setUp(answer: Answer, url?: string) {
  const state = { answer };
  const provider = await localServer((_, response) => state.answer(response));
  const target = await startInProcess({
    flags: { auth: "jwt" },
    environment: {
      VALIDATOR_MCP_AUTH_JWT_ISSUER: issuer,
      VALIDATOR_MCP_AUTH_JWT_AUDIENCE: audience,
      VALIDATOR_MCP_AUTH_JWT_JWKS_URI: url ?? `${provider.url}/jwks`,
    },
  });
  return {
    state,
    target,
    requests: provider.requests,
    present: async (token: string) => (await call(target, "get_config", {}, { token })).status,
    async [Symbol.asyncDispose]() {
      await target.stop();
      await provider[Symbol.asyncDispose]();
    },
  };
}

const faults: [name: string, answer: Answer][] = [
  ["an error", (response) => sendJson(response, { keys: [first.jwk] }, 500)],
  ["nothing there", (response) => void response.writeHead(404).end()],
  ["no JSON", (response) => void response.end("<html>")],
  ["JSON of another shape", (response) => sendJson(response, [first.jwk])],
  ["no keys", (response) => sendJson(response, { keys: [] })],
  ["more than a mebibyte", (response) => void response.end(" ".repeat(1_048_577))],
  [
    "less than it promised",
    (response) => {
      response.writeHead(200, { "content-length": "10000" });
      response.write('{"keys":[', () => response.destroy());
    },
  ],
  ["a connection that is cut", (response) => void response.destroy()],
];

describe("when the keys are asked for the first time and there is", () => {
  test.concurrent.each(faults)(
    "%s: 401 that says so, no record; well again by itself",
    async (name, answer) => {
      await using at = await setUp(answer);
      const token = await tokenOf(first);
      const { status, body, headers } = await call(at.target, "get_config", {}, { token });
      expect(status).toBe(401);
      expect(body).toMatchObject({ error: "invalid_token" });
      expect(headers.get("www-authenticate")).toMatch(/^Bearer error="invalid_token"/);
      expect((await fetch(`${at.target.url}/health`)).status).toBe(200);
      expect((await fetch(`${at.target.url}/ready`)).status).toBe(200);
      expect(at.target.audit.all).toEqual([]);
      expect(at.target.log.text).toMatch(/The key set/);
      expect(at.target.log.text).not.toContain(token);
      // A set without keys is an answer, and one is enough for half a minute.
      if (name === "no keys") return;
      at.state.answer = publish(first);
      await expect.poll(() => at.present(token), { timeout: 15_000 }).toBe(200);
    },
  );

  test.concurrent("a redirect: it is not followed", async () => {
    const elsewhere = await localServer((_, response) => publish(first)(response));
    await using _ = elsewhere;
    await using at = await setUp((response) => {
      response.writeHead(302, { location: `${elsewhere.url}/jwks` }).end();
    });
    expect(await at.present(await tokenOf(first))).toBe(401);
    expect(elsewhere.requests).toEqual([]);
  });

  test.concurrent("no listener: 401 until there is one", async () => {
    const server = createServer((_, response) => publish(first)(response));
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    // A listening TCP server has an address of this form.
    const { port } = server.address() as AddressInfo;
    await new Promise((resolve) => server.close(resolve));
    await using at = await setUp(publish(first), `http://127.0.0.1:${port}/jwks`);
    const token = await tokenOf(first);
    expect(await at.present(token)).toBe(401);
    server.listen(port, "127.0.0.1");
    await expect.poll(() => at.present(token), { timeout: 15_000 }).toBe(200);
    server.closeAllConnections();
    server.close();
  });

  test.concurrent("a name that leads nowhere: 401", async () => {
    await using at = await setUp(publish(first), "https://jwks.invalid/keys");
    expect(await at.present(await tokenOf(first))).toBe(401);
  });

  test.concurrent("an answer that takes its time: all wait for the one fetch, no other caller waits", async () => {
    const asked = Promise.withResolvers<ServerResponse>();
    await using at = await setUp((response) => asked.resolve(response));
    const token = await tokenOf(first);
    let answered = 0;
    const calls = Array.from({ length: 50 }, async () => {
      const status = await at.present(token);
      answered += 1;
      return status;
    });
    const response = await asked.promise;
    expect((await fetch(`${at.target.url}/health`)).status).toBe(200);
    expect(await at.present("nonsense")).toBe(401);
    await pause(300);
    expect(answered).toBe(0);
    publish(first)(response);
    expect(new Set(await Promise.all(calls))).toEqual(new Set([200]));
    expect(at.requests).toEqual(["/jwks"]);
  });
});

describe("when keys are there and the provider breaks", () => {
  test.concurrent.each(faults)(
    "%s: known keys are used, unknown ones refused",
    async (_, answer) => {
      await using at = await setUp(publish(first));
      const [known, unknown] = [await tokenOf(first), await tokenOf(second)];
      expect(await at.present(known)).toBe(200);
      at.state.answer = answer;
      // A flood of them causes one request.
      const statuses = await Promise.all(Array.from({ length: 20 }, () => at.present(unknown)));
      expect(new Set(statuses)).toEqual(new Set([401]));
      expect(at.requests).toHaveLength(2);
      // An answer that is a key set takes the place of the one before, even when it is empty.
      expect(await at.present(known)).toBe(answer === faults[4]?.[1] ? 401 : 200);
    },
  );

  test.concurrent("it does not answer: callers with known keys do not wait", async () => {
    await using at = await setUp(publish(first));
    const known = await tokenOf(first);
    expect(await at.present(known)).toBe(200);
    const asked = Promise.withResolvers<ServerResponse>();
    at.state.answer = (response) => asked.resolve(response);
    const rotated = tokenOf(second).then(at.present);
    const response = await asked.promise;
    expect(await at.present(known)).toBe(200);
    publish(second, first)(response);
    expect(await rotated).toBe(200);
  });

  test.concurrent("its keys are rotated: the new one is taken at once, the old one goes with its set", async () => {
    await using at = await setUp(publish(first));
    const [old, rotated] = [await tokenOf(first), await tokenOf(second)];
    expect(await at.present(old)).toBe(200);
    at.state.answer = publish(second, first);
    expect([await at.present(rotated), await at.present(old)]).toEqual([200, 200]);
    expect(at.requests).toHaveLength(2);
  });
});
