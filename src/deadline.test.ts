import { getEventListeners } from "node:events";
import { describe, expect, test, vi } from "vitest";
import { Stopped, untilAborted, withDeadline } from "./deadline.ts";

const never = () => new Promise<never>(() => undefined);
const open = () => new AbortController().signal;

describe("work within bounds", () => {
  test("gives its outcome", async () => {
    expect(await withDeadline(async () => 5, open(), 1000)).toBe(5);
    await expect(
      withDeadline(async () => Promise.reject(new TypeError("own")), open(), 1000),
    ).rejects.toThrow(TypeError);
  });

  test("is stopped by the time, and told so", async () => {
    let seen: AbortSignal | undefined;
    const work = (signal: AbortSignal) => {
      seen = signal;
      return never();
    };
    await expect(withDeadline(work, open(), 1)).rejects.toMatchObject({ reason: "deadline" });
    expect(seen?.reason).toMatchObject({ name: "Stopped", reason: "deadline" });
  });

  test("takes as long as it takes when there is no limit", async () => {
    const slow = () => new Promise((resolve) => setTimeout(resolve, 30, 5));
    expect(await withDeadline(slow, open())).toBe(5);
  });

  test("leaves no timer and no listener behind", async () => {
    vi.useFakeTimers();
    const signal = open();
    await withDeadline(async () => 5, signal, 1000);
    await expect(
      withDeadline(() => Promise.reject(new TypeError()), signal, 1000),
    ).rejects.toThrow();
    expect([vi.getTimerCount(), getEventListeners(signal, "abort")]).toEqual([0, []]);
    vi.useRealTimers();
  });

  test("that is stopped and throws in the same breath throws once", async () => {
    const unhandled: unknown[] = [];
    const note = (reason: unknown) => unhandled.push(reason);
    process.on("unhandledRejection", note);
    const controller = new AbortController();
    const work = () => {
      controller.abort();
      throw new TypeError("own");
    };
    await expect(withDeadline(work, controller.signal)).rejects.toThrow(TypeError);
    await new Promise((resolve) => setTimeout(resolve, 1));
    process.off("unhandledRejection", note);
    expect(unhandled).toEqual([]);
  });

  test("is stopped by the signal, and told so", async () => {
    const controller = new AbortController();
    const stopped = withDeadline(never, controller.signal);
    controller.abort();
    await expect(stopped).rejects.toMatchObject({ reason: "cancelled" });
  });

  test("does not begin when the signal has fired already", async () => {
    const work = vi.fn(never);
    await expect(withDeadline(work, AbortSignal.abort())).rejects.toMatchObject({
      reason: "cancelled",
    });
    expect(work).not.toHaveBeenCalled();
  });

  test("that fails after it was stopped disturbs no other call", async () => {
    const { promise, reject } = Promise.withResolvers<never>();
    await expect(withDeadline(() => promise, open(), 1)).rejects.toBeInstanceOf(Stopped);
    reject(new Error("too late"));
    await new Promise((resolve) => setImmediate(resolve));
  });

  test("is stopped for the reason that came first, whatever it throws of the signal", async () => {
    const controller = new AbortController();
    const work = (signal: AbortSignal) =>
      new Promise<never>((_, reject) => {
        signal.addEventListener("abort", () => reject(new Error("late")));
      });
    const stopped = withDeadline(work, controller.signal, 10_000);
    controller.abort();
    await expect(stopped).rejects.toMatchObject({ reason: "cancelled" });
  });
});

describe("work that ignores its signal", () => {
  test("gives its outcome, and leaves no listener behind", async () => {
    const signal = open();
    expect(await untilAborted(Promise.resolve(5), signal)).toBe(5);
    await expect(untilAborted(Promise.reject(new TypeError()), signal)).rejects.toThrow(TypeError);
    expect(getEventListeners(signal, "abort")).toEqual([]);
  });

  test("is left behind with the signal's reason, also when it fails later", async () => {
    const { promise, reject } = Promise.withResolvers<never>();
    const controller = new AbortController();
    const waiting = untilAborted(promise, controller.signal);
    controller.abort(new RangeError("left"));
    await expect(waiting).rejects.toThrow(RangeError);
    await expect(untilAborted(promise, controller.signal)).rejects.toThrow(RangeError);
    reject(new Error("too late"));
    await new Promise((resolve) => setImmediate(resolve));
  });
});
