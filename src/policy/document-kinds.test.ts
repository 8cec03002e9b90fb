import { expect, test } from "vitest";
import { rootNode } from "../json/node.ts";
import { maxDepth } from "../json/text.ts";
import { objectDocument, parseDocument } from "./document.ts";

test.each([
  ["{}", true],
  ['\uFEFF {"a": [1]}', true],
  ['"a"', true],
  ["7", true],
  ["a: 1", false],
  ["{a: 1}", false],
  ["a", false],
])("%j is JSON: %s", async (text, isJsonText) => {
  const document = await parseDocument(text);
  expect(document).toMatchObject({ isJsonText, text, faults: [] });
  expect(document.locate(rootNode)?.start.line).toBe(1);
});

test("a value is no text, and has no places", () => {
  const document = objectDocument({ a: 1 });
  expect(document).toMatchObject({ isJsonText: false, text: null, raw: { a: 1 }, faults: [] });
  expect(document.locate(rootNode)).toBeNull();
  expect(document.compactBytes).toBe('{"a":1}'.length);
});

const deep = (open: string, close: string) =>
  open.repeat(maxDepth + 1) + close.repeat(maxDepth + 1);

test.each([
  ["JSON", deep("[", "]"), { line: 1, column: maxDepth }],
  ["YAML in brackets", deep("[", "]").replace("[]", "[a]"), { line: 1, column: maxDepth }],
  ["YAML", "- ".repeat(maxDepth + 1), null],
])("%s that is nested too deeply says so at its place", async (_, text, start) => {
  const { raw, faults, compactBytes } = await parseDocument(text);
  expect({ raw, compactBytes }).toEqual({ raw: undefined, compactBytes: 0 });
  expect(faults.map(({ kind }) => kind)).toEqual(["depth"]);
  const [fault] = faults;
  if (start === null) return;
  expect(fault?.location).toMatchObject({
    start,
    end: { line: 1, column: start.column + 1 },
  });
});

test.each([
  ['{"a": 1, "a": 2}', ["a"]],
  ['{"a": 1, "b": {"a": 2}}', []],
  ['{"a": ":", "b": 2}', []],
])("%s repeats %j", async (text, names) => {
  const { faults } = await parseDocument(text);
  expect(faults.map((fault) => fault.kind === "duplicate" && fault.name)).toEqual(names);
});
