import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, test } from "vitest";
import { FairLoop, type Standing } from "./fair-loop.ts";

/** Work that takes as long as it says, by a clock that nothing else moves. */
function recorder() {
  let nowMs = 0;
  const fair = new FairLoop(() => nowMs);
  const order: string[] = [];
  const send = (standing: Standing, sender: string, { name = sender, ms = 6 } = {}) =>
    fair.run(standing, sender, () => {
      order.push(name);
      nowMs += ms;
    });
  const pass = (ms: number) => {
    nowMs += ms;
  };
  return { fair, order, send, pass };
}

async function untilDone(fair: FairLoop): Promise<void> {
  while (fair.waiting > 0) await nextTurn();
}

test("what comes while there is time runs at once", () => {
  const fair = new FairLoop();
  let started = 0;
  fair.run("stranger", "alice", () => started++);
  expect([started, fair.waiting]).toEqual([1, 0]);
});

test("past that senders take turns", async () => {
  const { fair, order, send } = recorder();
  send("known", "first");
  for (const caller of ["alice", "alice", "alice", "bob", "carol"]) send("known", caller);
  expect(order).toEqual(["first"]);
  await untilDone(fair);
  expect(order).toEqual(["first", "alice", "bob", "carol", "alice", "alice"]);
});

test("each standing has its share of the time, however long the work of the others takes", async () => {
  const { fair, order, send } = recorder();
  send("known", "first");
  for (let at = 0; at < 4; at++) send("stranger", "stranger", { ms: 12 });
  for (let at = 0; at < 30; at++) send("new", "new", { ms: 1 });
  for (let at = 0; at < 120; at++) send("known", "known", { ms: 1 });
  await untilDone(fair);
  const third = order.indexOf(
    "stranger",
    order.indexOf("stranger", order.indexOf("stranger") + 1) + 1,
  );
  const before = order.slice(1, third);
  const timesOf = (name: string) => before.filter((each) => each === name).length;
  expect(timesOf("new")).toBeGreaterThanOrEqual(23);
  expect(timesOf("new")).toBeLessThanOrEqual(26);
  // Senders that have been authenticated have four times as much.
  expect(timesOf("known")).toBeGreaterThanOrEqual(92);
  expect(timesOf("known")).toBeLessThanOrEqual(104);
});

test("turns that accept a connection do nothing else, for some milliseconds", async () => {
  const { fair, order, send, pass } = recorder();
  send("known", "first");
  for (let at = 0; at < 3; at++) send("known", "known");
  await nextTurn();
  const accept = async (name: string) => {
    fair.arrived();
    send("arrival", "address", { name, ms: 1 });
    pass(1);
    await nextTurn();
  };
  const before = order.length;
  for (let at = 0; at < 20; at++) await accept(`connection ${at}`);
  expect(order.length).toBe(before);
  for (let at = 20; at < 40; at++) await accept(`connection ${at}`);
  expect(order.length).toBeGreaterThan(before);
  await untilDone(fair);
  expect(order.filter((name) => name === "known").length).toBe(3);
  expect(order.filter((name) => name.startsWith("connection")).length).toBe(40);
});

test("after such a period other work has half as much time before the next", async () => {
  const { fair, order, send, pass } = recorder();
  send("known", "first");
  for (let at = 0; at < 200; at++) send("known", "known", { ms: 1 });
  for (let at = 0; at < 240; at++) {
    fair.arrived();
    pass(1);
    await nextTurn();
  }
  // Some nine periods of 24 turns, and 12 ms between two of them, of which each turn has one and the work the rest.
  expect(order.length).toBeGreaterThan(60);
  expect(order.length).toBeLessThan(90);
  await untilDone(fair);
  expect(order.length).toBe(201);
});

test("many connections that wait to be set up end such a period", async () => {
  const { fair, order, send } = recorder();
  send("known", "first");
  for (let at = 0; at < 500; at++) {
    fair.arrived();
    send("arrival", "address", { name: "connection", ms: 0.01 });
    await nextTurn();
  }
  expect(order.length).toBeGreaterThan(1);
  expect(fair.waiting).toBeLessThanOrEqual(401);
  await untilDone(fair);
  expect(order.length).toBe(501);
});

test("setting connections up has as much time as the work of known senders", async () => {
  const { fair, order, send } = recorder();
  send("known", "first");
  for (let at = 0; at < 40; at++) send("known", "known", { ms: 1 });
  for (let at = 0; at < 40; at++) send("arrival", "address", { name: "connection", ms: 1 });
  await untilDone(fair);
  const half = order.slice(1, 41).filter((name) => name === "connection").length;
  expect(half).toBeGreaterThanOrEqual(19);
  expect(half).toBeLessThanOrEqual(21);
});

test("of many new connections of one address the oldest and the newest take turns", async () => {
  const { fair, order, send } = recorder();
  send("known", "first");
  for (const name of ["1", "2", "3", "4", "5"]) send("new", "address", { name });
  await untilDone(fair);
  expect(order).toEqual(["first", "1", "5", "2", "4", "3"]);
});

test("connections are set up in the order in which they came", async () => {
  const { fair, order, send } = recorder();
  send("known", "first");
  for (const name of ["1", "2", "3", "4", "5"]) send("arrival", "address", { name });
  await untilDone(fair);
  expect(order).toEqual(["first", "1", "2", "3", "4", "5"]);
});

test("the event loop turns between two pieces of work that take long", async () => {
  const { order, send } = recorder();
  for (let at = 0; at < 10; at++) send("known", "alice");
  let turns = 0;
  while (order.length < 10) {
    await nextTurn();
    turns++;
  }
  expect(turns).toBeGreaterThanOrEqual(9);
});
