import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, test } from "vitest";
import { TurnQueue } from "./turn-queue.ts";

/** Calls that each need so many turns, one turn of the event loop for all of them at a time. */
async function orderOf(
  calls: Readonly<Record<string, number>>,
  onTurn: (start: (name: string, turns: number) => void, turn: number) => void = () => {},
): Promise<string> {
  let hasTime = true;
  const queue = new TurnQueue(() => hasTime);
  const log: string[] = [];
  const running: Promise<void>[] = [];
  const start = (name: string, turns: number) => {
    const { signal } = new AbortController();
    const run = async () => {
      for (let done = 0; done < turns; done++) {
        await queue.wait(signal);
        log.push(name);
        hasTime = false;
        setImmediate(() => {
          hasTime = true;
        });
        onTurn(start, log.length);
      }
    };
    running.push(run());
  };
  for (const [name, turns] of Object.entries(calls)) start(name, turns);
  for (let at = 0; at < running.length; at++) await running[at];
  return log.join("");
}

test("a call that needs one turn does not wait for the end of long ones", async () => {
  const order = await orderOf({ a: 20, b: 20, c: 20 }, (start, turn) => {
    if (turn === 9) start("s", 1);
  });
  expect(order.indexOf("s")).toBeLessThanOrEqual(11);
});

test("a long call goes on, however many short ones come", async () => {
  let left = 60;
  const order = await orderOf({ long: 10 }, (start) => {
    for (let at = 0; at < 2 && left > 0; at++, left--) start(".", 1);
  });
  // Every second turn is the oldest's.
  expect(order.lastIndexOf("long")).toBeLessThanOrEqual(10 * 4 + 20);
});

test("each call has its turns, and none is forgotten", async () => {
  const order = await orderOf({ a: 3, b: 3, c: 3 });
  expect([...order].sort().join("")).toBe("aaabbbccc");
});

test("a call whose signal fires does not wait for time", async () => {
  const queue = new TurnQueue(() => false);
  const controller = new AbortController();
  let isOver = false;
  const waiting = queue.wait(controller.signal).then(() => {
    isOver = true;
  });
  await nextTurn();
  await nextTurn();
  expect(isOver).toBe(false);
  controller.abort();
  await waiting;
});
