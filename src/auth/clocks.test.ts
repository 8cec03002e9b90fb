import { describe, expect, test } from "vitest";
import { localServer, sendJson, testKey } from "../../test/support/issuer.ts";
import type { Clocks } from "./clocks.ts";
import { ProviderProblem } from "./http-json.ts";
import type { Verdict } from "./identity.ts";
import { remoteKeys } from "./key-source.ts";
import { opaqueTokens } from "./opaque-tokens.ts";

const hourMs = 3_600_000;
const first = testKey("RS256", "first");
const second = testKey("RS256", "second");
const log = { info() {}, warn() {} };

/** Two clocks: one passes, the other can be set as well. */
function clocks() {
  const state = { wallMs: 1_800_000_000_000, ticksMs: 5_000 };
  return {
    now: () => state.wallMs,
    ticks: () => state.ticksMs,
    pass(ms: number) {
      state.wallMs += ms;
      state.ticksMs += ms;
    },
    set(byMs: number) {
      state.wallMs += byMs;
    },
  };
}

async function jwks(clock: Clocks) {
  const state = { keys: [first.jwk], up: true };
  const server = await localServer((_, response) =>
    sendJson(response, { keys: state.keys }, state.up ? 200 : 503),
  );
  const keys = remoteKeys({ url: server.url, algorithm: "RS256", log, ...clock });
  return { state, keys, requests: server.requests, server };
}

describe("when the clock is set back by an hour", () => {
  test("keys that could not be had are asked for again after a second", async () => {
    const clock = clocks();
    const at = await jwks(clock);
    await using _ = at.server;
    at.state.up = false;
    await expect(at.keys.find("first")).rejects.toThrow("status 503");
    clock.set(-hourMs);
    at.state.up = true;
    await expect(at.keys.find("first")).rejects.toThrow("just failed");
    clock.pass(1_000);
    expect(await at.keys.find("first")).toBeDefined();
  });

  test("a new key is found after the pause of half a minute", async () => {
    const clock = clocks();
    const at = await jwks(clock);
    await using _ = at.server;
    await at.keys.find("first");
    await at.keys.find("invented");
    clock.set(-hourMs);
    at.state.keys.push(second.jwk);
    expect(await at.keys.find("second")).toBeUndefined();
    clock.pass(30_000);
    expect(await at.keys.find("second")).toBeDefined();
  });

  test("no key lives longer", async () => {
    const clock = clocks();
    const at = await jwks(clock);
    await using _ = at.server;
    await at.keys.find("first");
    clock.set(-hourMs);
    clock.pass(hourMs);
    await at.keys.find("first");
    expect(at.requests).toHaveLength(2);
  });

  test("a provider that was left alone is asked again after the pause", async () => {
    const clock = clocks();
    let asked = 0;
    const verify = opaqueTokens({
      log,
      ...clock,
      async ask() {
        asked++;
        throw new ProviderProblem("down");
      },
    });
    await verify("one");
    clock.set(-hourMs);
    await verify("two");
    expect(asked).toBe(1);
    clock.pass(1_000);
    await verify("three");
    expect(asked).toBe(2);
  });

  test("no verdict on a token is used for longer than five minutes, nor past its expiry", async () => {
    const clock = clocks();
    const expiresAtMs = clock.now() + 200_000;
    const verdict: Verdict = {
      identity: { subject: "alice", clientId: "agent", scopes: [], expiresAtMs },
    };
    let asked = 0;
    const ask = async () => {
      asked++;
      return verdict;
    };
    const verify = opaqueTokens({ log, ...clock, ask });
    await verify("token");
    clock.set(-hourMs);
    clock.pass(299_999);
    expect(await verify("token")).toBe(verdict);
    expect(asked).toBe(1);
    clock.pass(1);
    await verify("token");
    expect(asked).toBe(2);
    clock.set(hourMs);
    expect(await verify("token")).toHaveProperty("refused");
  });
});

test("when the clock is set forward, or the machine has slept, keys are fetched anew", async () => {
  const clock = clocks();
  const at = await jwks(clock);
  await using _ = at.server;
  await at.keys.find("first");
  clock.set(hourMs);
  expect(await at.keys.find("first")).toBeDefined();
  expect(at.requests).toHaveLength(2);
});
