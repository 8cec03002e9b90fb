import { expect, test } from "vitest";
import { Pace } from "./pace.ts";

test("a sender who goes on asking waits ever longer for a refusal, up to a bound", () => {
  let nowMs = 0;
  const pace = new Pace({ everyMs: 20, mostMs: 100 }, () => nowMs);
  expect(Array.from({ length: 8 }, () => pace.delayMs("flood"))).toEqual([
    0, 20, 40, 60, 80, 100, 100, 100,
  ]);
  expect(pace.delayMs("other")).toBe(0);
  nowMs = 60;
  expect(pace.delayMs("flood")).toBe(40);
  nowMs = 1_000;
  expect(pace.delayMs("flood")).toBe(0);
});

test("refusals of ten thousand senders are no more than 4,096 times to remember", () => {
  const pace = new Pace({ everyMs: 20, mostMs: 100 }, () => 0);
  pace.delayMs("first");
  for (let at = 0; at < 10_000; at++) pace.delayMs(`sender ${at}`);
  expect(pace.delayMs("first")).toBe(0);
  expect(pace.delayMs("sender 9999")).toBe(20);
});
