import type { ServerResponse } from "node:http";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { nowS } from "../support/auth-tokens.ts";
import { type ConfigFolder, configFolder } from "../support/config-folder.ts";
import { customCheckModule } from "../support/custom-check.ts";
import { type LocalServer, localServer, sendJson, signToken, testKey } from "../support/issuer.ts";
import { type ServerProcess, startProcess } from "../support/process.ts";
import { call, readOnly, toolError } from "../support/rpc.ts";
import { auditRecords } from "../support/target.ts";
import { largeBody } from "../support/validate.ts";

const preload = new URL("../support/set-clock.ts", import.meta.url).href;
const issuer = "https://issuer.example.com";
const audience = "https://validator.example.com/mcp";
const key = testKey("RS256", "first");
const hourMs = 3_600_000;

/** A check that takes as many ms as the Sid says. */
const slow = `*runStatement({ sid }) {
  const [, ms] = /^wait(\\d+)$/.exec(sid ?? "") ?? [];
  if (ms === undefined) return;
  process.stderr.write("begun\\n");
  const end = performance.now() + Number(ms);
  while (performance.now() < end) yield* [];
}`;

let folder: ConfigFolder;
let clockFile: string;
let provider: LocalServer;
let answer: (response: ServerResponse) => void;
const publish = (response: ServerResponse) => sendJson(response, { keys: [key.jwk] });

let target: ServerProcess;
beforeAll(async () => {
  folder = await configFolder();
  clockFile = await folder.write("clock", "0");
  await folder.write("slow.mjs", customCheckModule({ id: "slow", run: slow }));
  const config_source = await folder.write("c.yaml", "custom_checks:\n  - module: ./slow.mjs\n");
  answer = publish;
  provider = await localServer((_, response) => answer(response));
  target = await startProcess({
    flags: { config_source, auth: "jwt", request_timeout_s: "4", analyze_rate_limit: "1" },
    environment: {
      NODE_OPTIONS: `--import ${preload}`,
      CLOCK_FILE: clockFile,
      VALIDATOR_MCP_AUTH_JWT_ISSUER: issuer,
      VALIDATOR_MCP_AUTH_JWT_AUDIENCE: audience,
      VALIDATOR_MCP_AUTH_JWT_JWKS_URI: `${provider.url}/jwks`,
      AWS_REGION: "eu-west-1",
      // The one call that the rate allows goes nowhere, at once.
      AWS_ENDPOINT_URL: "http://127.0.0.1:9",
      AWS_ACCESS_KEY_ID: "AKIAIOSFODNN7EXAMPLE",
      AWS_SECRET_ACCESS_KEY: "not-a-key",
      AWS_MAX_ATTEMPTS: "1",
    },
  });
});
afterAll(async () => {
  await target.stop();
  await provider[Symbol.asyncDispose]();
  await folder.remove();
});
beforeEach(() => setClock(0), 25_000);

const tokenFor = (claims: object = {}) =>
  signToken(key, {
    iss: issuer,
    aud: audience,
    sub: "alice",
    exp: nowS() + 86_400,
    scope: "iam:validate iam:config iam:analyze",
    ...claims,
  });

/** Sets the clock of the server to this one's and so much more, and waits until it is. */
async function setClock(byMs: number): Promise<void> {
  await folder.write("clock", String(byMs));
  target.child.kill("SIGUSR2");
  answer = publish;
  const token = await tokenFor();
  const offset = async () => {
    target.audit.all.length = 0;
    // Refused calls have no record.
    if ((await status(token)) !== 200) return Number.NaN;
    const [record] = auditRecords(await target.audit.atLeast(1));
    // Adding 0 turns the -0 that rounding gives into 0.
    return Math.round((Date.parse(record?.timestamp ?? "") - Date.now()) / 60_000) + 0;
  };
  await expect.poll(offset, { timeout: 20_000 }).toBe(byMs / 60_000);
  target.audit.all.length = 0;
  target.log.all.length = 0;
}

