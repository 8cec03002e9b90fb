import { expect, test } from "vitest";
import { type Keeper, Kept } from "./kept.ts";

test("facts of one kind do not meet those of another", () => {
  const names = new Kept<Keeper, string>();
  const sizes = new Kept<Keeper, number>();
  const first: Keeper = { kept: [] };
  const second: Keeper = { kept: [] };
  sizes.set(first, 7);
  expect([names.get(first), sizes.get(first), sizes.get(second)]).toEqual([
    undefined,
    7,
    undefined,
  ]);
  names.set(first, "a");
  sizes.set(first, 8);
  expect([names.get(first), sizes.get(first)]).toEqual(["a", 8]);
});
