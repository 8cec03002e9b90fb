import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type ServerProcess, startProcess } from "../support/process.ts";
import { call, readOnly, rpc } from "../support/rpc.ts";
import { tokens, withTokens } from "../support/target.ts";

const canary = "CanaryMetricText";

let target: ServerProcess;
let url: string;
beforeAll(async () => {
  target = await startProcess({
    flags: { ...withTokens.flags, max_policies: "1", log_level: "debug" },
    environment: { ...withTokens.environment, VALIDATOR_MCP_METRICS_PORT: "0" },
  });
  url = /"url":"(http[^"]+\/metrics)"/.exec(target.log.text)?.[1] ?? "";
});
afterAll(() => target.stop());

async function scrape(): Promise<string> {
  const response = await fetch(url);
  expect(response.status).toBe(200);
  return response.text();
}

/** The value of a sample, given by its text up to the value. */
async function value(sample: string): Promise<number> {
  const line = (await scrape()).split("\n").find((row) => row.startsWith(`${sample} `));
  return line === undefined ? 0 : Number(line.slice(sample.length + 1));
}

async function growth(sample: string, action: () => Promise<unknown>): Promise<number> {
  const before = await value(sample);
  await action();
  return (await value(sample)) - before;
}

const all = { token: tokens.all };

describe("what is counted", () => {
  test.each<[string, string, object]>([
    ["success", "describe_checks", {}],
    ["tool_error", "describe_checks", { check_ids: 1 }],
  ])("a call with the outcome %s", async (outcome, tool, args) => {
    const sample = `validator_mcp_tool_calls_total{tool="${tool}",outcome="${outcome}"}`;
    expect(await growth(sample, () => call(target, tool, args, all))).toBe(1);
  });

  test("the duration of a call", async () => {
    const sample = 'validator_mcp_tool_call_duration_seconds_count{tool="describe_checks"}';
    expect(await growth(sample, () => call(target, "describe_checks", {}, all))).toBe(1);
  });

  test("the sizes of request and output", async () => {
    const act = () => call(target, "describe_checks", {}, all);
    expect(await growth("validator_mcp_request_bytes_count", act)).toBe(1);
    expect(await growth("validator_mcp_output_bytes_count", act)).toBe(1);
  });

  test("a limit that a call ran into", async () => {
    const sample = 'validator_mcp_limit_hits_total{limit="max_policies"}';
    const policies = [readOnly, readOnly];
    expect(await growth(sample, () => call(target, "validate_policies", { policies }, all))).toBe(
      1,
    );
  });

  test.each([
    ["missing", {}],
    ["invalid_token", { token: canary }],
    ["origin", { ...all, headers: { origin: `https://${canary}.example` } }],
  ])("a request turned away: %s", async (reason, options) => {
    const sample = `validator_mcp_refusals_total{reason="${reason}"}`;
    expect(await growth(sample, () => rpc(target, "tools/list", {}, options))).toBe(1);
  });
});

test("names that callers make up are not label values", async () => {
  await call(target, canary, {}, all);
  await call(target, "query", { kind: canary }, all);
  await call(target, "validate_policies", { policies: [{ Id: canary }] }, all);
  const text = await scrape();
  expect(text).not.toContain(canary);
  for (const secret of [tokens.all, "subject-all", "client-all"])
    expect(text).not.toContain(secret);
});

test("the port of the metrics serves nothing else, and the server's port no metrics", async () => {
  const others = [url.replace("/metrics", "/health"), `${target.url}/metrics`];
  for (const other of others) expect((await fetch(other)).status).toBe(404);
});
