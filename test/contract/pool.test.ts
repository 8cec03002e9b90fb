import { request } from "node:http";
import { afterEach, describe, expect, test } from "vitest";
import { type InProcess, startInProcess } from "../support/in-process.ts";
import { call, eras, readOnly, rpcRequest, toolError } from "../support/rpc.ts";
import { slowConfig, slowPolicy } from "../support/slow-policy.ts";
import { auditRecords } from "../support/target.ts";

let server: InProcess | undefined;
afterEach(async () => {
  await server?.stop();
  await server?.runtime.pool.close();
  server = undefined;
});

/** A policy of about this many bytes, every statement with something to say about it. */
function largePolicy(bytes: number): object {
  const statement = (index: number) => ({
    Sid: `Large${index}`,
    Effect: "Allow",
    Action: ["s3:GetObjct", "iam:PassRole"],
    Resource: "*",
  });
  const each = JSON.stringify(statement(10_000)).length + 1;
  return {
    Version: "2012-10-17",
    Statement: Array.from({ length: Math.ceil(bytes / each) }, (_, index) => statement(index)),
  };
}

/** Takes a worker that knows the slow check far longer than any deadline of these tests. */
const endless = {
  policies: Array.from(
    { length: 7 },
    () => JSON.stringify(slowPolicy(60_000, 60_000)) + " ".repeat(20_000),
  ),
};

async function healthIsQuick(url: string): Promise<boolean> {
  const response = await fetch(`${url}/health`, { signal: AbortSignal.timeout(5_000) });
  return response.status === 200;
}

describe("large calls", () => {
  test.each(eras)(
    "are validated in a worker with the same result as small ones (%s)",
    async (era) => {
      server = await startInProcess();
      // White space makes the body large and changes nothing of the meaning.
      const small = JSON.stringify(largePolicy(2_000));
      const large = `${small.slice(0, -1)}${" ".repeat(200_000)}}`;
      const inline = await call(
        server,
        "validate_policies",
        { policies: [small], policy_type: "resource" },
        { era },
      );
      const pooled = await call(
        server,
        "validate_policies",
        { policies: [large], policy_type: "resource" },
        { era },
      );
      expect(server.runtime.pool.figures().threads).toBeGreaterThan(0);
      const results = (answer: typeof inline) => answer.body.result?.structuredContent;
      expect(results(pooled)).toEqual(results(inline));
      const [first, second] = auditRecords(await server.audit.atLeast(2));
      expect(second).toMatchObject({ outcome: "success", policy_count: 1 });
      expect(second?.severity_counts).toEqual(first?.severity_counts);
    },
  );

  test("small calls start no thread", async () => {
    server = await startInProcess();
    await call(server, "validate_policies", { policies: [readOnly] });
    expect(server.runtime.pool.figures().threads).toBe(0);
  });

  test("long YAML is validated in a worker, because parsing it holds the event loop longest", async () => {
    server = await startInProcess();
    const yaml = `Version: "2012-10-17"\nStatement:\n${"  - { Effect: Allow, Action: 's3:GetObject', Resource: '*' }\n".repeat(400)}`;
    await call(server, "validate_policies", { policies: [yaml] });
    expect(server.runtime.pool.figures().threads).toBeGreaterThan(0);
  });

  test("arguments that do not fit are the same tool error, with the number of policies audited", async () => {
    server = await startInProcess();
    const args = { policies: [readOnly, "x".repeat(100_000)], detail: "everything" };
    const { body } = await call(server, "validate_policies", args);
    expect(body.result).toMatchObject(toolError(expect.stringMatching(/detail/)));
    const [record] = auditRecords(await server.audit.atLeast(1));
    expect(record).toMatchObject({ outcome: "tool_error", policy_count: 2 });
  });

  test("a caller without the scope learns no more than from a small call", async () => {
    server = await startInProcess({
      flags: { auth: "token" },
      environment: {
        VALIDATOR_MCP_AUTH_TOKENS: '{"q": {"client_id": "q", "scopes": ["iam:query"]}}',
      },
    });
    const args = { policies: ["x".repeat(100_000)] };
    const hidden = await call(server, "validate_policies", args, { token: "q" });
    const absent = await call(server, "no_such_tool", args, { token: "q" });
    expect(hidden.text.replace("validate_policies", "no_such_tool")).toBe(absent.text);
    expect(server.audit.all).toEqual([]);
  });

  test("large bodies that are not JSON, or a batch, are refused like small ones", async () => {
    server = await startInProcess();
    const post = (body: string) =>
      fetch(`${server?.url}/mcp`, { method: "POST", headers: rpcRequest("ping").headers, body });
    expect((await post(`{"x": "${"y".repeat(100_000)}`)).status).toBe(400);
    expect((await post(`[${"1,".repeat(50_000)}1]`)).status).toBe(400);
    expect((await post("[".repeat(100_000) + "]".repeat(100_000))).status).toBe(400);
  });
});

