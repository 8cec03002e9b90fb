import { afterEach, describe, expect, test } from "vitest";
import { clientKinds, connect } from "../support/clients.ts";
import { raw } from "../support/http.ts";
import { type InProcess, startInProcess } from "../support/in-process.ts";
import { modernRevision, rpc, rpcRequest } from "../support/rpc.ts";
import type { TargetOptions } from "../support/target.ts";

const running: InProcess[] = [];
afterEach(async () => {
  await Promise.all(running.splice(0).map((target) => target.stop()));
});

async function start(options: TargetOptions & { serverless?: boolean } = {}) {
  const target = await startInProcess(options);
  running.push(target);
  return target;
}

const accept = { accept: "text/event-stream" };

/** Opens the channel and reads its first frame. */
async function open(target: InProcess, headers: Record<string, string> = accept) {
  const leave = new AbortController();
  const response = await fetch(`${target.url}/mcp`, { headers, signal: leave.signal });
  const reader = response.body?.getReader();
  return { response, reader, leave };
}

function text(bytes: Uint8Array | undefined): string {
  return new TextDecoder().decode(bytes);
}

describe("GET /mcp", () => {
  test("is an event stream of comments that proxies pass on", async () => {
    const { response, reader, leave } = await open(await start());
    expect(response.status).toBe(200);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      "content-type": "text/event-stream",
      "cache-control": "no-cache, no-transform",
      "x-accel-buffering": "no",
    });
    expect(text((await reader?.read())?.value)).toMatch(/^: .*\n\n$/);
    leave.abort();
  });

  test("must be asked for as an event stream", async () => {
    const target = await start();
    for (const headers of [{ accept: "application/json" }, { accept: "text/event-stream;q=0" }]) {
      expect((await raw(`${target.url}/mcp`, { headers })).status).toBe(406);
    }
  });

  test("does not exist in 2026-07-28", async () => {
    const target = await start();
    const headers = { ...accept, "mcp-protocol-version": modernRevision };
    const answer = await raw(`${target.url}/mcp`, { headers });
    expect([answer.status, answer.headers.allow]).toEqual([405, "POST"]);
  });

  test("knows no other version either", async () => {
    const target = await start();
    const headers = { ...accept, "mcp-protocol-version": "1999-01-01" };
    expect((await raw(`${target.url}/mcp`, { headers })).status).toBe(400);
  });

  test("is bounded: one stream more is 503 with Retry-After, until one is given back", async () => {
    const target = await start({ environment: { VALIDATOR_MCP_MAX_STREAMS: "2" } });
    const first = await open(target);
    await first.reader?.read();
    const second = await open(target);
    await second.reader?.read();
    const third = await raw(`${target.url}/mcp`, { headers: accept });
    expect(third.status).toBe(503);
    expect(Number(third.headers["retry-after"])).toBeGreaterThan(0);
    first.leave.abort();
    await expect
      .poll(async () => {
        const next = await open(target);
        next.leave.abort();
        return next.response.status;
      })
      .toBe(200);
    second.leave.abort();
  });

  test("ends when the server drains", async () => {
    const target = await start();
    const { reader } = await open(target);
    await reader?.read();
    await target.drain(5_000);
    expect(await reader?.read()).toMatchObject({ done: true });
  });

  test("is 405 in a serverless function", async () => {
    const target = await start({ serverless: true });
    const answer = await raw(`${target.url}/mcp`, { headers: accept });
    expect([answer.status, answer.headers.allow]).toEqual([405, "POST"]);
  });
});

describe("subscriptions/listen", () => {
  const params = { notifications: { toolsListChanged: true } };

  test("is accepted, stays open without events, and ends when the server drains", async () => {
    const target = await start();
    const { headers, body } = rpcRequest("subscriptions/listen", params, { era: "2026", id: 9 });
    const response = await fetch(`${target.url}/mcp`, { method: "POST", headers, body });
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toBe("text/event-stream");
    const reader = response.body?.getReader();
    const acknowledged = text((await reader?.read())?.value);
    expect(acknowledged).toContain("notifications/subscriptions/acknowledged");
    expect(acknowledged).toContain('"notifications":{}');
    const next = reader?.read();
    await rpc(target, "tools/list");
    await target.drain(5_000);
    expect(text((await next)?.value)).toMatch(/"id":9.*"resultType":"complete"/);
    expect(await reader?.read()).toMatchObject({ done: true });
  });

  test("counts as an open stream", async () => {
    const target = await start({ environment: { VALIDATOR_MCP_MAX_STREAMS: "1" } });
    const { reader, leave } = await open(target);
    await reader?.read();
    const answer = await rpc(target, "subscriptions/listen", params, { era: "2026", id: 9 });
    expect([answer.status, answer.body.id]).toEqual([503, 9]);
    expect(answer.headers.get("retry-after")).not.toBeNull();
    leave.abort();
  });

  test("is an unknown method in a serverless function", async () => {
    const target = await start({ serverless: true });
    const answer = await rpc(target, "subscriptions/listen", params, { era: "2026", id: 9 });
    expect(answer.status).toBe(404);
    expect(answer.body).toEqual({
      jsonrpc: "2.0",
      id: 9,
      error: { code: -32601, message: expect.any(String) },
    });
  });
});

test.each(clientKinds)("%s connects, lists and leaves beside its stream", async (kind) => {
  const target = await start();
  const client = await connect(target, kind);
  expect((await client.listTools()).tools.length).toBeGreaterThan(0);
  await client.close();
  await target.drain(5_000);
});

describe("a serverless function", () => {
  test("answers with one JSON body whatever is preferred", async () => {
    const target = await start({ serverless: true });
    const headers = { accept: "text/event-stream, application/json;q=0.1" };
    const answer = await rpc(target, "tools/list", {}, { headers });
    expect(answer.status).toBe(200);
    expect(answer.headers.get("content-type")).toMatch(/^application\/json/);
  });
});
