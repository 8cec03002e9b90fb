import { describe, expect, test } from "vitest";
import { bareRuntime } from "../../test/support/bare-runtime.ts";
import { Budget, Reservation } from "../admission/budget.ts";
import { ReaderBusy } from "../pool/pool.ts";
import type { Envelope, ValidationPool } from "../pool/types.ts";
import { idIn, readMessage } from "./body.ts";
import { ReceivedBody } from "./body-source.ts";

const { pool } = bareRuntime().runtime;
const limit = 300_000;

function sourceOf(
  body: string | Uint8Array<ArrayBuffer> | null,
  headers: Record<string, string> = {},
) {
  return new ReceivedBody(new Request("http://localhost/mcp", { method: "POST", body, headers }));
}

function read(
  body: string | Uint8Array<ArrayBuffer> | null,
  { reader = pool, isCostly = false, deferrable = ["validate_policies"], most = limit } = {},
) {
  const budget = new Budget({ process: limit, caller: limit });
  return readMessage(sourceOf(body), {
    limit: most,
    pool: reader,
    reservation: new Reservation(budget, "alice"),
    caller: "alice",
    deferrable,
    policyTools: deferrable,
    isCostly: () => isCostly,
  });
}

async function parsed(body: string) {
  const small = await read(body);
  if (small.kind !== "small") throw new Error(small.kind);
  return { message: small.parse(), bytes: small.bytes };
}

describe("a small body", () => {
  test("is one message, with the bytes it had on the wire", async () => {
    expect(await parsed('{"a":"é"}')).toEqual({ message: { a: "é" }, bytes: 10 });
    expect(await parsed(" 5 ")).toEqual({ message: 5, bytes: 3 });
    expect(await parsed('\ufeff{"a":1}')).toEqual({ message: { a: 1 }, bytes: 10 });
  });

  test("that is a list of messages is told apart", async () => {
    expect(await read('[{"a":1}]')).toEqual({ kind: "batch", id: null });
  });

  test.each([
    ["no JSON", '{"a"'],
    ["nothing", ""],
    ["none at all", null],
    ["not UTF-8", new Uint8Array([0x22, 0xff, 0x22])],
  ])("of %s is invalid", async (_, body) => {
    expect(await read(body)).toEqual({ kind: "invalid", id: null });
  });

  test("whose envelope nests too deep for recursive code is invalid", async () => {
    const deep = `${"[".repeat(1_500)}${"]".repeat(1_500)}`;
    const call = (meta: string, args: string) =>
      `{"method":"tools/call","params":{"_meta":${meta},"arguments":${args}}}`;
    expect(await read(call(deep, "{}"))).toEqual({ kind: "invalid", id: null });
    expect(await parsed(call("{}", deep))).toMatchObject({ message: { method: "tools/call" } });
  });
});

describe("a small call", () => {
  const call = JSON.stringify({
    id: 7,
    method: "tools/call",
    params: { name: "validate_policies", arguments: { policies: [{}, {}] } },
  });

  test("that costs much is passed on as bytes, which are not parsed", async () => {
    expect(await read(call, { isCostly: true })).toEqual({
      kind: "deferred",
      message: {
        id: 7,
        method: "tools/call",
        params: { name: "validate_policies", arguments: {} },
      },
      bytes: call.length,
      policyCount: 2,
      body: new TextEncoder().encode(call),
    });
  });

  test("of a tool that takes parsed arguments, or that the caller cannot see, is parsed", async () => {
    expect((await read(call, { isCostly: true, deferrable: [] })).kind).toBe("small");
    expect((await read(call)).kind).toBe("small");
  });

  test("with members that the protocol does not know is parsed", async () => {
    const more = call.replace('"id":7', '"id":7,"extra":1');
    expect((await read(more, { isCostly: true })).kind).toBe("small");
  });
});

test("of a body that was cut short nothing is scanned for an id, which its answer does not have", async () => {
  const source = sourceOf(null);
  source.read = async () => "invalid";
  source.head = () => {
    throw new Error("the head was read");
  };
  const budget = new Budget({ process: limit, caller: limit });
  const reservation = new Reservation(budget, "alice");
  const options = { limit, pool, reservation, caller: "alice", deferrable: [], policyTools: [] };
  expect(await readMessage(source, { ...options, isCostly: () => false })).toEqual({
    kind: "invalid",
    id: null,
  });
});

test("a body of the largest size is read, and one byte more is not", async () => {
  expect((await read("1".padEnd(100), { most: 100 })).kind).toBe("small");
  expect(await read("1".padEnd(101), { most: 100 })).toEqual({ kind: "too_large", id: null });
  const source = sourceOf("{}", { "content-length": "many" });
  const budget = new Budget({ process: 0, caller: 0 });
  expect(await source.read(100, new Reservation(budget, "alice"))).toBe("too_large");
});

describe("a large body is read by the pool", () => {
  const text = "{}".padEnd(65_537);
  const poolWith = (readEnvelope: ValidationPool["readEnvelope"]) => ({ ...pool, readEnvelope });

  test.each<[string, Envelope, object]>([
    ["a message", { kind: "message", message: { a: 1 } }, { bytes: 65_537 }],
    ["no message", { kind: "invalid" }, { id: null }],
    ["a list of messages", { kind: "batch" }, { id: null }],
  ])("and is %s by its word", async (_, envelope, more) => {
    const seen: unknown[] = [];
    const reader = poolWith(async (parts, reading) => {
      seen.push(
        parts.map(({ byteLength }) => byteLength),
        reading,
      );
      return envelope;
    });
    expect(await read(text, { reader })).toEqual({ ...envelope, ...more });
    expect(seen).toEqual([
      [65_537],
      { caller: "alice", deferrable: ["validate_policies"], policyTools: ["validate_policies"] },
    ]);
  });

  test("which may have no time for it; any other failure is a fault", async () => {
    const busy = poolWith(() => Promise.reject(new ReaderBusy()));
    expect(await read(text, { reader: busy })).toEqual({ kind: "busy", id: null });
    const broken = poolWith(() => Promise.reject(new RangeError("broken")));
    await expect(read(text, { reader: broken })).rejects.toThrow(RangeError);
  });
});

test("the id of a request is that of its JSON, as far as that has come", () => {
  const idOf = (text: string) =>
    idIn({
      read: () => Promise.reject(new Error("not asked")),
      head: () => new TextEncoder().encode(text),
      isComplete: false,
      discard: async () => {},
    });
  expect(idOf('{"params":{"id":2},"id":"a\\u0062","method":"x')).toBe("ab");
  expect(idOf('{"id":{"a":1}}')).toBeNull();
  expect(idOf('{"params":')).toBeNull();
  expect(idOf("")).toBeNull();
});
