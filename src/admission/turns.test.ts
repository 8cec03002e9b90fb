import { expect, test, vi } from "vitest";
import { Displaced, Turns } from "./turns.ts";

test("callers take turns, however many of one of them wait", async () => {
  const turns = new Turns(1, 0, () => 0);
  const { end } = await turns.take("first");
  const order: string[] = [];
  const waiting = ["flood", "flood", "flood", "other", "flood", "third"].map(async (caller, at) => {
    const { end } = await turns.take(caller);
    order.push(`${caller} ${at}`);
    end();
  });
  expect(turns.waiting).toBe(6);
  end();
  await Promise.all(waiting);
  expect(order).toEqual(["flood 0", "other 3", "third 5", "flood 1", "flood 2", "flood 4"]);
});

test("short calls do not wait for as many long ones of another caller", async () => {
  let nowMs = 0;
  const turns = new Turns(1, 0, () => nowMs);
  const { end } = await turns.take("first");
  const order: string[] = [];
  const call = async (caller: string, ms: number) => {
    const { end } = await turns.take(caller);
    order.push(caller);
    nowMs += ms;
    end();
  };
  const calls = Array.from({ length: 3 }, () => call("flood", 300));
  calls.push(...Array.from({ length: 5 }, () => call("other", 5)));
  end();
  await Promise.all(calls);
  expect(order).toEqual(["flood", ...Array.from({ length: 5 }, () => "other"), "flood", "flood"]);
});

test("a caller that has waited for nothing has no claim on the time before it came", async () => {
  let nowMs = 0;
  const turns = new Turns(1, 0, () => nowMs);
  const order: string[] = [];
  const call = async (caller: string) => {
    const { end } = await turns.take(caller);
    order.push(caller);
    nowMs += 10;
    if (order.length === 4) for (let at = 0; at < 3; at++) late.push(call("late"));
    end();
  };
  const late: Promise<void>[] = [];
  await Promise.all(Array.from({ length: 8 }, () => call("early")));
  await Promise.all(late);
  expect(order.slice(4, 8)).toEqual(["late", "early", "late", "early"]);
});

test("who leaves while waiting loses the turn to the next, and a turn ends once", async () => {
  const turns = new Turns(1);
  const { end } = await turns.take("alice");
  const controller = new AbortController();
  const leaving = turns.take("bob", { signal: controller.signal });
  const staying = turns.take("carol");
  controller.abort(new Error("gone"));
  await expect(leaving).rejects.toThrow("gone");
  end();
  end();
  const other = await staying;
  expect(turns.waiting).toBe(0);
  const next = turns.take("dave");
  expect(turns.waiting).toBe(1);
  other.end();
  await next;
});

test("a caller with calls that do not end leaves turns for the calls of others", async () => {
  const turns = new Turns(8);
  const flood = Array.from({ length: 20 }, () => turns.take("flood"));
  await Promise.all(flood.slice(0, 6));
  expect(turns.waiting).toBe(14);
  const [one, two] = await Promise.all([turns.take("alice"), turns.take("bob")]);
  const third = turns.take("carol");
  expect(turns.waiting).toBe(15);
  one.end();
  (await third).end();
  two.end();
  // What others leave is not the flood's to take, what it gives back is.
  expect(turns.waiting).toBe(14);
  (await flood[0])?.end();
  (await flood[6])?.end();
  expect(turns.waiting).toBe(12);
});

test("the newest call of who waits most gives way to a caller with fewer", async () => {
  const turns = new Turns(1);
  await turns.take("flood");
  const displaced: number[] = [];
  const waiting = [0, 1, 2].map((at) =>
    turns.take("flood", { onDisplaced: () => displaced.push(at) }).catch((error: unknown) => error),
  );
  void turns.take("alice");
  expect(turns.displaceFor("alice")).toBe(true);
  expect([displaced, turns.waiting]).toEqual([[2], 3]);
  expect(await waiting[2]).toBeInstanceOf(Displaced);
  void turns.take("alice");
  // Both have what the other would have then.
  expect(turns.displaceFor("alice")).toBe(false);
  expect(turns.displaceFor("flood")).toBe(false);
  expect(turns.displaceFor("bob")).toBe(true);
});

test("no one waits while there are turns left", async () => {
  const turns = new Turns(2);
  await turns.take("alice");
  await turns.take("alice");
  await expect(
    turns.take("alice", { signal: AbortSignal.abort(new Error("gone")) }),
  ).rejects.toThrow("gone");
  expect(turns.waiting).toBe(0);
});

