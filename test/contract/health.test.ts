import { readFileSync } from "node:fs";
import { Ajv2020 } from "ajv/dist/2020.js";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Health, Ready } from "../../spec/health.ts";
import { version } from "../../src/version.ts";
import { raw } from "../support/http.ts";
import { startInProcess } from "../support/in-process.ts";
import { type ChosenTarget, startTarget } from "../support/start-target.ts";
import { withTokens } from "../support/target.ts";

let target: ChosenTarget;
beforeAll(async () => {
  target = await startTarget(withTokens);
});
afterAll(() => target.stop());

const identity = {
  version,
  config_digest: expect.stringMatching(/^[0-9a-f]{64}$/),
  config_source: "file",
};

test("/health says that the process lives, and nothing else", async () => {
  const { status, text } = await raw(`${target.url}/health`);
  expect(status).toBe(200);
  const body = Health.parse(JSON.parse(text));
  expect(body).toEqual({ status: "ok", uptime_s: expect.any(Number), ...identity });
  expect(body.uptime_s).toBe(Math.round(body.uptime_s * 10) / 10);
});

test("/ready is 200 once config, registry and reference data are there", async () => {
  const { status, text } = await raw(`${target.url}/ready`);
  expect(status).toBe(200);
  expect(Ready.parse(JSON.parse(text))).toEqual({
    status: "ready",
    checks: { config_resolved: true, registry_built: true, aws_data_ready: true },
    ...identity,
  });
});

test("/ready is 503 while the reference data loads, and says what is missing", async () => {
  const cold = await startInProcess({
    adjust: (runtime) => ({ ...runtime, isWarm: () => false }),
  });
  const { status, text } = await raw(`${cold.url}/ready`);
  const alive = await raw(`${cold.url}/health`);
  await cold.stop();
  expect(status).toBe(503);
  expect(Ready.parse(JSON.parse(text))).toMatchObject({
    status: "not_ready",
    checks: { config_resolved: true, registry_built: true, aws_data_ready: false },
  });
  expect(alive.status).toBe(200);
});

describe.each(["/health", "/ready"])("%s", (path) => {
  test("fits its published schema", async () => {
    const file = new URL(`../../spec/schemas${path}.json`, import.meta.url);
    const validate = new Ajv2020({ strict: false }).compile(JSON.parse(readFileSync(file, "utf8")));
    validate(JSON.parse((await raw(target.url + path)).text));
    expect(validate.errors).toBeNull();
  });

  test("needs no token and passes no guard", async () => {
    const headers = { origin: "https://attacker.example", host: "attacker.example" };
    expect((await raw(target.url + path, { headers })).status).toBe(200);
  });

  test("is never cached", async () => {
    const { headers } = await raw(target.url + path);
    expect(headers["cache-control"]).toBe("no-store");
  });

  test("answers HEAD like GET, without the body", async () => {
    const { status, headers, text } = await raw(target.url + path, { method: "HEAD" });
    expect(status).toBe(200);
    expect(headers["cache-control"]).toBe("no-store");
    expect(text).toBe("");
  });

  test("shows no path of the config file", async () => {
    expect((await raw(target.url + path)).text).not.toContain("plain.yaml");
  });
});
