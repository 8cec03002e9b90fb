import { expect, test } from "vitest";
import { argumentsOf, calledTool, metaOf, methodOf, withoutArguments } from "./message.ts";

const call = {
  jsonrpc: "2.0",
  id: 7,
  method: "tools/call",
  params: { name: "query", arguments: { kind: "arn_formats" }, _meta: { progressToken: 1 } },
};

test("a call tells its method, its tool, its arguments and its _meta", () => {
  expect(methodOf(call)).toBe("tools/call");
  expect(calledTool(call)).toBe("query");
  expect(argumentsOf(call)).toEqual({ kind: "arn_formats" });
  expect(metaOf(call)).toEqual({ progressToken: 1 });
});

test("what is not a message has nothing to tell", () => {
  for (const message of [null, undefined, 5, "tools/call", true, [], {}]) {
    expect(methodOf(message)).toBeUndefined();
    expect(calledTool(message)).toBeUndefined();
    expect(argumentsOf(message)).toBeUndefined();
    expect(metaOf(message)).toBeUndefined();
  }
});

test("a tool is named by a call only, and by text only", () => {
  expect(calledTool({ method: "prompts/get", params: { name: "query" } })).toBeUndefined();
  expect(calledTool({ method: "tools/call", params: { name: 5 } })).toBeUndefined();
  expect(calledTool({ method: "tools/call", params: null })).toBeUndefined();
  expect(calledTool({ method: "tools/call" })).toBeUndefined();
  expect(methodOf({ method: 5 })).toBeUndefined();
});

test("a _meta that is not an object is ignored", () => {
  for (const _meta of [null, "x", 5]) expect(metaOf({ params: { _meta } })).toBeUndefined();
});

test("what every object inherits is not a member of a message", () => {
  const heir = Object.create(call);
  expect(methodOf(heir)).toBeUndefined();
  expect(argumentsOf({ params: Object.create(call.params) })).toBeUndefined();
});

test("a message without its arguments keeps all else, and is a copy", () => {
  const before = structuredClone(call);
  expect(withoutArguments(call)).toEqual({
    ...call,
    params: { name: "query", arguments: {}, _meta: { progressToken: 1 } },
  });
  expect(call).toEqual(before);
});

test("a message that has no params stays as it is", () => {
  for (const message of [null, "x", { method: "ping" }, { method: "ping", params: 5 }]) {
    expect(withoutArguments(message)).toBe(message);
  }
});
