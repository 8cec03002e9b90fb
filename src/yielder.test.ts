import { expect, test } from "vitest";
import { Yielder } from "./yielder.ts";

function work(ms: number): void {
  const until = performance.now() + ms;
  while (performance.now() < until);
}

/** Work of so many steps, which notes each step it begins. */
async function job(name: string, steps: number, log: string[]): Promise<void> {
  const yielder = new Yielder(undefined);
  for (let step = 0; step < steps; step++) {
    // Some of the twelve read the clock.
    for (let look = 0; look < 12; look++) if (yielder.shouldYield) await yielder.yieldNow();
    log.push(name);
    work(10);
  }
}

test("work of several calls shares one stretch per turn of the event loop", async () => {
  const log: string[] = [];
  let turns = 0;
  let running = true;
  const count = () => {
    turns++;
    if (running) setImmediate(count);
  };
  setImmediate(count);
  await Promise.all([job("a", 3, log), job("b", 3, log), job("c", 3, log)]);
  running = false;
  expect(log.toSorted().join("")).toBe("aaabbbccc");
  // Nine steps, each longer than a stretch, so that each needs its own turn.
  expect(turns).toBeGreaterThanOrEqual(8);
});

test("a call that needs one stretch does not wait for the end of three long ones", async () => {
  const log: string[] = [];
  const long = ["a", "b", "c"].map((name) => job(name, 10, log));
  await new Promise((resolve) => setImmediate(resolve));
  await Promise.all([...long, job("short", 1, log)]);
  expect(log.indexOf("short")).toBeLessThan(6);
});

test("who starts while the loop has time does not wait", async () => {
  await new Promise((resolve) => setImmediate(resolve));
  await new Promise((resolve) => setImmediate(resolve));
  expect(new Yielder(undefined).shouldYield).toBe(false);
});

test("a signal ends the wait with its reason", async () => {
  const controller = new AbortController();
  const waiting = new Yielder(controller.signal).yieldNow();
  controller.abort(new Error("gone"));
  await expect(waiting).rejects.toThrow("gone");
});
