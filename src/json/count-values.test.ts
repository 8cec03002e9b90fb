import { expect, test } from "vitest";
import { mostValues, mostValuesOnMainThread } from "./count-values.ts";

test("a body may have half a million values, and more where more bytes are allowed", () => {
  expect(mostValues(1)).toBe(500_000);
  expect(mostValues(8 * 1_048_576)).toBe(524_288);
  expect(mostValues(80_000_000)).toBe(5_000_000);
});

test("the main thread reads 10,000 values of a call with a policy, and 2,000 of anything else", () => {
  expect(mostValuesOnMainThread("analyze_policy", ["analyze_policy"])).toBe(10_000);
  expect(mostValuesOnMainThread("query", ["analyze_policy"])).toBe(2_000);
  expect(mostValuesOnMainThread(undefined, ["analyze_policy"])).toBe(2_000);
});
