import { describe, expect, test } from "vitest";
import { repairedJson } from "./repair.ts";

describe("the repair of a text that is nearly JSON", () => {
  test.each([
    ["a comment alone in its line", '{\n  // why\n  "a": 1\n}\n', '{\n  "a": 1\n}\n'],
    ["a comment behind a member", '{"a": 1, // why\r\n "b": 2}', '{"a": 1,\r\n "b": 2}'],
    ["a block comment within a line", '{"a": /* why */ 1}', '{"a": 1}'],
    [
      "commas before a closing bracket",
      '{"a": [1, 2,], "b": {"c": 1 , }, }',
      '{"a": [1, 2], "b": {"c": 1  } }',
    ],
    [
      "a missing comma between members",
      '{\n\t"a": 1\n\t"b": [2]\n}',
      '{\n\t"a": 1,\n\t"b": [2]\n}',
    ],
    [
      "a missing comma between objects",
      '{"a": [{"b": 1}\n{"c": 2}]}',
      '{"a": [{"b": 1},\n{"c": 2}]}',
    ],
    ["a doubled comma", '{"a": 1,, "b": [2,,3]}', '{"a": 1, "b": [2,3]}'],
    ["a bracket behind the end", '{"a": [1]}}\n', '{"a": [1]}\n'],
    ["a bracket too few", '{\n  "a": [\n    1\n  ]\n', '{\n  "a": [\n    1\n  ]\n}\n'],
    [
      "two brackets too few",
      '{\r\n  "a": [\r\n    {}\r\n',
      '{\r\n  "a": [\r\n    {}\r\n  ]\r\n}\r\n',
    ],
    ["a bracket too few in one line", '{"a": [{"b": 1}]', '{"a": [{"b": 1}]}'],
    ["a semicolon behind the end", '{"a": 1};', '{"a": 1}'],
    ["a comment behind the end", '{"a": 1} // end', '{"a": 1}'],
    ["typographic quotes", "{\u201ca\u201d: \u201d\u201c}", '{"a": ""}'],
    [
      "typographic quotes outside texts",
      '{"a": "\u201c", \u201eb\u201c: 1}',
      '{"a": "\u201c", "b": 1}',
    ],
    ["single quotes", `{'a': ['b', "c"]}`, '{"a": ["b", "c"]}'],
    ["double quotes within single ones", `{'a': 'say "b"'}`, '{"a": "say \\"b\\""}'],
    ["single quotes behind a comment with an apostrophe", `{ // don't\n'a': 1}`, '{\n"a": 1}'],
    ["a comment in a text with a byte order mark", '\uFEFF{"a": 1 // b\n}', '\uFEFF{"a": 1\n}'],
  ])("removes or adds %s", (_, text, repaired) => expect(repairedJson(text)).toBe(repaired));

  test.each([
    ["is JSON", '{"a": "// no comment, }"}'],
    ["lacks a bracket as well", '{"a": [1, // one\n}'],
    ["ends within a list", '{"a": [1, 2'],
    ["lacks three brackets", '{"a": {"b": [{}'],
    ["lacks a colon as well", '{"a" "b" // c\n}'],
    ["lacks a quote as well", '{"a: 1, // b\n}'],
    ["has two objects", '{"a": 1} {"b": 2}'],
    ["has typographic quotes in its texts only", '{"a": "\u201cb\u201d"}'],
    ["has single quotes in its texts only", `{"a": "'b'"}`],
    ["doubles single quotes, as YAML does", "{'a': 'it''s'}"],
    ["escapes a single quote", "{'a': 'it\\\\'s'}"],
    ["is not an object", "[1, 2,]"],
    ["is too long", `{"a": "${"x".repeat(8192)}",}`],
  ])("there is none for a text that %s", (_, text) => expect(repairedJson(text)).toBeNull());
});
