import { describe, expect, test } from "vitest";
import { readEnvelope } from "./reader.ts";

const read = (
  text: string,
  mostValues = Number.POSITIVE_INFINITY,
  deferrable = ["validate_policies"],
) => readEnvelope(Buffer.from(text), { deferrable, mostValues });

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

test.each(["", "{", "\u00ff", '{"a":}'])("%j is not JSON", (text) => {
  expect(read(text)).toEqual({ kind: "invalid" });
});

test("bytes that are not UTF-8 are no JSON", () => {
  const bytes = Buffer.from([0x22, 0xff, 0x22]);
  expect(readEnvelope(bytes, { deferrable: [], mostValues: 9 })).toEqual({ kind: "invalid" });
});
