import { expect, test, vi } from "vitest";
import { compareInstants } from "./evaluate-values.ts";

test("an instant is read once for many requests", () => {
  const parse = vi.spyOn(Date, "parse");
  for (let request = 0; request < 3; request++) {
    expect(compareInstants("2031-02-03T00:00:00Z", "2031-02-04")).toBe(-1);
  }
  expect(parse).toHaveBeenCalledTimes(2);
  parse.mockRestore();
});

test("a text that is longer than any instant is none", () => {
  expect(compareInstants("1".repeat(10_000), "2031-02-04")).toBeNull();
});
