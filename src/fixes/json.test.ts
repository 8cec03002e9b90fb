import fc from "fast-check";
import { expect, test } from "vitest";
import { jsonLength } from "./json.ts";

const text = fc.string({ unit: "binary" });

test("the length of a value as JSON is exact but for commas, and never less", () => {
  fc.assert(
    fc.property(fc.jsonValue({ stringUnit: "binary" }), text, (value, more) => {
      const whole = { [more]: [value, more] };
      const exact = JSON.stringify(whole).length;
      const length = jsonLength(whole, 1_000_000);
      expect(length).toBeGreaterThanOrEqual(exact);
      // One comma at most for each item and member.
      expect(length - exact).toBeLessThanOrEqual(exact / 2);
    }),
  );
});
