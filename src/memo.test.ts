import { expect, test, vi } from "vitest";
import { memo } from "./memo.ts";

test("a memo computes once for each subject, an undefined result included", () => {
  const compute = vi.fn(({ size }: { size?: number }) => size);
  const sizeOf = memo(compute);
  const [small, none] = [{ size: 1 }, {}];
  expect([sizeOf(small), sizeOf(small), sizeOf(none), sizeOf(none)]).toEqual([
    1,
    1,
    undefined,
    undefined,
  ]);
  expect(compute).toHaveBeenCalledTimes(2);
});
