import fc from "fast-check";
import { expect, test } from "vitest";
import { readEnvelope } from "../pool/reader.ts";
import { hasMoreValues, mostValues } from "./count-values.ts";

/** Values, as a reader of the parsed text would count them; an empty list or object counts as one with a member. */
function valuesIn(value: unknown): number {
  if (typeof value !== "object" || value === null) return 1;
  const members: unknown[] = Object.values(value);
  return (
    1 +
    Math.max(
      1,
      members.map(valuesIn).reduce((sum, count) => sum + count, 0),
    )
  );
}

test("values are counted wherever they stand, and nothing inside a text is one", () => {
  const texts = fc.string({ unit: fc.constantFrom("a", ",", "[", "{", '"', "\\", "é") });
  fc.assert(
    fc.property(fc.jsonValue({ stringUnit: "binary" }), texts, (value, text) => {
      const all = [value, text, { [text]: [] }];
      const json = Buffer.from(JSON.stringify(all, null, 1) + " ".repeat(10_000));
      const count = valuesIn(all);
      expect(hasMoreValues(json, count)).toBe(false);
      expect(hasMoreValues(json, count - 1)).toBe(true);
    }),
  );
});

test("a text that is no JSON comes to an end", () => {
  for (const text of ['"', '"\\', "[", "]", ",", ""]) {
    expect(hasMoreValues(Buffer.from(text), 5)).toBe(false);
  }
});

test("a body may have half a million values, and more where more bytes are allowed", () => {
  expect(mostValues(1)).toBe(500_000);
  expect(mostValues(8 * 1_048_576)).toBe(524_288);
  expect(mostValues(80_000_000)).toBe(5_000_000);
});

test("a body of more values is never parsed", () => {
  const body = Buffer.from("[1,2,3");
  expect(readEnvelope(body, 3)).toEqual({ kind: "too_many_values" });
  expect(readEnvelope(body, 4)).toEqual({ kind: "invalid" });
});
