import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { setTimeout as after } from "node:timers/promises";
import { afterEach, describe, expect, test } from "vitest";
import { Budget, Reservation } from "../admission/budget.ts";
import { IncomingBody } from "./incoming-body.ts";

const limit = 300_000;
const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

/** A request on a real socket, with its head sent: what comes after it is the test's to write. */
async function begin(framing: string) {
  const server = createServer();
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const client = connect({ port, host: "127.0.0.1" });
  closing.push(() => {
    client.destroy();
    server.close();
  });
  client.on("error", () => undefined);
  client.write(`POST / HTTP/1.1\r\nHost: localhost\r\n${framing}\r\n\r\n`);
  const [incoming]: IncomingMessage[] = await once(server, "request");
  if (!incoming) throw new Error("no request");
  const body = new IncomingBody(incoming, () => {
    if (body.isFull) incoming.socket.pause();
    else incoming.socket.resume();
  });
  // As the gate holds its connections: a body that is read resumes its socket.
  incoming.socket.on("resume", () => {
    if (body.isFull) incoming.socket.pause();
  });
  return { client, body, incoming };
}

const chunked = () => begin("Transfer-Encoding: chunked");
const declared = (bytes: number) => begin(`Content-Length: ${bytes}`);

function writeChunks(client: Socket, ...chunks: readonly Uint8Array[]): void {
  for (const chunk of chunks) {
    client.write(`${chunk.byteLength.toString(16)}\r\n`);
    client.write(chunk);
    client.write("\r\n");
  }
}

const room = (bytes: number) => new Budget({ process: bytes, caller: bytes });
const within = (budget: Budget) => new Reservation(budget, "alice");

describe("memory", () => {
  test.each([
    [65_536, "read"],
    [65_537, "busy"],
  ])("a body of %i bytes without room is %s", async (size, what) => {
    const { client, body } = await declared(size);
    client.write(Buffer.alloc(size));
    const read = await body.read(limit, within(room(0)));
    expect(typeof read === "string" ? read : "read").toBe(what);
  });

  test("is taken for what has come, not for what was announced, and no more than that in the end", async () => {
    const budget = room(100_000);
    const { client, body } = await declared(90_000);
    const reading = body.read(limit, within(budget));
    await after(20);
    expect(budget.used).toBe(0);
    client.write(Buffer.alloc(90_000));
    expect(await reading).toMatchObject({ size: 90_000 });
    expect(budget.used).toBe(90_000);
  });

  test("of a body in parts is no more than of one that comes whole", async () => {
    const budget = room(200_000);
    const { client, body } = await chunked();
    const reading = body.read(limit, within(budget));
    writeChunks(client, ...[70_000, 70_000, 60_000].map((size) => Buffer.alloc(size)));
    client.write("0\r\n\r\n");
    expect(await reading).toMatchObject({ size: 200_000 });
    expect(budget.used).toBe(200_000);
  });

  test("is bounded per caller: another's body is read", async () => {
    const budget = new Budget({ process: 200_000, caller: 100_000 });
    const [one, other] = await Promise.all([declared(100_001), declared(100_000)]);
    one.client.write(Buffer.alloc(100_001));
    expect(await one.body.read(limit, new Reservation(budget, "alice"))).toBe("busy");
    other.client.write(Buffer.alloc(100_000));
    expect(await other.body.read(limit, new Reservation(budget, "bob"))).toMatchObject({
      size: 100_000,
    });
  });
});

test("what is read holds what was sent, each segment alone in its memory", async () => {
  const sent = Buffer.from(Array.from({ length: 3_000_000 }, (_, at) => at % 251));
  for (const sizes of [[1_000_000], [70_000, 16, 999], [1_100_000, 3]]) {
    const { client, body } = await chunked();
    const reading = body.read(2 * sent.byteLength, within(room(4_000_000)));
    for (let at = 0, part = 0; at < sent.byteLength; part++) {
      const end = at + (sizes[part % sizes.length] ?? 0);
      writeChunks(client, sent.subarray(at, end));
      at = end;
    }
    client.write("0\r\n\r\n");
    const read = await reading;
    if (typeof read === "string") throw new Error(read);
    for (const part of read.parts) expect(part.byteLength).toBe(part.buffer.byteLength);
    expect(Buffer.concat(read.parts).equals(sent)).toBe(true);
  }
});

