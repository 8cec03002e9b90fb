import { expect, test } from "vitest";
import { createRateLimiter } from "./rate-limiter.ts";

function limiterAt(limit: number) {
  const clock = { ms: 1_000 };
  const limiter = createRateLimiter(limit, () => clock.ms);
  return { clock, take: () => limiter.take() };
}

test("exactly the limit passes within 60 seconds, one more does not", () => {
  const { take } = limiterAt(3);
  expect([take(), take(), take(), take()]).toEqual([true, true, true, false]);
});

test("a call is forgotten 60 seconds after it was made, not earlier", () => {
  const { clock, take } = limiterAt(1);
  take();
  clock.ms += 59_999;
  expect(take()).toBe(false);
  clock.ms += 1;
  expect(take()).toBe(true);
});

test("the window slides: each call makes room when it is 60 seconds old itself", () => {
  const { clock, take } = limiterAt(2);
  take();
  clock.ms += 40_000;
  take();
  clock.ms += 20_000;
  expect([take(), take()]).toEqual([true, false]);
  clock.ms += 40_000;
  expect([take(), take()]).toEqual([true, false]);
});

test("a rejected call spends nothing", () => {
  const { clock, take } = limiterAt(1);
  take();
  for (let second = 0; second < 59; second++) {
    clock.ms += 1_000;
    expect(take()).toBe(false);
  }
  clock.ms += 1_000;
  expect(take()).toBe(true);
});

test("0 switches the limit off", () => {
  const { take } = limiterAt(0);
  expect(Array.from({ length: 1_000 }, take)).not.toContain(false);
});
