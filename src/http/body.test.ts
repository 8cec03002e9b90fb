import { describe, expect, test } from "vitest";
import { bareRuntime } from "../../test/support/bare-runtime.ts";
import { ReaderBusy } from "../pool/pool.ts";
import type { Envelope, ValidationPool } from "../pool/types.ts";
import { readJson } from "./body.ts";
import { BodyRoom } from "./body-memory.ts";

const { pool } = bareRuntime().runtime;
const limit = 300_000;
const spaces = (bytes: number) => `{}${" ".repeat(bytes - 2)}`;

/** A request whose body comes as the controller gives it, without a declared length. */
function chunked() {
  const { promise, resolve } = Promise.withResolvers<ReadableStreamDefaultController<Uint8Array>>();
  const body = new ReadableStream<Uint8Array>({ start: resolve });
  const request = new Request("http://localhost/mcp", { method: "POST", body, duplex: "half" });
  return { request, controller: promise };
}

function whole(text: string): Request {
  const headers = { "content-length": String(Buffer.byteLength(text)) };
  return new Request("http://localhost/mcp", { method: "POST", headers, body: text });
}

test("small bodies need no room", async () => {
  const room = new BodyRoom(0);
  expect(await readJson(whole(spaces(65_536)), limit, pool, room)).toMatchObject({ bytes: 65_536 });
  expect(await readJson(whole(spaces(65_537)), limit, pool, room)).toEqual({ kind: "busy" });
});

test("nor do those whose size nobody said", async () => {
  const { request, controller } = chunked();
  const reading = readJson(request, limit, pool, new BodyRoom(0));
  const stream = await controller;
  for (const part of [spaces(65_000), " ".repeat(536)]) stream.enqueue(Buffer.from(part));
  stream.close();
  expect(await reading).toMatchObject({ kind: "message", bytes: 65_536 });
});

test("what a body has sent so far is held, and given back when its connection breaks", async () => {
  const room = new BodyRoom(limit);
  const { request, controller } = chunked();
  const reading = readJson(request, limit, pool, room);
  const stream = await controller;
  stream.enqueue(Buffer.from(spaces(200_000)));
  const other = () => readJson(whole(spaces(100_001)), limit, pool, room);
  await expect.poll(other).toEqual({ kind: "busy" });
  expect(await readJson(whole("{}"), limit, pool, room)).toMatchObject({ kind: "message" });
  stream.error(new Error("gone"));
  expect(await reading).toEqual({ kind: "invalid" });
  expect(room.take(limit)).toBe(true);
});

test("a body that is announced and does not come takes no room", async () => {
  const room = new BodyRoom(100_000);
  const stream = new ReadableStream<Uint8Array>();
  const headers = { "content-length": "300000" };
  const request = new Request("http://localhost/mcp", {
    method: "POST",
    headers,
    body: stream,
    duplex: "half",
  });
  void readJson(request, limit, pool, room);
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(room.take(100_000)).toBe(true);
});

test.each([
  ["a thousand parts of a byte are a slow client", 1_000, "message"],
  ["five thousand are an attack on memory", 5_000, "invalid"],
])("%s", async (_, count, kind) => {
  const { request, controller } = chunked();
  const reading = readJson(request, limit, pool, new BodyRoom(limit));
  const stream = await controller;
  for (const byte of Buffer.from(spaces(count))) stream.enqueue(Uint8Array.of(byte));
  stream.close();
  expect(await reading).toMatchObject({ kind });
});

test("of a body that is all there one part is read per turn of the event loop", async () => {
  const reader = { ...pool, readEnvelope: async () => ({ kind: "batch" }) as const };
  const { request, controller } = chunked();
  const stream = await controller;
  for (let count = 0; count < 20; count++) stream.enqueue(new Uint8Array(10_000));
  stream.close();
  let turns = 0;
  let isReading = true;
  const count = () => {
    turns += 1;
    if (isReading) setImmediate(count);
  };
  setImmediate(count);
  expect(await readJson(request, limit, reader, new BodyRoom(limit))).toEqual({ kind: "batch" });
  isReading = false;
  expect(turns).toBeGreaterThanOrEqual(19);
});

