import { describe, expect, test } from "vitest";
import { modernRevision, olderRevisions } from "../protocol/revisions.ts";
import { FastPath } from "./fast-path.ts";

const older = { accept: "application/json, text/event-stream" };
const modern = {
  "mcp-protocol-version": modernRevision,
  "mcp-method": "tools/call",
  "mcp-name": "query",
};
const envelope = {
  "io.modelcontextprotocol/protocolVersion": modernRevision,
  "io.modelcontextprotocol/clientInfo": { name: "client", version: "1" },
  "io.modelcontextprotocol/clientCapabilities": {},
};

function request(params: object = {}, rest: object = {}): unknown {
  const whole = { name: "query", arguments: { kind: "x" }, ...params };
  // As it comes off the wire: no member is `undefined`.
  const text = JSON.stringify({
    jsonrpc: "2.0",
    id: 1,
    method: "tools/call",
    params: whole,
    ...rest,
  });
  return JSON.parse(text);
}

const read = (message: unknown, headers: Record<string, string>) =>
  new FastPath().read(message, new Headers(headers));

describe("a plain call", () => {
  const plain = { id: 1, name: "query", args: { kind: "x" } };

  test("of an older revision", () => {
    expect(read(request(), older)).toEqual({ ...plain, revision: "older" });
  });

  test.each(olderRevisions)("that names revision %s in its header", (revision) => {
    expect(read(request(), { ...older, "mcp-protocol-version": revision })).toBeDefined();
  });

  test("of revision 2026-07-28", () => {
    expect(read(request({ _meta: envelope }), modern)).toEqual({ ...plain, revision: "modern" });
  });

  test("may leave its arguments out", () => {
    expect(read(request({ arguments: undefined }), older)).toMatchObject({ args: undefined });
  });

  test.each([["a"], [7]])("may ask for progress with %j", (progressToken) => {
    expect(read(request({ _meta: { progressToken } }), older)).toBeDefined();
    expect(read(request({ _meta: { ...envelope, progressToken } }), modern)).toBeDefined();
  });

  test("may say more in _meta under names that are not the protocol's", () => {
    expect(read(request({ _meta: { traceparent: "x", "a/b": [1] } }), older)).toBeDefined();
  });

  test.each([["a text"], [0]])("has any id: %j", (id) => {
    expect(read(request({}, { id }), older)).toMatchObject({ id });
  });
});

describe("what is left to the SDK", () => {
  test.each([
    ["no message", null],
    ["a list", [request()]],
    ["another method", request({}, { method: "tools/list" })],
    ["another version of JSON-RPC", request({}, { jsonrpc: "1.0" })],
    ["no id", request({}, { id: undefined })],
    ["an id that is null", request({}, { id: null })],
    ["an id that is not a whole number", request({}, { id: 1.5 })],
    ["a member more", request({}, { extra: 1 })],
    ["a parameter more", request({ inputResponses: {} })],
    ["a task", request({ task: {} })],
    ["parameters that are a list", { jsonrpc: "2.0", id: 1, method: "tools/call", params: [] }],
    ["no parameters", { jsonrpc: "2.0", id: 1, method: "tools/call" }],
    ["no name", request({ name: undefined })],
    ["a name that is not text", request({ name: 1 })],
    ["arguments that are null", request({ arguments: null })],
    ["arguments that are a list", request({ arguments: [] })],
    [
      "an argument called __proto__",
      JSON.parse(
        '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"query","arguments":{"__proto__":1}}}',
      ),
    ],
    ["a _meta that is null", request({ _meta: null })],
    ["a _meta that is a list", request({ _meta: [] })],
    [
      "a progress token that is neither text nor whole number",
      request({ _meta: { progressToken: 1.5 } }),
    ],
    [
      "a member of the protocol's own in _meta",
      request({ _meta: { "io.modelcontextprotocol/related-task": 1 } }),
    ],
    ["half an envelope", request({ _meta: { "io.modelcontextprotocol/clientInfo": {} } })],
    ["an envelope without its headers", request({ _meta: envelope })],
  ])("%s", (_, message) => {
    expect(read(message, older)).toBeUndefined();
  });

  test.each([
    ["no Accept", {}],
    ["one form of answer", { accept: "application/json" }],
    ["any form of answer", { accept: "*/*" }],
    ["streams rather than JSON", { accept: "application/json;q=0.5, text/event-stream" }],
    ["a revision we do not know", { ...older, "mcp-protocol-version": "2024-01-01" }],
    ["revision 2026-07-28, without its envelope", { ...older, ...modern }],
  ])("an older call that asks for %s", (_, headers) => {
    expect(read(request(), headers as Record<string, string>)).toBeUndefined();
  });

  test.each([
    ["has no revision", { ...modern, "mcp-protocol-version": "" }],
    ["names another revision", { ...modern, "mcp-protocol-version": "2025-11-25" }],
    ["has no method", { ...modern, "mcp-method": "" }],
    ["names another method", { ...modern, "mcp-method": "tools/list" }],
    ["has no tool", { ...modern, "mcp-name": "" }],
    ["names another tool", { ...modern, "mcp-name": "get_config" }],
  ])("a call of revision 2026-07-28 whose header %s", (_, headers) => {
    expect(read(request({ _meta: envelope }), headers)).toBeUndefined();
  });

  const claim = "io.modelcontextprotocol/protocolVersion";
  const info = "io.modelcontextprotocol/clientInfo";
  const can = "io.modelcontextprotocol/clientCapabilities";
  const { [can]: _can, ...withoutCapabilities } = envelope;
  test.each([
    ["a revision we do not know", { ...envelope, [claim]: "2027-01-01" }],
    ["an older revision", { ...envelope, [claim]: "2025-11-25" }],
    ["a revision that is not text", { ...envelope, [claim]: 1 }],
    ["client info that is null", { ...envelope, [info]: null }],
    ["client info without a name", { ...envelope, [info]: { version: "1" } }],
    ["capabilities that are a text", { ...envelope, [can]: "all" }],
    ["no capabilities", withoutCapabilities],
    ["a log level", { ...envelope, "io.modelcontextprotocol/logLevel": "debug" }],
  ])("an envelope with %s, even when good ones came before", (_, meta) => {
    const calls = new FastPath();
    const { [info]: _info, ...anonymous } = envelope;
    for (const good of [envelope, anonymous, envelope]) {
      expect(calls.read(request({ _meta: good }), new Headers(modern))).toBeDefined();
    }
    expect(calls.read(request({ _meta: meta }), new Headers(modern))).toBeUndefined();
  });
});