async function status(token: string): Promise<number> {
  return (await call(target, "get_config", {}, { token })).status;
}

/** In a worker, so that the main thread hears of the clock meanwhile. */
const validate = async (sid: string) => {
  const policy = { ...readOnly, Statement: [{ ...readOnly.Statement[0], Sid: sid }] };
  const policies = [JSON.stringify(policy).padEnd(largeBody)];
  const token = await tokenFor();
  return (await call(target, "validate_policies", { policies }, { token })).body.result;
};

describe.each([
  ["back", -hourMs],
  ["forward", hourMs],
])("when the clock is set %s by an hour", (_, byMs) => {
  test("a call under way has its own time, no less and no more", async () => {
    // Starting a worker takes a part of that time too.
    await expect
      .poll(() => validate("Warm"), { timeout: 20_000 })
      .toMatchObject({ isError: false });
    await setClock(0);
    const answer = validate(byMs < 0 ? "wait30000" : "wait700");
    await target.log.atLeast(1);
    await folder.write("clock", String(byMs));
    target.child.kill("SIGUSR2");
    expect(await answer).toMatchObject(
      byMs < 0 ? toolError(expect.stringMatching(/4 s \(request_timeout_s\)/)) : { isError: false },
    );
    const [record] = auditRecords(await target.audit.atLeast(1));
    expect(record?.duration_s).toBeGreaterThan(0.5);
    expect(record?.duration_s).toBeLessThan(60);
  });

  test("the rate of analyze_policy is neither opened nor closed", async () => {
    const analyze = async () =>
      (
        await call(
          target,
          "analyze_policy",
          { policy: readOnly, policy_type: "identity" },
          { token: await tokenFor() },
        )
      ).text;
    // Of both rounds only the very first call of the process was allowed.
    await analyze();
    await setClock(byMs);
    expect(await analyze()).toMatch(/rate limit/);
  });

  test("/health and /ready go on, and the uptime with them", async () => {
    await setClock(byMs);
    const health = await (await fetch(`${target.url}/health`)).json();
    expect(health).toMatchObject({ status: "ok" });
    expect(Number(Object(health).uptime_s)).toBeGreaterThan(0);
    expect(Number(Object(health).uptime_s)).toBeLessThan(1_800);
    const ready = async () => (await fetch(`${target.url}/ready`)).status;
    await expect.poll(ready, { timeout: 20_000 }).toBe(200);
  });

  test("tokens are checked against the new time: what it says is expired, or has yet to begin, is refused", async () => {
    const short = await tokenFor({ exp: nowS() + 600 });
    const begun = await tokenFor({ nbf: nowS() - 60 });
    expect([await status(short), await status(begun)]).toEqual([200, 200]);
    await setClock(byMs);
    expect([await status(short), await status(begun)]).toEqual(byMs < 0 ? [200, 401] : [401, 200]);
    const issuedNow = await tokenFor({
      nbf: nowS() + byMs / 1000,
      exp: nowS() + byMs / 1000 + 600,
    });
    expect(await status(issuedNow)).toBe(200);
    await setClock(0);
    expect([await status(short), await status(begun)]).toEqual([200, 200]);
  });

  test("keys that could not be had a moment ago are asked for again within seconds", async () => {
    // Two hours make the set stale, whatever it was.
    await setClock(byMs + 4 * hourMs);
    answer = (response) => sendJson(response, {}, 503);
    await folder.write("clock", String(byMs + 8 * hourMs));
    target.child.kill("SIGUSR2");
    const token = await tokenFor();
    await expect.poll(() => status(token), { timeout: 10_000 }).toBe(401);
    await folder.write("clock", String(byMs + 7 * hourMs));
    target.child.kill("SIGUSR2");
    answer = publish;
    await expect.poll(() => status(token), { timeout: 10_000 }).toBe(200);
  });
});