test("five thousand parts of a size that networks have are a large body", async () => {
  const reader = { ...pool, readEnvelope: async () => ({ kind: "batch" }) as const };
  const { request, controller } = chunked();
  const reading = readJson(request, limit, reader, new BodyRoom(limit));
  const stream = await controller;
  for (let count = 0; count < 5_000; count++) stream.enqueue(new Uint8Array(50));
  stream.close();
  expect(await reading).toEqual({ kind: "batch" });
});

test("a body that outgrows the room or the limit gives back what it had", async () => {
  for (const [bytes, kind] of [
    [limit - 1, "busy"],
    [limit + 1, "too_large"],
  ] as const) {
    const room = new BodyRoom(limit - 2);
    const { request, controller } = chunked();
    const reading = readJson(request, limit, pool, room);
    const stream = await controller;
    stream.enqueue(Buffer.from(spaces(100_000)));
    stream.enqueue(Buffer.alloc(bytes - 100_000));
    expect(await reading).toEqual({ kind });
    expect(room.take(limit - 2)).toBe(true);
  }
});

test("a body in parts takes no more room than one that comes whole", async () => {
  const room = new BodyRoom(200_000);
  const { request, controller } = chunked();
  const reader = { ...pool, readEnvelope: async () => ({ kind: "batch" }) as const };
  const reading = readJson(request, limit, reader, room);
  const stream = await controller;
  for (const part of [70_000, 70_000, 60_000]) stream.enqueue(Buffer.alloc(part));
  stream.close();
  expect(await reading).toEqual({ kind: "batch" });
  expect(room.take(200_000)).toBe(true);
});

test("room that is taken is room no more until it is given back", () => {
  const room = new BodyRoom(10);
  expect([room.take(6), room.take(5), room.take(4), room.take(1)]).toEqual([
    true,
    false,
    true,
    false,
  ]);
  room.giveBack(6);
  expect([room.take(7), room.take(6)]).toEqual([false, true]);
});

describe("a small body", () => {
  const room = new BodyRoom(0);
  const read = (body: string | Uint8Array<ArrayBuffer>, headers: Record<string, string> = {}) =>
    readJson(
      new Request("http://localhost/mcp", { method: "POST", body, headers }),
      limit,
      pool,
      room,
    );

  test("is one message, with the bytes it had on the wire", async () => {
    expect(await read('{"a":"é"}')).toEqual({ kind: "message", message: { a: "é" }, bytes: 10 });
    expect(await read(" 5 ")).toEqual({ kind: "message", message: 5, bytes: 3 });
  });

  test("that is a list of messages is told apart", async () => {
    expect(await read('[{"a":1}]')).toEqual({ kind: "batch" });
  });

  test.each([
    ["no JSON", '{"a"'],
    ["nothing", ""],
    ["not UTF-8", new Uint8Array([0x22, 0xff, 0x22])],
  ])("of %s is invalid", async (_, body) => {
    expect(await read(body)).toEqual({ kind: "invalid" });
    expect(await read(body, { "content-length": String(body.length) })).toEqual({
      kind: "invalid",
    });
  });

  test("whose envelope nests too deep for recursive code is invalid", async () => {
    const deep = `${"[".repeat(5_000)}${"]".repeat(5_000)}`;
    const call = (meta: string, args: string) =>
      `{"method":"tools/call","params":{"_meta":${meta},"arguments":${args}}}`;
    expect(await read(call(deep, "{}"))).toEqual({ kind: "invalid" });
    expect(await read(call("{}", deep))).toMatchObject({ kind: "message" });
  });

  test("that is missing is invalid", async () => {
    const request = new Request("http://localhost/mcp", { method: "POST" });
    expect(await readJson(request, limit, pool, room)).toEqual({ kind: "invalid" });
  });

  test("in several parts is put together in order", async () => {
    const { request, controller } = chunked();
    const reading = readJson(request, limit, pool, room);
    const stream = await controller;
    for (const part of ['{"a":', "[1,", "2]}"]) stream.enqueue(Buffer.from(part));
    stream.close();
    expect(await reading).toEqual({ kind: "message", message: { a: [1, 2] }, bytes: 11 });
  });
});

