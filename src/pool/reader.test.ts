import { describe, expect, test } from "vitest";
import { readEnvelope } from "./reader.ts";

const read = (
  text: string,
  mostValues = Number.POSITIVE_INFINITY,
  deferrable = ["validate_policies"],
) =>
  readEnvelope(Buffer.from(text), {
    deferrable,
    policyTools: deferrable,
    mostValues,
    wholeBytes: 500_000,
  });

const call = (name: string, args: string, more = "") =>
  `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"${name}","arguments":${args}}${more}}`;

test("a body of more values is refused, even when it is not JSON", () => {
  expect(read("[1,2,3", 3)).toEqual({ kind: "too_many_values" });
  expect(read("[1,2,3", 4)).toEqual({ kind: "invalid" });
});

test("the arguments of a deferrable call stay in the body, which comes back", () => {
  const text = call("validate_policies", '{"policies":[{},{"a":[1]}]}');
  expect(read(text)).toEqual({
    kind: "deferred",
    message: {
      jsonrpc: "2.0",
      id: 1,
      method: "tools/call",
      params: { name: "validate_policies", arguments: {} },
    },
    policyCount: 2,
    body: Buffer.from(text),
  });
});

test("members that the protocol does not know stay in the message", () => {
  const text = call("validate_policies", '{"policies":[{}]}', ',"extra":[1]');
  expect(read(text)).toMatchObject({ kind: "deferred", message: { extra: [1] } });
});

describe("a tool that the caller cannot see is read as one that does not exist", () => {
  test.each([
    ["values", `[${"1,".repeat(150_000)}1]`, "too_many_values"],
    ["levels", "[".repeat(160) + "]".repeat(160), "invalid"],
  ])("%s", (_, policies, kind) => {
    for (const name of ["validate_policies", "no_such_tool"]) {
      expect(read(call(name, `{"policies":${policies}}`), undefined, []).kind).toBe(kind);
    }
  });
});

test("of a call over the limit the arguments are left out", () => {
  const text = call("query", JSON.stringify({ service: "x".repeat(500_000) }));
  expect(read(text)).toMatchObject({ kind: "message", message: { params: { name: "query" } } });
  expect(JSON.stringify(read(text)).length).toBeLessThan(200);
});

test("a call without a policy may have far fewer values", () => {
  const args = JSON.stringify({ a: Array(3_000).fill(1) });
  expect(read(call("query", args))).toEqual({ kind: "too_many_values" });
  const other = { deferrable: [], policyTools: ["query"], mostValues: 1e6, wholeBytes: 1e6 };
  expect(readEnvelope(Buffer.from(call("query", args)), other).kind).toBe("message");
});

test.each(["", "{", "\u00ff", '{"a":}'])("%j is not JSON", (text) => {
  expect(read(text)).toEqual({ kind: "invalid" });
});

test("bytes that are not UTF-8 are not JSON", () => {
  const bytes = Buffer.from([0x22, 0xff, 0x22]);
  expect(
    readEnvelope(bytes, { deferrable: [], policyTools: [], mostValues: 9, wholeBytes: 9 }),
  ).toEqual({ kind: "invalid" });
});
