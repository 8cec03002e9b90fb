import { expect, test } from "vitest";
import { isTooDeep } from "./depth.ts";

const lists = (levels: number) => JSON.parse("[".repeat(levels) + "]".repeat(levels));
const objects = (levels: number) =>
  JSON.parse(`${'{"a":'.repeat(levels - 1)}{}${"}".repeat(levels - 1)}`);

test.each([
  ["lists", lists],
  ["objects", objects],
])("%s may nest 150 levels inside the outermost, not one more", (_, nested) => {
  expect(isTooDeep(nested(151))).toBe(false);
  expect(isTooDeep(nested(152))).toBe(true);
});

test("the deepest member decides, wherever it stands", () => {
  const flat = [1, "x", null, {}, []];
  expect(isTooDeep([...flat, { a: flat, b: [flat] }], 4)).toBe(false);
  expect(isTooDeep([...flat, { a: flat, b: [flat] }], 3)).toBe(true);
});

test("what holds nothing is never too deep", () => {
  for (const value of [null, undefined, 5, "[[[[", true]) expect(isTooDeep(value, 0)).toBe(false);
  expect(isTooDeep([null, 1, "x"], 0)).toBe(false);
  expect(isTooDeep([[]], 0)).toBe(true);
});

test("a value that holds itself is too deep", () => {
  const self: Record<string, unknown> = {};
  self.a = self;
  self.b = [self, self];
  expect(isTooDeep(self)).toBe(true);
});
