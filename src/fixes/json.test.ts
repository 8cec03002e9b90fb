import fc from "fast-check";
import { expect, test } from "vitest";
import { isJsonWithin, jsonLength, mostJsonLength } from "./json.ts";

const text = fc.string({ unit: "binary" });

test("the lengths of a value as JSON: one exact but for commas, one that is never less", () => {
  fc.assert(
    fc.property(fc.jsonValue({ stringUnit: "binary" }), text, (value, more) => {
      const whole = { [more]: [value, more] };
      const exact = JSON.stringify(whole).length;
      const length = jsonLength(whole, 1_000_000);
      expect(length).toBeGreaterThanOrEqual(exact);
      expect(mostJsonLength(whole, 1_000_000)).toBeGreaterThanOrEqual(length);
      expect(isJsonWithin(whole, length)).toBe(true);
      expect(isJsonWithin(whole, length - 1)).toBe(false);
    }),
  );
});
