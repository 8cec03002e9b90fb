import { type EventEmitter, once } from "node:events";
import { readFile } from "node:fs/promises";
import type { AddressInfo } from "node:net";
import { connect, type Socket } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { afterEach, describe, expect, test } from "vitest";
import { createNodeServer, type NodeServer } from "../../src/http/node-server.ts";
import { answerOf, open, raw } from "../support/http.ts";
import { type ServerProcess, startProcess } from "../support/process.ts";
import { call, readOnly, rpcRequest } from "../support/rpc.ts";
import { startFlood } from "../support/start-flood.ts";
import { auditRecords, tokens, withTokens } from "../support/target.ts";

/** 256 streams and 1,024 others: what the server holds at once. */
const most = 1_280;

const stops: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});

async function start(options: Parameters<typeof startProcess>[0] = {}): Promise<ServerProcess> {
  const target = await startProcess(options);
  stops.push(() => target.stop());
  return target;
}

const residentBytes = async ({ child }: ServerProcess): Promise<number> => {
  const status = await readFile(`/proc/${child.pid}/status`, "utf8");
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) * 1024;
};

async function plainSocket(url: string): Promise<Socket> {
  const socket = connect(Number(new URL(url).port), "127.0.0.1");
  socket.on("error", () => undefined);
  stops.push(async () => socket.destroy());
  await once(socket, "connect");
  return socket;
}

const closed = (stream: EventEmitter) =>
  new Promise<void>((resolve) => stream.once("close", () => resolve()));

/** A server of the product's in this process, with an app that gives every request the same answer. */
async function listen(
  text: string,
  answerTimeoutMs?: number,
  adjust: (http: NodeServer) => void = () => {},
) {
  const http = createNodeServer(
    {
      async fetch(request) {
        if (request.method === "POST") await request.arrayBuffer();
        return new Response(text);
      },
      endStreams: () => {},
      close: async () => {},
    },
    {
      requestTimeoutS: 60,
      maxStreams: 1,
      ...(answerTimeoutMs !== undefined && { answerTimeoutMs }),
    },
  );
  adjust(http);
  http.server.listen(0, "127.0.0.1");
  await once(http.server, "listening");
  stops.push(() => http.drain(0));
  // A listening TCP server has an address of this form.
  const { port } = http.server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, http };
}

test.skipIf(process.platform !== "linux")(
  "10,000 half-open connections: others are served, memory is bounded, all are cut",
  { timeout: 90_000 },
  async () => {
    const target = await start();
    const { port } = new URL(target.url);
    await call(target, "validate_policies", { policies: [readOnly] });
    const before = await residentBytes(target);
    const { lines, stop } = startFlood(port, 10_000);
    stops.push(stop);
    let turns = 0;
    while (lines.all.length === 0) {
      expect((await raw(`${target.url}/health`)).status).toBe(200);
      const { body } = await call(target, "validate_policies", { policies: [readOnly] });
      expect(body.result?.isError).toBe(false);
      turns += 1;
      await pause(50);
    }
    expect(JSON.parse(lines.all[0] ?? "")).toEqual({ opened: 10_000 });
    expect((await raw(`${target.url}/health`)).status).toBe(200);
    // Measured: 162 MB, of which Node's own sockets and parsers are the most.
    expect((await residentBytes(target)) - before).toBeLessThan(200 * 1_048_576);
    // Told once, however many were cut.
    const told = target.log.all.filter((line) => line.includes("Too many connections"));
    expect(told).toHaveLength(1);
    expect(auditRecords(await target.audit.atLeast(turns + 1))).toHaveLength(turns + 1);
    // The last of them after ten seconds and a look every two.
    expect(JSON.parse((await lines.atLeast(2))[1] ?? "")).toEqual({ closed: 10_000 });
  },
);

