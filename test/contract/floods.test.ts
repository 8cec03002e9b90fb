import { setTimeout as after } from "node:timers/promises";
import { afterEach, describe, expect, test } from "vitest";
import { nowS } from "../support/auth-tokens.ts";
import { floods, unknownKeys } from "../support/floods.ts";
import { raw } from "../support/http.ts";
import { localServer, sendJson, signToken, testKey } from "../support/issuer.ts";
import { type ServerProcess, startProcess } from "../support/process.ts";
import { call, readOnly } from "../support/rpc.ts";
import { startAttack } from "../support/start-attack.ts";
import { auditRecords, tokens, withTokens } from "../support/target.ts";

/** What a container of 1 GiB leaves for the heap. */
const smallHeap = { NODE_OPTIONS: "--max-old-space-size=512 --max-semi-space-size=16" };
/** Long enough for each kind to reach its limits; `npm run floods` lasts longer. */
const attackMs = 5_000;

const stops: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});

async function start(options: Parameters<typeof startProcess>[0] = {}): Promise<ServerProcess> {
  const environment = { ...options.environment, ...smallHeap };
  const target = await startProcess({ ...options, environment });
  stops.push(() => target.stop());
  await expect
    .poll(async () => (await raw(`${target.url}/ready`)).status, { timeout: 30_000 })
    .toBe(200);
  return target;
}

/** Asks as an honest caller does while the attack lasts. @returns how many calls were answered. */
async function askDuring(target: ServerProcess, token: string): Promise<number> {
  let answered = 0;
  for (const until = performance.now() + attackMs; performance.now() < until; await after(50)) {
    expect((await raw(`${target.url}/health`)).status).toBe(200);
    const { status, body } = await call(
      target,
      "validate_policies",
      { policies: [readOnly] },
      { token },
    );
    expect([status, body.result?.isError]).toEqual([200, false]);
    answered++;
  }
  return answered;
}

describe("one caller's flood leaves the process alive and another caller served", () => {
  test.each(floods)("%s", { timeout: 120_000 }, async (_, plan) => {
    const target = await start(withTokens);
    const port = Number(new URL(target.url).port);
    const attack = startAttack({ ...plan, port, token: tokens.validate });
    stops.push(() => attack.stop());
    const answered = await askDuring(target, tokens.other);
    expect(target.child.exitCode).toBeNull();
    const records = auditRecords(target.audit.all);
    const honest = records.filter(({ subject }) => subject === "client-other");
    expect(honest).toHaveLength(answered);
    for (const { outcome } of honest) expect(outcome).toBe("success");
  });
});

test("tokens of unknown keys, sent without end while the provider hangs, keep no caller out", {
  timeout: 120_000,
}, async () => {
  const key = testKey("RS256", "first");
  let asked = 0;
  const provider = await localServer((_, response) => {
    // The first answer is given; after that the endpoint takes requests and says nothing.
    if (asked++ === 0) sendJson(response, { keys: [key.jwk] });
  });
  stops.push(async () => provider[Symbol.asyncDispose]());
  const [issuer, audience] = ["https://issuer.example.com", "https://validator.example.com/mcp"];
  const target = await start({
    flags: { auth: "jwt" },
    environment: {
      VALIDATOR_MCP_AUTH_JWT_ISSUER: issuer,
      VALIDATOR_MCP_AUTH_JWT_AUDIENCE: audience,
      VALIDATOR_MCP_AUTH_JWT_JWKS_URI: `${provider.url}/jwks`,
    },
  });
  const token = await signToken(key, {
    iss: issuer,
    aud: audience,
    sub: "alice",
    exp: nowS() + 600,
    scope: "iam:validate",
  });
  expect(
    (await call(target, "validate_policies", { policies: [readOnly] }, { token })).status,
  ).toBe(200);
  const attack = startAttack({ ...unknownKeys, port: Number(new URL(target.url).port) });
  stops.push(() => attack.stop());
  expect(await askDuring(target, token)).toBeGreaterThan(0);
  expect(target.child.exitCode).toBeNull();
});
