import { expect, test } from "vitest";
import { count, fillIn, listed, listedPlain, sortedOnce } from "./texts.ts";

test("a list is cut at a number and says how many are left out", () => {
  expect(listed(["a", "b"])).toBe("`a`, `b`");
  expect(listed(["a", "b", "c"], 2)).toBe("`a`, `b` and 1 more");
  expect(listed(["a", "b"], 2)).toBe("`a`, `b`");
  expect(listedPlain(["a", "b", "c"], 1)).toBe("a and 2 more");
});

test("values take the place of placeholders as plain text", () => {
  const action = "$& {service} `{0}`";
  expect(fillIn("{action}/{action}", { action })).toBe(`${action}/${action}`);
  expect(fillIn('{"Action": {}, {actions} {toString}', { action })).toBe(
    '{"Action": {}, {actions} {toString}',
  );
});

test("a value cannot break the lines of an operator's text", () => {
  expect(fillIn("{action}!", { action: "a\nb\u2028c\u202ed\u0000" })).toBe("a b c d !");
});

test("sorts by code point, each value once", () => {
  expect(sortedOnce(["b", "a", "B", "a"])).toEqual(["B", "a", "b"]);
  expect(sortedOnce(["a", "b", "c"])).toEqual(["a", "b", "c"]);
  expect(sortedOnce(["c", "a", "b"])).toEqual(["a", "b", "c"]);
  expect(sortedOnce(["a", "c", "b"])).toEqual(["a", "b", "c"]);
  expect(sortedOnce(["a", "a"])).toEqual(["a"]);
});

test("counts in words", () => {
  expect([count(1, "statement"), count(2, "statement")]).toEqual(["1 statement", "2 statements"]);
});
