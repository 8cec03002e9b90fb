import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { Streams } from "./streams.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

async function next(reader: ReadableStreamDefaultReader<Uint8Array> | undefined) {
  const { done, value } = (await reader?.read()) ?? { done: true };
  return done ? null : new TextDecoder().decode(value);
}

describe("open streams", () => {
  test("greet, keep alive with comments, and say farewell at the end", async () => {
    const streams = new Streams(1);
    const reader = streams.open("alice", "hello\n\n", "bye\n\n").body?.getReader();
    expect(await next(reader)).toBe("hello\n\n");
    vi.advanceTimersByTime(15_000);
    expect(await next(reader)).toBe(": keepalive\n\n");
    streams.end();
    expect(await next(reader)).toBe("bye\n\n");
    expect(await next(reader)).toBeNull();
  });

  test("end as soon as they have begun once the server drains, so that clients look elsewhere", async () => {
    const streams = new Streams(1);
    streams.end();
    expect(streams.isFullFor("alice")).toBe(false);
    const reader = streams.open("alice", "hello\n\n", "bye\n\n").body?.getReader();
    expect(await next(reader)).toBe("hello\n\n");
    expect(await next(reader)).toBe("bye\n\n");
    expect(await next(reader)).toBeNull();
    expect(streams.count).toBe(0);
  });

  test("are bounded, and give their place back when the client leaves", async () => {
    const streams = new Streams(2);
    const first = streams.open("alice");
    expect(streams.isFullFor("alice")).toBe(false);
    streams.open("alice");
    expect([streams.count, streams.isFullFor("alice")]).toEqual([2, true]);
    await first.body?.cancel();
    expect([streams.count, streams.isFullFor("alice")]).toEqual([1, false]);
  });

  test("leave a quarter of the places to other callers", () => {
    const streams = new Streams(4);
    for (let at = 0; at < 3; at++) streams.open("alice");
    expect([streams.isFullFor("alice"), streams.isFullFor("bob")]).toEqual([true, false]);
    streams.open("bob");
    expect(streams.isFullFor("bob")).toBe(true);
  });

  test("owe a client that does not read four chunks at most, the greeting included", async () => {
    const streams = new Streams(1);
    const reader = streams.open("alice", "x").body?.getReader();
    vi.advanceTimersByTime(15_000 * 100);
    streams.end();
    let frames = 0;
    while ((await next(reader)) !== null) frames += 1;
    expect(frames).toBe(4);
  });

  test("tell proxies to pass on what comes, beginning with a comment at once", async () => {
    const response = new Streams(1).open("alice");
    expect(Object.fromEntries(response.headers)).toEqual({
      "content-type": "text/event-stream",
      "cache-control": "no-cache, no-transform",
      "x-accel-buffering": "no",
    });
    expect(await next(response.body?.getReader())).toBe(": open\n\n");
  });

  test("are kept alive while there is one, while others leave", async () => {
    const streams = new Streams(2);
    const first = streams.open("alice");
    const reader = streams.open("alice").body?.getReader();
    await next(reader);
    await first.body?.cancel();
    vi.advanceTimersByTime(15_000);
    expect(await next(reader)).toBe(": keepalive\n\n");
    await reader?.cancel();
    expect(vi.getTimerCount()).toBe(0);
    const later = streams.open("alice").body?.getReader();
    await next(later);
    vi.advanceTimersByTime(15_000);
    expect(await next(later)).toBe(": keepalive\n\n");
  });

  test("leave no timer after the end", () => {
    const streams = new Streams(5);
    streams.open("alice");
    streams.end();
    streams.open("alice");
    expect([streams.count, vi.getTimerCount()]).toEqual([0, 0]);
  });
});
