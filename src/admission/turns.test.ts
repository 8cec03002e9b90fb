import { expect, test } from "vitest";
import { Turns } from "./turns.ts";

test("callers take turns, however many of one of them wait", async () => {
  const turns = new Turns(1);
  const end = await turns.take("first");
  const order: string[] = [];
  const waiting = ["flood", "flood", "flood", "other", "flood", "third"].map(async (caller, at) => {
    const endTurn = await turns.take(caller);
    order.push(`${caller} ${at}`);
    endTurn();
  });
  expect(turns.waiting).toBe(6);
  end();
  await Promise.all(waiting);
  expect(order).toEqual(["flood 0", "other 3", "third 5", "flood 1", "flood 2", "flood 4"]);
});

test("who leaves while waiting loses the turn to the next, and a turn ends once", async () => {
  const turns = new Turns(1);
  const end = await turns.take("alice");
  const controller = new AbortController();
  const leaving = turns.take("bob", controller.signal);
  const staying = turns.take("carol");
  controller.abort(new Error("gone"));
  await expect(leaving).rejects.toThrow("gone");
  end();
  end();
  const endOther = await staying;
  expect(turns.waiting).toBe(0);
  const next = turns.take("dave");
  expect(turns.waiting).toBe(1);
  endOther();
  await next;
});

test("nobody waits while there are turns left", async () => {
  const turns = new Turns(2);
  await turns.take("alice");
  await turns.take("alice");
  await expect(turns.take("alice", AbortSignal.abort(new Error("gone")))).rejects.toThrow("gone");
  expect(turns.waiting).toBe(0);
});
