import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, test } from "vitest";
import { FairStart } from "./fair-start.ts";

/** Holds the event loop. */
function compute(ms: number): void {
  for (const until = performance.now() + ms; performance.now() < until; );
}

test("what comes while there is time is started at once", () => {
  const fair = new FairStart();
  let started = 0;
  fair.start(
    () => "alice",
    () => started++,
  );
  expect([started, fair.waiting]).toEqual([1, 0]);
});

test("past that senders take turns, and those known before take every other one", async () => {
  const fair = new FairStart();
  fair.remember("known");
  const order: string[] = [];
  const send = (sender: string, isKnown = false) =>
    fair.start(
      () => sender,
      () => {
        order.push(sender);
        compute(6);
      },
      isKnown,
    );
  send("first");
  for (const stranger of ["a", "a", "b", "c"]) send(stranger);
  send("probe", true);
  send("known");
  expect(order).toEqual(["first"]);
  while (fair.waiting > 0) await nextTurn();
  expect(order).toEqual(["first", "probe", "a", "known", "b", "c", "a"]);
});

test("the event loop turns between two starts that take long", async () => {
  const fair = new FairStart();
  let done = 0;
  for (let at = 0; at < 10; at++) {
    fair.start(
      () => "alice",
      () => {
        done++;
        compute(6);
      },
    );
  }
  let turns = 0;
  while (done < 10) {
    await nextTurn();
    turns++;
  }
  expect(turns).toBeGreaterThanOrEqual(9);
});
