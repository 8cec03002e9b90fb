import { expect, test } from "vitest";
import { mostValues } from "./count-values.ts";

test("a body may have half a million values, and more where more bytes are allowed", () => {
  expect(mostValues(1)).toBe(500_000);
  expect(mostValues(8 * 1_048_576)).toBe(524_288);
  expect(mostValues(80_000_000)).toBe(5_000_000);
});
