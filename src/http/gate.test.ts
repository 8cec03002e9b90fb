import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { connect, Socket } from "node:net";
import { setTimeout as after, setImmediate as nextTurn } from "node:timers/promises";
import { afterEach, expect, test } from "vitest";
import { Budget, Reservation } from "../admission/budget.ts";
import { Gate } from "./gate.ts";

const open: { close(): void }[] = [];
afterEach(() => {
  for (const one of open.splice(0)) one.close();
});

type Serve = (incoming: IncomingMessage, outgoing: ServerResponse, gate: Gate) => unknown;

/** A server that answers through a gate. */
async function serverOf(serve: Serve): Promise<number> {
  const server = createServer();
  const gate: Gate = new Gate(server, {
    serve: (incoming, outgoing) => serve(incoming, outgoing, gate),
    onCut: () => {},
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  open.push(server, { close: () => server.closeAllConnections() });
  // A listening TCP server has an address of this form.
  return (server.address() as AddressInfo).port;
}

async function client(
  port: number,
  localAddress = "127.0.0.1",
): Promise<{ socket: Socket; received: () => string }> {
  const socket = connect({ port, host: "127.0.0.1", localAddress });
  open.push({ close: () => socket.destroy() });
  let text = "";
  socket.on("data", (data) => {
    text += data.toString();
  });
  await once(socket, "connect");
  return { socket, received: () => text };
}

const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`;

test("a request is not started before the one before it on its connection is answered", async () => {
  const began: string[] = [];
  const answers: (() => void)[] = [];
  const port = await serverOf(({ url = "" }, outgoing) => {
    began.push(url);
    answers.push(() => outgoing.end(url));
  });
  const { socket, received } = await client(port);
  socket.write(get("/1"));
  await expect.poll(() => began).toEqual(["/1"]);
  socket.write(get("/2") + get("/3"));
  await expect.poll(() => socket.bytesWritten).toBe(3 * get("/1").length);
  for (let turn = 0; turn < 20; turn++) await nextTurn();
  expect(began).toEqual(["/1"]);
  for (const path of ["/1", "/2", "/3"]) {
    await expect.poll(() => began.at(-1)).toBe(path);
    answers.shift()?.();
    await expect.poll(() => received().endsWith(path)).toBe(true);
  }
});

/** A socket of a client that is still there. */
function connectedSocket(): Socket {
  return Object.defineProperty(new Socket(), "remoteAddress", { value: "127.0.0.1" });
}

test("a connection that its client reset before it was accepted is not set up", async () => {
  const server = createServer();
  open.push(server);
  let setUps = 0;
  server.on("connection", () => setUps++);
  new Gate(server, { serve: () => {}, onCut: () => {} });
  let accepted = 0;
  server.on("connection", () => accepted++);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const count = 50;
  // Node accepts one connection in a turn of the event loop: all others are reset by then.
  for (let at = 0; at < count; at++) {
    const socket = connect({ port, host: "127.0.0.1" });
    socket.on("error", () => {});
    socket.once("connect", () => socket.resetAndDestroy());
  }
  await expect.poll(() => accepted).toBe(count);
  expect(setUps).toBeLessThan(count / 2);
});

test("a client may reset its connection before the server has set it up", async () => {
  const server = createServer((_, outgoing) => outgoing.end("answer"));
  open.push(server);
  let setUps = 0;
  server.on("connection", () => setUps++);
  const gate = new Gate(server, { serve: () => {}, onCut: () => {} });
  const [first, second] = [connectedSocket(), connectedSocket()];
  for (const socket of [first, second]) server.emit("connection", socket);
  expect([gate.waiting, setUps]).toEqual([2, 0]);
  const reset = Object.assign(new Error("read ECONNRESET"), { code: "ECONNRESET" });
  // Not `once`, which would listen for the error: without a listener it is an uncaught exception and ends the process.
  const closed = new Promise<void>((resolve) => second.once("close", () => resolve()));
  second.destroy(reset);
  await closed;
  await expect.poll(() => gate.waiting).toBe(0);
  expect(setUps).toBe(1);
});

test("what clients cause when they leave waits for its turn, one after the other", async () => {
  const ended: string[] = [];
  const stretches: number[] = [];
  const port = await serverOf((incoming, outgoing, gate) => {
    outgoing.once("close", () => {
      gate.connectionOf(incoming)?.later(() => {
        ended.push(incoming.url ?? "");
        for (const until = performance.now() + 6; performance.now() < until; );
      });
    });
  });
  const paths = ["/1", "/2", "/3", "/4"];
  const clients = await Promise.all(paths.map(() => client(port)));
  for (const [at, { socket }] of clients.entries()) socket.write(get(paths[at] ?? ""));
  await after(100);
  for (const { socket } of clients) socket.destroy();
  while (ended.length < paths.length) {
    const before = ended.length;
    await nextTurn();
    stretches.push(ended.length - before);
  }
  expect(Math.max(...stretches)).toBe(1);
  expect(ended.toSorted()).toEqual(paths);
});

test("pipelined requests of one address leave room for those of another", async () => {
  const port = await serverOf(() => {});
  // Of each connection as many as one piece of what arrives holds are parsed.
  const flood = await Promise.all(Array.from({ length: 24 }, () => client(port)));
  for (const { socket } of flood) {
    socket.on("error", () => undefined);
    socket.write(get("/").repeat(150));
  }
  await expect.poll(() => flood.some(({ socket }) => socket.closed)).toBe(true);
  const others = await Promise.all([1, 2, 3].map(() => client(port, "127.0.0.2")));
  for (const { socket } of others) socket.write(get("/").repeat(120));
  await after(200);
  expect(others.filter(({ socket }) => socket.closed)).toEqual([]);
});

test("a connection that sends requests ahead is answered ever more slowly, in order, and no other is", async () => {
  const port = await serverOf(({ url }, outgoing) => outgoing.end(`[${url}]`));
  const delay = await client(port);
  const began = performance.now();
  delay.socket.write(Array.from({ length: 400 }, (_, at) => get(`/${at}`)).join(""));
  const calm = await client(port);
  for (let at = 0; at < 50; at++) {
    calm.socket.write(get(`/calm${at}`));
    await expect.poll(() => calm.received(), { interval: 1 }).toContain(`[/calm${at}]`);
  }
  const answered = delay.received().match(/\[\/\d+\]/g) ?? [];
  const tookMs = performance.now() - began;
  expect(answered).toEqual(answered.map((_, at) => `[/${at}]`));
  expect(answered.length).toBeGreaterThanOrEqual(16);
  // 16 at once, and then 2, 4, 6 … ms apart. Timers may be a millisecond early.
  const slow = answered.length - 18;
  expect(slow * (slow - 1)).toBeLessThanOrEqual(tookMs);
});

test("forty thousand chunks of one byte are parsed in many turns of the event loop", async () => {
  let turns = 0;
  let isOver = false;
  const countTurns = () => {
    turns++;
    if (!isOver) setImmediate(countTurns);
  };
  const chunks = 40_000;
  let bytes = 0;
  const port = await serverOf((incoming, outgoing) => {
    setImmediate(countTurns);
    incoming.on("data", (data: Buffer) => {
      bytes += data.length;
      // A chunk costs as much on every machine: on a fast one Node parses them all within a few turns.
      const until = performance.now() + 0.005;
      while (performance.now() < until);
    });
    incoming.on("end", () => {
      isOver = true;
      outgoing.end(String(bytes));
    });
  });
  const { socket, received } = await client(port);
  const head = "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n";
  socket.write(`${head}${"1\r\n \r\n".repeat(chunks)}0\r\n\r\n`);
  await expect.poll(() => received(), { timeout: 10_000 }).toContain(`\r\n\r\n${chunks}`);
  // Node alone needs one turn for each 64 KiB, which makes four.
  expect(turns).toBeGreaterThan(8);
});

test("a body of a megabyte arrives whole", async () => {
  const budget = new Budget({ process: 2_000_000, caller: 2_000_000 });
  const port = await serverOf(async (incoming, outgoing, gate) => {
    const read = await gate
      .connectionOf(incoming)
      ?.body.read(2_000_000, new Reservation(budget, ""));
    outgoing.end(typeof read === "object" ? Buffer.concat(read.parts) : `refused: ${read}`);
  });
  const { socket, received } = await client(port);
  const body = Array.from({ length: 131_072 }, (_, at) => at.toString(16).padStart(8)).join("");
  socket.write(`POST / HTTP/1.1\r\nHost: a\r\nContent-Length: ${body.length}\r\n\r\n${body}`);
  await expect.poll(() => received().endsWith(body), { timeout: 10_000 }).toBe(true);
});

test("what waits for the end of a request hears of it, even after the client has left", async () => {
  let isTold = false;
  const port = await serverOf(async (incoming, outgoing, gate) => {
    await once(outgoing, "close");
    gate.connectionOf(incoming)?.onAnswered(() => {
      isTold = true;
    });
  });
  const { socket } = await client(port);
  socket.write(get("/"));
  await after(20);
  socket.destroy();
  await expect.poll(() => isTold).toBe(true);
});

test("a client that closes its side after the request gets its answer", async () => {
  const port = await serverOf((_, outgoing) => outgoing.end("answer"));
  const { socket, received } = await client(port);
  socket.end(get("/"));
  await once(socket, "close");
  expect(received()).toContain("answer");
});

test("a caller who was authenticated on another connection does not wait behind new ones", async () => {
  const order: string[] = [];
  const port = await serverOf((incoming, outgoing, gate) => {
    const { url = "", headers } = incoming;
    if (headers.authorization === "Bearer known") gate.connectionOf(incoming)?.remember();
    order.push(url);
    // Longer than a turn of the event loop has for all callers together.
    for (const until = performance.now() + 6; performance.now() < until; );
    outgoing.end(url);
  });
  const ask = (path: string) =>
    `GET ${path} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer known\r\n\r\n`;
  const earlier = await client(port);
  earlier.socket.write(ask("/earlier"));
  await expect.poll(() => earlier.received()).toContain("200 OK");
  const rest = await Promise.all(Array.from({ length: 30 }, () => client(port)));
  // Until the server has set all of them up.
  await after(200);
  for (const [at, { socket }] of rest.entries()) socket.write(at === 15 ? ask("/known") : get("/"));
  await expect.poll(() => order.length, { timeout: 10_000 }).toBe(31);
  expect(order.indexOf("/known")).toBeLessThan(8);
});
