import { expect, test } from "vitest";
import { bareRuntime } from "../../test/support/bare-runtime.ts";
import { BodyRoom, readJson } from "./body.ts";

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
