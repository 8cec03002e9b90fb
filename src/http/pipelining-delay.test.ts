import { expect, test } from "vitest";
import { PipeliningDelay } from "./pipelining-delay.ts";

test("who sends requests ahead is answered ever more slowly, up to a bound", () => {
  const delay = new PipeliningDelay();
  const pauses = Array.from({ length: 200 }, () => delay.pauseMs(true));
  expect(pauses.slice(0, 20)).toEqual([...Array(16).fill(0), 2, 4, 6, 8]);
  expect(pauses.at(-1)).toBe(250);
});

test("a connection that waits for an answer has no pause, whatever it did before", () => {
  const delay = new PipeliningDelay();
  for (let at = 0; at < 100; at++) delay.pauseMs(true);
  expect(delay.pauseMs(false)).toBe(0);
  expect(delay.pauseMs(true)).toBe(0);
});
