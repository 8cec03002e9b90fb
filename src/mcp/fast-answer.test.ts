import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { bareRuntime } from "../../test/support/bare-runtime.ts";
import { fastAnswers } from "./fast-answer.ts";

test("the bytes were compared with those of this version of the SDK", () => {
  const manifest = readFileSync("node_modules/@modelcontextprotocol/server/package.json", "utf8");
  // For a new version run test/contract/fast-path.test.ts and the fuzzer's `rpc` target first.
  expect(JSON.parse(manifest).version).toBe("2.4.0");
});

const answer = fastAnswers(bareRuntime());
const json = '{"text":"é"}';
const bytes = (text: string) => new TextEncoder().encode(text);
const ofModern = {
  resultType: "complete",
  _meta: {
    "io.modelcontextprotocol/serverInfo": {
      name: "validator-mcp",
      title: "IAM Policy Validator",
      version: "1.2.3",
    },
  },
};

describe.each([
  ["older", {}],
  ["modern", ofModern],
] as const)("an answer to a call of an %s revision", (revision, more) => {
  const call = { revision, id: 'a"b', name: "weigh", args: {} };

  test.each([
    ["in text", json, JSON.stringify(json)],
    ["in bytes", bytes(json), bytes(JSON.stringify(json))],
    ["in both", bytes(json), JSON.stringify(json)],
  ])("holds the output twice, however it was prepared: %s", async (_, json, text) => {
    const prepared = { json, text, truncated: false };
    const response = answer(call, { prepared, structured: () => ({}) });
    expect([response.status, response.headers.get("content-type")]).toEqual([
      200,
      "application/json",
    ]);
    expect(await response.json()).toEqual({
      jsonrpc: "2.0",
      id: 'a"b',
      result: {
        content: [{ type: "text", text: '{"text":"é"}' }],
        structuredContent: { text: "é" },
        isError: false,
        ...more,
      },
    });
  });

  test("frees the memory that a worker's output came in", () => {
    const output = { json: bytes(json), text: bytes(JSON.stringify(json)), truncated: false };
    answer(call, { prepared: output, structured: () => ({}) });
    expect([output.json.byteLength, output.text.byteLength]).toEqual([0, 0]);
  });

  test("holds the text of a tool error", async () => {
    const response = answer({ ...call, id: 0 }, { error: 'Not "that".' });
    expect(response.headers.get("content-type")).toBe("application/json");
    expect(await response.json()).toEqual({
      jsonrpc: "2.0",
      id: 0,
      result: { content: [{ type: "text", text: 'Not "that".' }], isError: true, ...more },
    });
  });
});
