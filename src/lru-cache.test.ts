import { expect, test } from "vitest";
import { lruCache } from "./lru-cache.ts";

test("keeps as many entries as it may and forgets the one unused for longest", () => {
  const entries = lruCache<number>(2);
  entries.set("a", 1);
  entries.set("b", 2);
  expect(entries.get("a")).toBe(1);
  entries.set("c", 3);
  expect([entries.get("a"), entries.get("b"), entries.get("c")]).toEqual([1, undefined, 3]);
  entries.set("a", 4);
  entries.set("d", 5);
  expect([entries.get("a"), entries.get("c"), entries.get("d")]).toEqual([4, undefined, 5]);
});

test("asking for what is not there makes it forget nothing", () => {
  const entries = lruCache<number>(2);
  entries.set("a", 1);
  entries.set("b", 2);
  expect(entries.get("x")).toBeUndefined();
  entries.set("b", 3);
  expect([entries.get("a"), entries.get("b")]).toEqual([1, 3]);
});