describe("a request that comes a byte at a time", () => {
  test.each([
    ["nothing at all", "", ""],
    ["its head", "GET /health HTTP/1.1\r\nHost: localhost\r\nX-Slow: ", "x"],
    ["its body", "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10000\r\n\r\n", "x"],
  ])("is cut with 408 when it is not through in time: %s", async (_, start, each) => {
    const { url } = await listen("", undefined, (http) => {
      // 10 s and 60 s in the product; looked at every 2 s.
      http.server.headersTimeout = 400;
      http.server.requestTimeout = 500;
    });
    const socket = await plainSocket(url);
    let text = "";
    socket.on("data", (data) => {
      text += data;
    });
    socket.write(start);
    const timer = each === "" ? undefined : setInterval(() => socket.write(each), 50);
    await closed(socket);
    clearInterval(timer);
    expect(text).toMatch(/^HTTP\/1\.1 408 /);
    expect((await raw(url)).status).toBe(200);
  });

  test("keeps no other caller waiting, however many there are", { timeout: 60_000 }, async () => {
    const target = await start(withTokens);
    const { headers } = rpcRequest("tools/list", {}, { token: tokens.all });
    const sendSlowly = (authorization: string) => {
      const request = open(`${target.url}/mcp`, {
        method: "POST",
        headers: { ...headers, authorization, "content-length": "1000" },
      });
      request.on("error", () => undefined);
      request.write("{");
      stops.push(async () => request.destroy());
      return request;
    };
    const slow = Array.from({ length: most }, () => closed(sendSlowly(`Bearer ${tokens.all}`)));
    expect((await raw(`${target.url}/health`)).status).toBe(200);
    const { body } = await call(target, "get_config", {}, { token: tokens.config });
    expect(body.result?.isError).toBe(false);
    // Room was made by cutting one of them.
    await Promise.race(slow);
    // Of somebody unknown not a byte of the body is waited for.
    expect((await answerOf(sendSlowly("Bearer nonsense"))).status).toBe(401);
    expect(auditRecords(target.audit.all)).toMatchObject([{ tool: "get_config" }]);
  });
});

describe("a client that does not read its answer", () => {
  test("is cut after its time, and one that reads is not", { timeout: 90_000 }, async () => {
    const size = 64 * 1_048_576;
    const { url, http } = await listen("x".repeat(size), 4_000);
    const accepted = once(http.server, "connection");
    const reader = await plainSocket(url);
    reader.pause();
    reader.write("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n");
    const [socket] = await accepted;
    await closed(socket);
    expect((await raw(url)).text).toHaveLength(size);
  });
});

test("of answers that are not read no more are kept than there is memory for", async () => {
  const http = createNodeServer(
    {
      fetch: async () => new Response("x".repeat(16 * 1_048_576)),
      endStreams: () => {},
      close: async () => {},
    },
    { requestTimeoutS: 60, maxStreams: 1, unreadBytes: 40 * 1_048_576 },
  );
  http.server.listen(0, "127.0.0.1");
  await once(http.server, "listening");
  stops.push(() => http.drain(0));
  const { port } = http.server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}`;
  const sockets: Socket[] = [];
  const cut: Socket[] = [];
  http.server.on("connection", (socket) => socket.once("close", () => cut.push(socket)));
  for (let count = 0; count < 6; count++) {
    const socket = await plainSocket(url);
    socket.pause();
    socket.write("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n");
    sockets.push(socket);
    await pause(50);
  }
  // Some megabytes of each are the operating system's.
  await expect.poll(() => cut.length).toBeGreaterThanOrEqual(2);
  expect(cut.length).toBeLessThan(6);
});

test("a client that leaves in the middle leaves one record, and standard output stays clean", async () => {
  const target = await start();
  const policies = Array.from({ length: 40 }, () => "x".repeat(150_000));
  const { headers, body } = rpcRequest("tools/call", {
    name: "validate_policies",
    arguments: { policies },
  });
  // In the middle of the body: no call yet, no record.
  const half = open(`${target.url}/mcp`, {
    method: "POST",
    headers: { ...headers, "content-length": String(body.length) },
  });
  half.on("error", () => undefined);
  half.write(body.slice(0, body.length / 2));
  await raw(`${target.url}/health`);
  half.destroy();
  // In the middle of the answer, which is not read.
  const leaving = open(`${target.url}/mcp`, { method: "POST", headers });
  leaving.on("error", () => undefined);
  leaving.end(body);
  const [response] = await once(leaving, "response");
  response.destroy();
  await call(target, "get_config");
  const records = auditRecords(await target.audit.atLeast(2));
  expect(records.map(({ tool, outcome }) => [tool, outcome])).toEqual([
    ["validate_policies", "success"],
    ["get_config", "success"],
  ]);
  for (const line of target.log.all) expect(JSON.parse(line)).toHaveProperty("logger");
});