describe("chunks", () => {
  test.each([
    ["a thousand of a byte are a slow client", 1_000, 1, "read"],
    ["eleven hundred of a byte are an attack", 1_100, 1, "invalid"],
    ["five thousand of a size that networks have are a large body", 5_000, 50, "read"],
  ])("%s", async (_, count, size, what) => {
    const { client, body } = await chunked();
    const reading = body.read(limit, within(room(limit)));
    writeChunks(client, ...Array.from({ length: count }, () => Buffer.alloc(size)));
    client.write("0\r\n\r\n");
    const read = await reading;
    expect(typeof read === "string" ? read : "read").toBe(what);
  });

  test("of a byte are not kept one by one before anyone asks for the body", async () => {
    const { client, body, incoming } = await chunked();
    client.write("1\r\nx\r\n".repeat(60_000));
    await expect.poll(() => body.head().byteLength).toBeGreaterThan(1_000);
    expect(incoming.readableLength).toBe(0);
    expect(await body.read(limit, within(room(limit)))).toBe("invalid");
  });
});

describe("the limit", () => {
  test.each([
    ["declared", declared],
    ["in chunks", chunked],
  ])("is read, and one byte more is not: %s", async (how, open) => {
    for (const [size, what] of [
      [100, "read"],
      [101, "too_large"],
    ] as const) {
      const { client, body } = await open(size);
      const reading = body.read(100, within(room(0)));
      if (how === "declared") client.write(Buffer.alloc(size));
      else writeChunks(client, Buffer.alloc(size));
      if (how === "in chunks" && what === "read") client.write("0\r\n\r\n");
      const read = await reading;
      expect(typeof read === "string" ? read : "read").toBe(what);
    }
  });

  test("of a body that is declared too large up to 64 KiB are read, for the id in them", async () => {
    const { client, body } = await declared(10 * limit);
    client.write(Buffer.alloc(200_000, "x"));
    expect(await body.read(limit, within(room(0)))).toBe("too_large");
    expect(body.head().byteLength).toBe(65_536);
  });

  test("a length that is announced and does not come is answered a second later", async () => {
    const { body } = await declared(10 * limit);
    expect(await body.read(limit, within(room(0)))).toBe("too_large");
  });
});

test("before anyone asks, no more is read than has come with the head and a little", async () => {
  const { client, body } = await declared(250_000);
  client.write(Buffer.alloc(250_000));
  await after(50);
  expect(body.isFull).toBe(true);
  expect(body.head().byteLength).toBeLessThanOrEqual(65_536);
  expect(await body.read(limit, within(room(limit)))).toMatchObject({ size: 250_000 });
});

test("a connection that breaks ends the reading", async () => {
  const { client, body } = await declared(1_000);
  const reading = body.read(limit, within(room(0)));
  client.write("{");
  client.destroy();
  expect(await reading).toBe("invalid");
});

describe("a refused body is dropped", () => {
  test("until it ends", async () => {
    const { client, body } = await declared(200_000);
    client.write(Buffer.alloc(200_000));
    await body.discard();
    expect(body.isComplete).toBe(true);
  });

  test("a second at most, a megabyte at most", async () => {
    const slow = await declared(200_000);
    await slow.body.discard();
    expect(slow.body.isComplete).toBe(false);
    const fast = await declared(5_000_000);
    fast.client.write(Buffer.alloc(5_000_000));
    await fast.body.discard();
    expect(fast.body.isComplete).toBe(false);
  });

  test("and forgotten before that, where the answer waits", async () => {
    const { client, body, incoming } = await declared(900_000);
    client.write(Buffer.alloc(900_000));
    expect(await body.read(limit, within(room(0)))).toBe("too_large");
    body.forget();
    expect(body.head()).toHaveLength(0);
    const { bytesRead } = incoming.socket;
    await after(50);
    // What had been asked of the system already.
    expect(incoming.socket.bytesRead - bytesRead).toBeLessThanOrEqual(65_536);
    await body.discard();
    expect(body.isComplete).toBe(true);
  });

  test("not at all when it was an attack on memory", async () => {
    const { client, body } = await chunked();
    const reading = body.read(limit, within(room(limit)));
    client.write("1\r\nx\r\n".repeat(5_000));
    expect(await reading).toBe("invalid");
    const began = performance.now();
    await body.discard();
    expect(performance.now() - began).toBeLessThan(500);
  });
});
