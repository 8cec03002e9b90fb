import { describe, expect, test } from "vitest";
import { concurrencyLimit, SharedLoads } from "./shared-loads.ts";

/** A task that ends when it is told to. */
function task() {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  let starts = 0;
  const start = () => {
    starts++;
    return promise;
  };
  return { start, resolve, reject, starts: () => starts };
}

describe("one load of a key", () => {
  test("serves all that ask while it is under way, and none after", async () => {
    const loads = new SharedLoads<string>();
    const [a, b, again] = [task(), task(), task()];
    const answers = [loads.load("a", a.start), loads.load("a", b.start), loads.load("b", b.start)];
    a.resolve("a");
    b.resolve("b");
    expect(await Promise.all(answers)).toEqual(["a", "a", "b"]);
    expect([a.starts(), b.starts()]).toEqual([1, 1]);
    again.resolve("again");
    expect(await loads.load("a", again.start)).toBe("again");
  });

  test("that fails fails for all, and is tried again", async () => {
    const loads = new SharedLoads<string>();
    const [bad, good] = [task(), task()];
    const both = Promise.allSettled([loads.load("a", bad.start), loads.load("a", bad.start)]);
    bad.reject(new Error("broken"));
    expect((await both).map(({ status }) => status)).toEqual(["rejected", "rejected"]);
    good.resolve("good");
    expect(await loads.load("a", good.start)).toBe("good");
  });

  test("goes on for the others when one stops waiting", async () => {
    const loads = new SharedLoads<string>();
    const one = task();
    const stop = new AbortController();
    const stopped = loads.load("a", one.start, stop.signal);
    const waiting = loads.load("a", one.start);
    stop.abort(new Error("stopped"));
    await expect(stopped).rejects.toThrow("stopped");
    one.resolve("done");
    expect(await waiting).toBe("done");
  });

  test("is not begun for a caller who has stopped", async () => {
    const one = task();
    const signal = AbortSignal.abort(new Error("stopped"));
    await expect(new SharedLoads().load("a", one.start, signal)).rejects.toThrow("stopped");
    expect(one.starts()).toBe(0);
  });
});

test("at most so many tasks run at once, the others wait in order, whether they fail or not", async () => {
  const limited = concurrencyLimit(2);
  const tasks = [task(), task(), task(), task(), task()];
  const running = () => tasks.map(({ starts }) => starts()).join("");
  const results = Promise.allSettled(tasks.map(({ start }) => limited(start)));
  const settle = () => new Promise((resolve) => setImmediate(resolve));
  expect(running()).toBe("11000");
  tasks[1]?.reject(new Error("broken"));
  await settle();
  expect(running()).toBe("11100");
  tasks[0]?.resolve("0");
  await settle();
  expect(running()).toBe("11110");
  for (const { resolve } of tasks) resolve("done");
  expect((await results).map(({ status }) => status)).toEqual([
    "fulfilled",
    "rejected",
    "fulfilled",
    "fulfilled",
    "fulfilled",
  ]);
  // Both are free again.
  const more = [task(), task(), task()];
  for (const { start } of more) void limited(start);
  expect(more.map(({ starts }) => starts())).toEqual([1, 1, 0]);
});
