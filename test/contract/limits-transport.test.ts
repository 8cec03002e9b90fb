import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { clientKinds, connect } from "../support/clients.ts";
import { answerOf, open as openRequest, raw } from "../support/http.ts";
import { startInProcess } from "../support/in-process.ts";
import { type Era, eras, readOnly, rpcRequest, toolError } from "../support/rpc.ts";
import { type ChosenTarget, startTarget, targetStreams } from "../support/start-target.ts";
import { auditRecords, tokens, withTokens } from "../support/target.ts";

const limit = 4096;

let target: ChosenTarget;
beforeAll(async () => {
  target = await startTarget({
    ...withTokens,
    flags: { auth: "token", max_request_bytes: String(limit) },
  });
});
afterAll(() => target.stop());

/** A call whose body has exactly this many bytes; white space after the message counts. */
function callOf(bytes: number, era: Era, name = "validate_policies", token: string = tokens.all) {
  const params = { name, arguments: { policies: [readOnly] } };
  const { headers, body } = rpcRequest("tools/call", params, { era, token, id: "the-id" });
  return { method: "POST", headers, body: body.padEnd(bytes, " ") };
}

function post(request: ReturnType<typeof callOf>) {
  return raw(`${target.url}/mcp`, request);
}

describe.each(eras)("max_request_bytes (%s)", (era) => {
  test("a body at the limit is looked at", async () => {
    const { status, text } = await post(callOf(limit, era));
    expect(status).toBe(200);
    expect(JSON.parse(text).result.isError).toBe(false);
  });

  test("one byte more is a tool error with the id of the call, and one record", async () => {
    target.audit.all.length = 0;
    const { status, text } = await post(callOf(limit + 1, era));
    expect(status).toBe(200);
    const { id, result } = JSON.parse(text);
    expect(id).toBe("the-id");
    expect(result).toMatchObject(toolError(expect.stringMatching(/4097.*4096.*max_request_bytes/)));
    if (!target.audited) return;
    // Lines of a container come late: those of earlier calls may still be on their way.
    const refusals = () =>
      auditRecords(target.audit.all).filter(({ outcome }) => outcome === "tool_error");
    await expect.poll(refusals).toMatchObject([{ tool: "validate_policies", policy_count: 1 }]);
  });

  test("no tool runs on unvalidated arguments", async () => {
    const { text } = await post(callOf(limit + 1, era, "get_config"));
    expect(JSON.parse(text).result.isError).toBe(true);
  });

  test("a hidden tool stays hidden", async () => {
    const request = callOf(limit + 1, era, "validate_policies", tokens.query);
    const { status, text } = await post(request);
    expect(status).toBe(200);
    expect(JSON.parse(text).error).toEqual({
      code: -32602,
      message: "Tool validate_policies not found",
    });
  });
});

describe("the transport's own cap, four times as much", () => {
  test("a body at the cap is read", async () => {
    expect((await post(callOf(4 * limit, "2025"))).status).toBe(200);
  });

  test("one byte more is 413", async () => {
    const { status, text } = await post(callOf(4 * limit + 1, "2025"));
    expect(status).toBe(413);
    expect(JSON.parse(text).error.message).toContain(String(4 * limit));
  });

  test.runIf(targetStreams)("a body without a declared length is cut off at the cap", async () => {
    const { headers } = callOf(0, "2025");
    const request = openRequest(`${target.url}/mcp`, {
      method: "POST",
      headers: { ...headers, "transfer-encoding": "chunked" },
    });
    const answer = answerOf(request);
    request.write("x".repeat(limit));
    // Never ended: the answer must not wait for it.
    request.write("x".repeat(4 * limit));
    expect((await answer).status).toBe(413);
    request.destroy();
  });

  test.runIf(targetStreams)("no body is read before authentication", async () => {
    const { headers } = callOf(0, "2025");
    const request = openRequest(`${target.url}/mcp`, {
      method: "POST",
      headers: { ...headers, authorization: "Bearer nonsense", "content-length": "1000000" },
    });
    const answer = answerOf(request);
    request.write("{");
    expect((await answer).status).toBe(401);
    request.destroy();
  });
});

test.each(clientKinds)("%s gets the tool error, not a broken connection", async (kind) => {
  const client = await connect(target, kind, tokens.all);
  try {
    const policies = Array.from({ length: 40 }, () => readOnly);
    const answer = await client.callTool({ name: "validate_policies", arguments: { policies } });
    expect(answer).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining("max_request_bytes") }],
    });
  } finally {
    await client.close();
  }
});

test.runIf(targetStreams)("headers over 16 KiB are refused", async () => {
  const headers = { "x-long": "x".repeat(17 * 1024) };
  expect((await raw(`${target.url}/health`, { headers })).status).toBe(431);
});

test("a client that sends slowly or nothing cannot hold a socket for ever", async () => {
  const { server, stop } = await startInProcess();
  const { headersTimeout, requestTimeout, timeout, maxConnections } = server;
  await stop();
  expect(headersTimeout).toBeLessThanOrEqual(15_000);
  expect(requestTimeout).toBeLessThanOrEqual(60_000);
  expect(timeout).toBeGreaterThan(60_000);
  expect(maxConnections).toBeGreaterThan(256);
});
