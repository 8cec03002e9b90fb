import fc from "fast-check";
import { expect, test } from "vitest";
import { didYouMean, joinWords, quote, quoteList, quoteValue, thousands } from "./quote.ts";

test.each([
  ["s3:GetObject", "`s3:GetObject`"],
  ["", '`""`'],
  ["a`b", "``a`b``"],
  ["a``b`c", "```a``b`c```"],
  ["`a", "`` `a ``"],
  [" a ", "`  a  `"],
  ["a\nb\r\tc", "`a\\nb\\r\\tc`"],
  ["a\u0000b\u202eb\u200b\ud800", "`a\\u0000b\\u202eb\\u200b\\ud800`"],
  ["😀", "`😀`"],
  ["a\u{e0041}\u{e0100}\ufe0f\u3164\u034f", "`a\\u{e0041}\\u{e0100}\\ufe0f\\u3164\\u034f`"],
])("%j becomes %j", (value, quoted) => {
  expect(quote(value)).toBe(quoted);
});

test("a long value is cut, never inside a character", () => {
  expect(quote("a".repeat(200), 10)).toBe(`\`${"a".repeat(10)}…\``);
  expect(quote(`${"a".repeat(9)}😀b`, 10)).toBe(`\`${"a".repeat(9)}…\``);
});

test("whatever a policy holds stays inside one code span on one line", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 300 }), (value) => {
      const quoted = quote(value);
      const [, fence = "", inside = ""] = /^(`+)([\s\S]*?)\1$/.exec(quoted) ?? [];
      expect(fence).not.toBe("");
      expect(inside.split(/[^`]+/)).not.toContain(fence);
      expect(quoted).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{DI}]/u);
      expect(quoted.isWellFormed()).toBe(true);
    }),
  );
});

test("lists end in a word, and say how many they leave out", () => {
  expect(quoteList(["a", "b", "c"])).toBe("`a`, `b` and `c`");
  expect(quoteList(["a", "b", "c"], 2)).toBe("`a`, `b` and 1 more");
  expect(joinWords([])).toBe("");
  expect(didYouMean(["a", "b"])).toBe("Did you mean `a` or `b`?");
});

test("values of other JSON types are named by their kind", () => {
  expect([null, 5, true, "x", [], [1], {}].map(quoteValue)).toEqual([
    "`null`",
    "`5`",
    "`true`",
    '`"x"`',
    "an empty list",
    "a list",
    "an object",
  ]);
});

test("thousands are set apart", () => {
  expect([0, 999, 1000, 1234567].map(thousands)).toEqual(["0", "999", "1,000", "1,234,567"]);
});
