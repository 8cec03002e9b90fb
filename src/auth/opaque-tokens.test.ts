import { expect, test } from "vitest";
import { ProviderProblem } from "./http-json.ts";
import type { Verdict } from "./identity.ts";
import { ProviderCrowded } from "./key-source.ts";
import { opaqueTokens, ProviderBusy, retryAfterMs } from "./opaque-tokens.ts";

const alice: Verdict = { identity: { subject: "alice", clientId: "agent", scopes: [] } };
const revoked: Verdict = { refused: "The access token is revoked." };
const unchecked = { refused: "The access token cannot be checked at the moment." };

/** A store in front of a provider whose answers and whose clock the test moves. */
function setUp(answer: (token: string) => Promise<Verdict>) {
  const state = { answer, nowMs: 1_000_000 };
  const asked: string[] = [];
  const lines: string[] = [];
  const verify = opaqueTokens({
    now: () => state.nowMs,
    log: {
      info() {},
      warn: (fields, message) => lines.push(`${message} ${JSON.stringify(fields)}`),
    },
    ask(token) {
      asked.push(token);
      return state.answer(token);
    },
  });
  return { state, asked, lines, verify };
}

test("a token that was good and is revoked costs the provider one question in five seconds", async () => {
  const { state, asked, verify } = setUp(async () => alice);
  expect(await verify("token")).toBe(alice);
  state.nowMs += 300_000;
  state.answer = async () => revoked;
  for (let count = 0; count < 10; count++) expect(await verify("token")).toBe(revoked);
  expect(asked).toHaveLength(2);
  state.nowMs += 5_000;
  expect(await verify("token")).toBe(revoked);
  expect(asked).toHaveLength(3);
});

test("a defect is not a refusal: it is seen as what it is, and pauses nothing", async () => {
  const { state, lines, verify } = setUp(() => Promise.reject(new TypeError("a defect")));
  await expect(verify("token")).rejects.toThrow("a defect");
  state.answer = async () => alice;
  expect(await verify("token")).toBe(alice);
  expect(lines).toEqual([]);
});

test("of failures at once the longest pause counts, and the log says it once", async () => {
  const { state, asked, lines, verify } = setUp(async (token) => {
    if (token === "first") throw new ProviderBusy("it limits our rate", 20_000);
    throw new ProviderProblem("it answered with status 500");
  });
  expect(await Promise.all(["first", "second"].map((token) => verify(token)))).toEqual([
    unchecked,
    unchecked,
  ]);
  expect(lines).toEqual([
    'The identity provider cannot check tokens. {"reason":"it limits our rate"}',
  ]);
  state.nowMs += 19_999;
  expect(await verify("third")).toEqual(unchecked);
  expect(asked).toHaveLength(2);
  state.nowMs += 1;
  state.answer = async () => alice;
  expect(await verify("third")).toBe(alice);
});

test("a failure after the pause is told again", async () => {
  const { state, lines, verify } = setUp(() => Promise.reject(new ProviderProblem("down")));
  await verify("first");
  state.nowMs += 1_000;
  await verify("second");
  expect(lines).toHaveLength(2);
});

test.each([
  [0, 1_000],
  [999, 1_000],
  [7_000, 7_000],
  [3_600_000, 60_000],
])("a provider that asks for a pause of %i ms is left alone for %i ms", async (wanted, pause) => {
  const { state, asked, verify } = setUp(() => Promise.reject(new ProviderBusy("busy", wanted)));
  await verify("first");
  state.nowMs += pause - 1;
  await verify("second");
  expect(asked).toHaveLength(1);
  state.nowMs += 1;
  await verify("third");
  expect(asked).toHaveLength(2);
});

test("tokens are told apart, and each keeps its own answer", async () => {
  const { asked, verify } = setUp(async (token) => (token === "good" ? alice : revoked));
  for (let count = 0; count < 2; count++) {
    expect(await verify("good")).toBe(alice);
    expect(await verify("bad")).toBe(revoked);
  }
  expect(asked).toEqual(["good", "bad"]);
});

test("one address has three quarters of the checks under way, another one the rest", async () => {
  const release = Promise.withResolvers<Verdict>();
  const { asked, verify } = setUp(() => release.promise);
  const flood = Array.from({ length: 60 }, (_, at) => verify(`invented ${at}`, "192.0.2.1"));
  const [kept, refused] = [flood.slice(0, 48), flood.slice(48)];
  for (const check of refused) await expect(check).rejects.toThrow(ProviderCrowded);
  const other = verify("token", "192.0.2.2");
  expect(asked).toHaveLength(49);
  release.resolve(alice);
  expect(await other).toBe(alice);
  await Promise.all(kept);
  expect(await verify("later", "192.0.2.1")).toBe(alice);
});

test("an answer that arrives after the token's expiry lets no caller in", async () => {
  const expired = { refused: "The access token has expired." };
  for (const [expiresAtMs, verdict] of [
    [1_000_001, undefined],
    [1_000_000, expired],
    [0, expired],
  ] as const) {
    const given: Verdict = { identity: { ...alice.identity, expiresAtMs } };
    const { verify } = setUp(async () => given);
    expect(await verify("token")).toEqual(verdict ?? given);
  }
});

test.each([
  ["7", 7_000],
  ["0", 0],
  ["999999", 999_999_000],
  ["1000000", undefined],
  ["-1", undefined],
  ["1.5", undefined],
  ["", undefined],
  ["Wed, 21 Oct 2026 07:28:00 GMT", undefined],
])("Retry-After %j means a wait of %s ms", (value, ms) => {
  expect(retryAfterMs(new Headers({ "retry-after": value }))).toBe(ms);
});

test("without Retry-After there is no such wait", () => {
  expect(retryAfterMs(new Headers())).toBeUndefined();
});
