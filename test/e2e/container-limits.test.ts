import { once } from "node:events";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { type ContainerTarget, startContainer } from "../support/container.ts";
import { open, raw } from "../support/http.ts";
import { call, readOnly, rpc, toolError } from "../support/rpc.ts";
import { slowConfig, slowPolicy, validate } from "../support/slow-policy.ts";

const noEngine = inject("noEngine");

describe.skipIf(noEngine !== null)("limits in the container", () => {
  let target: ContainerTarget;
  beforeAll(async () => {
    target = await startContainer({
      flags: { config_source: slowConfig },
      environment: {
        VALIDATOR_MCP_MAX_POLICIES: "2",
        VALIDATOR_MCP_MAX_POLICY_BYTES: "5000",
        VALIDATOR_MCP_MAX_REQUEST_BYTES: "8000",
        VALIDATOR_MCP_MAX_RESPONSE_BYTES: "6000",
        VALIDATOR_MCP_REQUEST_TIMEOUT_S: "4",
        VALIDATOR_MCP_MAX_STREAMS: "1",
        VALIDATOR_MCP_ANALYZE_RATE_LIMIT: "1",
        AWS_REGION: "eu-west-1",
        // The one call that the rate allows goes nowhere, at once.
        AWS_ENDPOINT_URL: "http://127.0.0.1:9",
        AWS_ACCESS_KEY_ID: "AKIAIOSFODNN7EXAMPLE",
        AWS_SECRET_ACCESS_KEY: "not-a-key",
        AWS_MAX_ATTEMPTS: "1",
      },
    });
  });
  afterAll(() => target.stop());

  const sized = (bytes: number) => {
    const policy = { ...readOnly, Id: "" };
    return { ...policy, Id: "x".repeat(bytes - JSON.stringify(policy).length) };
  };

  test.each([
    ["max_policies", validate([readOnly, readOnly]), validate([readOnly, readOnly, readOnly])],
    ["max_policy_bytes", validate([sized(5000)]), validate([sized(5001)])],
    ["max_request_bytes", validate([sized(3900)]), validate([sized(4000), sized(4001)])],
  ])("%s: a tool error, one past it", async (name, within, past) => {
    expect((await rpc(target, "tools/call", within)).body.result?.isError).toBe(false);
    const { status, body } = await rpc(target, "tools/call", past);
    expect([status, body.result]).toEqual([200, toolError(expect.stringContaining(name))]);
  });

  test("request_timeout_s: a tool error, while /health goes on", async () => {
    const begun = target.log.all.length;
    const answer = rpc(target, "tools/call", validate([slowPolicy(10_000, 400)]));
    await target.log.atLeast(begun + 1);
    expect((await fetch(`${target.url}/health`)).status).toBe(200);
    const { status, body } = await answer;
    expect([status, body.result]).toEqual([
      200,
      toolError(expect.stringContaining("request_timeout_s")),
    ]);
  });

  test("max_response_bytes: the answer is degraded, not refused", async () => {
    const Statement = ["a", "b", "c", "d", "e", "f"].map((Sid) => ({
      Sid,
      Effect: "Allow",
      Action: "*",
      Resource: "*",
    }));
    const { body, text } = await rpc(target, "tools/call", validate([{ ...readOnly, Statement }]));
    expect(body.result?.structuredContent).toMatchObject({ truncated: true });
    expect(Buffer.byteLength(text)).toBeLessThan(6200);
  });

  test("analyze_rate_limit: a tool error for the second call of a minute", async () => {
    const analyze = { policy: readOnly, policy_type: "IDENTITY_POLICY" };
    const first = await call(target, "analyze_policy", analyze);
    const second = await call(target, "analyze_policy", analyze);
    expect(first.body.result?.isError).toBe(true);
    expect(first.text).not.toContain("analyze_rate_limit");
    expect(second.text).toMatch(/rate/i);
  });

  test("four times max_request_bytes: 413, and the body is not read to its end", async () => {
    const { status } = await raw(`${target.url}/mcp`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: "x".repeat(4 * 8000 + 1),
    });
    expect(status).toBe(413);
  });

  test("max_streams: 503 with Retry-After past it", async () => {
    const headers = { accept: "text/event-stream" };
    const first = open(`${target.url}/mcp`, { headers });
    first.end();
    const [response] = await once(first, "response");
    expect(response.statusCode).toBe(200);
    const second = await raw(`${target.url}/mcp`, { headers });
    expect([second.status, second.headers["retry-after"]]).toEqual([503, expect.any(String)]);
    first.destroy();
  });
});
