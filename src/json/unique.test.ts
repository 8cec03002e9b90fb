import { expect, test } from "vitest";
import { parseUniqueJson } from "./unique.ts";

test.each([
  ["an object", '{"b": 1, "a": {"b": [2]}}', { b: 1, a: { b: [2] } }],
  ["names that repeat in different objects only", '[{"a": {"a": 1}}, {"a": 2}]', undefined],
  ["values that repeat", '{"a": "x", "b": "x"}', { a: "x", b: "x" }],
  ["a list", '["a", "a"]', undefined],
  ["null", "null", undefined],
  ["text", '"{}"', undefined],
])("takes %s", (_, text, object) => {
  const members = object && Object.entries(object);
  expect(parseUniqueJson(text)).toEqual({ value: JSON.parse(text), members });
});

test.each([
  ["at the top", '{"a": 1, "b": 2, "a": 3}'],
  ["deep inside", '{"x": [1, {"y": {"a": 1, "a": 1}}]}'],
  ["in another spelling", String.raw`{"a": 1, "\u0061": 2}`],
  ["of the prototype", '{"__proto__": 1, "__proto__": 2}'],
])("refuses names that repeat %s", (_, text) => {
  expect(parseUniqueJson(text)).toEqual({ problem: "repeats a key in one of its objects" });
});

test.each([[""], ["{"], ["{'a': 1}"], ['{"a": 1,}'], ["{} // x"], ["\uFEFF{}"]])(
  "refuses %j, which is not JSON",
  (text) => {
    expect(parseUniqueJson(text)).toEqual({ problem: "is not valid JSON" });
  },
);
