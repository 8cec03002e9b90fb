import { expect, test } from "vitest";
import { FactSlot, type HasFacts } from "./fact-slot.ts";

test("facts of one kind do not meet those of another", () => {
  const names = new FactSlot<HasFacts, string>();
  const sizes = new FactSlot<HasFacts, number>();
  const first: HasFacts = { facts: [] };
  const second: HasFacts = { facts: [] };
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
