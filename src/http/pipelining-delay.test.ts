import { expect, test } from "vitest";
import { Rush } from "./rush.ts";

test("who sends requests ahead is answered ever more slowly, up to a bound", () => {
  const rush = new Rush();
  const pauses = Array.from({ length: 200 }, () => rush.pauseMs(true));
  expect(pauses.slice(0, 20)).toEqual([...Array(16).fill(0), 2, 4, 6, 8]);
  expect(pauses.at(-1)).toBe(250);
});

test("a connection that waits for an answer has no pause, whatever it did before", () => {
  const rush = new Rush();
  for (let at = 0; at < 100; at++) rush.pauseMs(true);
  expect(rush.pauseMs(false)).toBe(0);
  expect(rush.pauseMs(true)).toBe(0);
});