test("a short call that waits behind a long one of another caller overtakes it", async () => {
  vi.useFakeTimers();
  try {
    const turns = new Turns(1, 1);
    const long = await turns.take("flood");
    const order: string[] = [];
    const ask = async (caller: string, mayOvertake: boolean) => {
      const turn = await turns.take(caller, { mayOvertake });
      order.push(`${caller} ${turn.isExtra ? "extra" : "usual"}`);
      return turn;
    };
    const floods = [ask("flood", true), ask("flood", true)];
    const [small, large, second] = [
      ask("alice", true),
      ask("alice", false),
      ask("alice", true),
    ] as const;
    const bob = ask("bob", true);
    await vi.advanceTimersByTimeAsync(29);
    expect(order).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    // There is one extra turn, and the flood has its turn already.
    expect(order).toEqual(["alice extra"]);
    (await small).end();
    (await bob).end();
    expect(order).toEqual(["alice extra", "bob extra"]);
    // A large call waits for a usual turn, and a caller with a turn gets no second one.
    const again = await second;
    expect(order).toEqual(["alice extra", "bob extra", "alice extra"]);
    long.end();
    await floods[0];
    expect(order.at(-1)).toBe("flood usual");
    again.end();
    expect(turns.waiting).toBe(2);
    (await floods[0])?.end();
    (await large).end();
    // The large call has the usual turn now, so the flood may overtake.
    expect(order.slice(-2)).toEqual(["alice usual", "flood extra"]);
    (await floods[1])?.end();
    expect(turns.waiting).toBe(0);
  } finally {
    vi.useRealTimers();
  }
});

test("a short call does not wait behind turns that have lasted for a while", async () => {
  let nowMs = 0;
  const turns = new Turns(2, 1, () => nowMs);
  const first = await turns.take("flood");
  nowMs = 60;
  await turns.take("other");
  nowMs = 89;
  vi.useFakeTimers();
  try {
    const early = turns.take("alice", { mayOvertake: true });
    expect(turns.waiting).toBe(1);
    // The newer of the two turns has lasted 29 ms.
    await vi.advanceTimersByTimeAsync(1);
    expect((await early).isExtra).toBe(true);
    (await early).end();
    nowMs = 1_000;
    const late = await turns.take("bob", { mayOvertake: true });
    expect(late.isExtra).toBe(true);
    // One that begins now makes others wait again.
    first.end();
    await turns.take("flood");
    const last = turns.take("carol", { mayOvertake: true });
    late.end();
    expect(turns.waiting).toBe(1);
    await vi.advanceTimersByTimeAsync(30);
    expect((await last).isExtra).toBe(true);
  } finally {
    vi.useRealTimers();
  }
});

test("a caller with more than four calls does not overtake, and one with four does", async () => {
  vi.useFakeTimers();
  try {
    const turns = new Turns(1, 1);
    const long = await turns.take("alice");
    const order: string[] = [];
    const ask = async (caller: string) => {
      const turn = await turns.take(caller, { mayOvertake: true });
      order.push(`${caller} ${turn.isExtra ? "extra" : "usual"}`);
      return turn;
    };
    const floods = Array.from({ length: 5 }, () => ask("flood"));
    await vi.advanceTimersByTimeAsync(1_000);
    expect(order).toEqual([]);
    const bobs = Array.from({ length: 4 }, () => ask("bob"));
    await vi.advanceTimersByTimeAsync(30);
    expect(order).toEqual(["bob extra"]);
    (await bobs[0])?.end();
    await bobs[1];
    expect(order).toEqual(["bob extra", "bob extra"]);
    long.end();
    await floods[0];
    expect(order.at(-1)).toBe("flood usual");
  } finally {
    vi.useRealTimers();
  }
});

test("a call that leaves before it may overtake gets no turn", async () => {
  vi.useFakeTimers();
  try {
    const turns = new Turns(1, 1);
    await turns.take("flood");
    const controller = new AbortController();
    const left = turns.take("alice", { signal: controller.signal, mayOvertake: true });
    controller.abort(new Error("gone"));
    await expect(left).rejects.toThrow("gone");
    expect(vi.getTimerCount()).toBe(0);
  } finally {
    vi.useRealTimers();
  }
});
