import { once } from "node:events";
import { connect as connectSocket } from "node:net";
import { describe, expect, test } from "vitest";
import { faultTools } from "../support/fault-tools.ts";
import { answerOf, open } from "../support/http.ts";
import { startInProcess } from "../support/in-process.ts";
import { startProcess } from "../support/process.ts";
import { call, readOnly, rpcRequest } from "../support/rpc.ts";
import { auditRecords } from "../support/target.ts";

describe("draining", () => {
  test("lets a call in flight finish", async () => {
    const faults = faultTools();
    const target = await startInProcess({ extraTools: faults.tools });
    const answer = call(target, "wait", { text: "finished" });
    await faults.started.atLeast(1);
    const drained = target.drain(20_000);
    faults.release();
    expect((await answer).body.result?.structuredContent).toEqual({ text: "finished" });
    await drained;
    await expect(call(target, "get_config")).rejects.toThrow();
  });

  test("cuts a call that does not finish, and still records it", async () => {
    const faults = faultTools();
    const target = await startInProcess({ extraTools: faults.tools });
    const answer = call(target, "wait").catch(() => undefined);
    await faults.started.atLeast(1);
    await target.drain(1);
    await answer;
    expect(auditRecords(target.audit.all)).toMatchObject([{ outcome: "cancelled" }]);
  });

  test("answers what is on its way on open connections, and says that it is the last", async () => {
    const target = await startInProcess();
    const { hostname, port } = new URL(target.url);
    const [used, unused] = [
      connectSocket(Number(port), hostname),
      connectSocket(Number(port), hostname),
    ];
    const text = { used: "", unused: "" };
    used.on("data", (part) => {
      text.used += part;
    });
    unused.on("data", (part) => {
      text.unused += part;
    });
    await Promise.all([once(used, "connect"), once(unused, "connect")]);
    const request = "GET /health HTTP/1.1\r\nhost: localhost\r\n\r\n";
    used.write(request);
    await expect.poll(() => text.used).toMatch(/\}$/);
    text.used = "";
    // The server begins to stop before it can have read either request.
    used.write(request);
    unused.write(request);
    const drained = target.drain(20_000);
    await Promise.all([once(used, "close"), once(unused, "close"), drained]);
    for (const answer of [text.used, text.unused]) {
      expect(answer).toMatch(/^HTTP\/1.1 200 .*\r\nconnection: close\r\n/is);
    }
  });

  test("does not wait for idle connections", async () => {
    const target = await startInProcess();
    const socket = connectSocket(Number(new URL(target.url).port), "127.0.0.1");
    await once(socket, "connect");
    const closed = once(socket, "close");
    await target.drain(20_000);
    // Closed without an error of the socket.
    expect(await closed).toEqual([false]);
  });
});

describe("the process", () => {
  const signals = ["SIGTERM", "SIGINT"] as const;

  test.each(signals)("on %s answers what it has begun to read, then exits 0", async (signal) => {
    const target = await startProcess();
    const params = { name: "validate_policies", arguments: { policies: [readOnly] } };
    const { headers, body } = rpcRequest("tools/call", params);
    const request = open(`${target.url}/mcp`, {
      method: "POST",
      headers: { ...headers, "content-length": String(Buffer.byteLength(body)) },
    });
    const answer = answerOf(request);
    request.write(body.slice(0, 20));
    // Answered on another connection, so the first one has arrived by then.
    await fetch(`${target.url}/health`);
    target.child.kill(signal);
    await expect.poll(() => target.log.text).toContain("Stopping");
    request.end(body.slice(20));
    expect((await answer).status).toBe(200);
    expect(await target.exited).toBe(0);
    expect(auditRecords(target.audit.all)).toMatchObject([{ outcome: "success" }]);
  });

  test("ends open streams and exits 0", async () => {
    const target = await startProcess();
    const request = open(`${target.url}/mcp`, { headers: { accept: "text/event-stream" } });
    const answer = answerOf(request);
    request.end();
    await once(request, "response");
    target.child.kill("SIGTERM");
    expect((await answer).text).toMatch(/^: /);
    expect(await target.exited).toBe(0);
    // Nothing but audit records belongs there, and nothing was called.
    expect(target.audit.all).toEqual([]);
  });

  test("writes audit records to standard output and nothing else, however clients leave", async () => {
    const target = await startProcess();
    const stream = open(`${target.url}/mcp`, { headers: { accept: "text/event-stream" } });
    stream.on("error", () => undefined);
    stream.end();
    await once(stream, "response");
    stream.destroy();
    const { headers } = rpcRequest("tools/list");
    const half = open(`${target.url}/mcp`, {
      method: "POST",
      headers: { ...headers, "content-length": "100" },
    });
    half.on("error", () => undefined);
    half.write("{");
    await fetch(`${target.url}/health`);
    half.destroy();
    await call(target, "get_config");
    target.child.kill("SIGTERM");
    expect(await target.exited).toBe(0);
    expect(auditRecords(target.audit.all)).toMatchObject([{ tool: "get_config" }]);
    for (const line of target.log.all) expect(JSON.parse(line)).toHaveProperty("logger");
  });

  test("exits at once on the second signal", async () => {
    const target = await startProcess();
    const { headers } = rpcRequest("tools/list");
    const request = open(`${target.url}/mcp`, {
      method: "POST",
      headers: { ...headers, "content-length": "100" },
    });
    request.on("error", () => undefined);
    request.write("{");
    await fetch(`${target.url}/health`);
    target.child.kill("SIGTERM");
    await expect.poll(() => target.log.text).toContain("Stopping");
    target.child.kill("SIGTERM");
    expect(await target.exited).toBe(1);
    request.destroy();
  });
});

test("a port that is taken is one line on standard error and exit 1", async () => {
  const first = await startInProcess();
  const port = new URL(first.url).port;
  const second = startProcess({ flags: { port } });
  await expect(second).rejects.toThrow(/validator-mcp: cannot listen on .*EADDRINUSE/);
  await first.stop();
});