describe("the largest body", () => {
  const room = new BodyRoom(limit);
  const small = 100;
  const inParts = async (bytes: number) => {
    const { request, controller } = chunked();
    const reading = readJson(request, small, pool, room);
    const stream = await controller;
    stream.enqueue(Buffer.from(spaces(bytes)));
    stream.close();
    return reading;
  };

  test("is read, and one byte more is not, declared or in parts", async () => {
    expect(await readJson(whole(spaces(small)), small, pool, room)).toMatchObject({ bytes: small });
    expect(await inParts(small)).toMatchObject({ bytes: small });
    const refused = { kind: "too_large" };
    expect(await readJson(whole(spaces(small + 1)), small, pool, room)).toEqual(refused);
    expect(await inParts(small + 1)).toEqual(refused);
  });

  test("cannot be told from a length that is no number", async () => {
    const headers = { "content-length": "many" };
    const request = new Request("http://localhost/mcp", { method: "POST", headers, body: "{}" });
    expect(await readJson(request, small, pool, room)).toEqual({ kind: "too_large" });
  });
});

describe("a large body is read by the pool", () => {
  const text = spaces(65_537);
  const poolWith = (readEnvelope: ValidationPool["readEnvelope"]) => ({ ...pool, readEnvelope });

  test.each<[string, Envelope, object]>([
    ["a message", { kind: "message", message: { a: 1 } }, { bytes: 65_537 }],
    ["no message", { kind: "invalid" }, {}],
    ["a list of messages", { kind: "batch" }, {}],
  ])("and is %s by its word", async (_, envelope, more) => {
    const room = new BodyRoom(65_537);
    const seen: number[] = [];
    const reader = poolWith(async (parts) => {
      seen.push(...parts.map(({ byteLength }) => byteLength));
      // What is being read still takes its room.
      expect(room.take(1)).toBe(false);
      return envelope;
    });
    expect(await readJson(whole(text), limit, reader, room)).toEqual({ ...envelope, ...more });
    expect(seen).toEqual([65_537]);
    expect(room.take(65_537)).toBe(true);
  });

  test("in segments that hold what was sent, whatever parts it came in, alone in their memory", async () => {
    const sent = Buffer.from(Array.from({ length: 3_000_000 }, (_, at) => at % 251));
    for (const sizes of [[1_000_000], [70_000, 16, 999], [1_100_000, 3]]) {
      const room = new BodyRoom(sent.byteLength + 1_000_000);
      const read: Buffer[] = [];
      const reader = poolWith(async (parts) => {
        for (const part of parts) expect(part.byteLength).toBe(part.buffer.byteLength);
        // What was taken beyond its size is given back.
        expect([room.take(1_000_001), room.take(1_000_000)]).toEqual([false, true]);
        read.push(Buffer.concat(parts));
        return { kind: "batch" };
      });
      const { request, controller } = chunked();
      const reading = readJson(request, 2 * sent.byteLength, reader, room);
      const stream = await controller;
      for (let at = 0, part = 0; at < sent.byteLength; part++) {
        const end = at + (sizes[part % sizes.length] ?? 0);
        stream.enqueue(sent.subarray(at, end));
        at = end;
      }
      stream.close();
      expect(await reading).toEqual({ kind: "batch" });
      expect(read[0]?.equals(sent)).toBe(true);
      expect([room.take(sent.byteLength + 1), room.take(sent.byteLength)]).toEqual([false, true]);
    }
  });

  test("and a call whose arguments stay in it takes room until it is over", async () => {
    const room = new BodyRoom(65_537);
    const reader = poolWith(async ([body = new Uint8Array()]) => ({
      kind: "deferred",
      message: {},
      policyCount: 1,
      body,
    }));
    const body = await readJson(whole(text), limit, reader, room);
    expect(body).toMatchObject({ kind: "deferred", bytes: 65_537 });
    expect(room.take(1)).toBe(false);
    if (body.kind === "deferred") body.giveBack();
    expect(room.take(65_537)).toBe(true);
  });

  test("which may have no time for it; any other failure is a fault", async () => {
    const room = new BodyRoom(65_537);
    const busy = poolWith(() => Promise.reject(new ReaderBusy()));
    expect(await readJson(whole(text), limit, busy, room)).toEqual({ kind: "busy" });
    const broken = poolWith(() => Promise.reject(new RangeError("broken")));
    await expect(readJson(whole(text), limit, broken, room)).rejects.toThrow(RangeError);
    expect(room.take(65_537)).toBe(true);
  });
});
