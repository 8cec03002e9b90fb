import { expect, test } from "vitest";
import { Throttle } from "./throttle.ts";

test("a sender who goes on asking waits ever longer for a refusal, up to a bound", () => {
  let nowMs = 0;
  const throttle = new Throttle({ everyMs: 20, mostMs: 100 }, () => nowMs);
  expect(Array.from({ length: 8 }, () => throttle.delayMs("flood"))).toEqual([
    0, 20, 40, 60, 80, 100, 100, 100,
  ]);
  expect(throttle.delayMs("other")).toBe(0);
  nowMs = 60;
  expect(throttle.delayMs("flood")).toBe(40);
  nowMs = 1_000;
  expect(throttle.delayMs("flood")).toBe(0);
});

test("refusals of ten thousand senders are no more than 4,096 times to remember", () => {
  const throttle = new Throttle({ everyMs: 20, mostMs: 100 }, () => 0);
  throttle.delayMs("first");
  for (let at = 0; at < 10_000; at++) throttle.delayMs(`sender ${at}`);
  expect(throttle.delayMs("first")).toBe(0);
  expect(throttle.delayMs("sender 9999")).toBe(20);
});
