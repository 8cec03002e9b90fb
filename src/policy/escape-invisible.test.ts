import { expect, test } from "vitest";
import { escapeInvisible, escapeInvisibleLines } from "./escape-invisible.ts";

test.each([
  ["plain é 日本 🙂", "plain é 日本 🙂"],
  ["a\nb\rc\td", "a\\nb\\rc\\td"],
  ["\u0000\u001b\u007f\u0085", "\\u0000\\u001b\\u007f\\u0085"],
  ["\u200b\u202e\u2028\u2029\u202f\ufeff", "\\u200b\\u202e\\u2028\\u2029\\u202f\\ufeff"],
  ["\ud800", "\\ud800"],
  ["\u{e0041}\ufe0f\u3164", "\\u{e0041}\\ufe0f\\u3164"],
  // White space that people see.
  ["a b\u00a0c", "a b\u00a0c"],
])("%j is shown as %s", (text, shown) => {
  expect(escapeInvisible(text)).toBe(shown);
});

test("lines stay lines, and a tab becomes two spaces", () => {
  expect(escapeInvisibleLines("a\n\tb\r\nc\rd\u0007\t")).toEqual(["a", "  b", "c", "d\\u0007  "]);
});