describe("the deadline", () => {
  test.each(eras)(
    "ends a call that computes, and the server stays well (%s)",
    { timeout: 90_000 },
    async (era) => {
      server = await startInProcess({
        flags: { config_source: slowConfig, request_timeout_s: "10" },
      });
      const calling = call(server, "validate_policies", endless, { era });
      expect(await healthIsQuick(server.url)).toBe(true);
      const { body } = await calling;
      expect(body.result).toMatchObject(
        toolError(expect.stringMatching(/10 s \(request_timeout_s\)/)),
      );
      const [record] = auditRecords(await server.audit.atLeast(1));
      expect(record).toMatchObject({ outcome: "tool_error", policy_count: 7, severity_counts: {} });
      // The thread was killed and replaced: large calls are answered again. On a busy machine a new thread
      // may need longer than the ten seconds of the first call that asks it.
      const large = `${JSON.stringify(readOnly).slice(0, -1)}${" ".repeat(100_000)}}`;
      const { url } = server;
      const isError = async () =>
        (await call({ url }, "validate_policies", { policies: [large] }, { era })).body.result
          ?.isError;
      await expect.poll(isError, { timeout: 45_000 }).toBe(false);
    },
  );
});

describe("a full queue", () => {
  test("sheds load with a tool error that says to come back", async () => {
    server = await startInProcess({
      environment: { VALIDATOR_MCP_WORKERS: "1", VALIDATOR_MCP_MAX_QUEUED_CALLS: "1" },
    });
    const target = server;
    // Reading such a call takes a hundredth of validating it, so all but the first few find the queue full.
    const args = { policies: [largePolicy(400_000)], detail: "summary" };
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => call(target, "validate_policies", args)),
    );
    const shed = answers.filter(({ body }) => body.result?.isError);
    expect(shed.length).toBeGreaterThan(0);
    expect(shed.length).toBeLessThan(8);
    for (const { body } of shed) {
      expect(body.result).toEqual(
        toolError(expect.stringMatching(/in progress\. Retry in a few seconds/)),
      );
    }
    const records = auditRecords(await target.audit.atLeast(8));
    expect(records.filter(({ outcome }) => outcome === "tool_error")).toHaveLength(shed.length);
    expect(records.filter(({ outcome }) => outcome === "success")).toHaveLength(8 - shed.length);
  });
});

describe("a caller who leaves", () => {
  test("during a large call ends the work, audited as cancelled", async () => {
    server = await startInProcess({ flags: { config_source: slowConfig } });
    const { headers, body } = rpcRequest("tools/call", {
      name: "validate_policies",
      arguments: endless,
    });
    const sent = request(`${server.url}/mcp`, { method: "POST", headers });
    sent.on("error", () => undefined);
    sent.end(body);
    const { pool } = server.runtime;
    await expect.poll(() => pool.figures().running, { timeout: 15_000 }).toBe(1);
    sent.destroy();
    const [record] = auditRecords(await server.audit.atLeast(1));
    expect(record).toMatchObject({ outcome: "cancelled", policy_count: 7 });
    await expect.poll(() => pool.figures().running).toBe(0);
  });
});
