import { describe, expect, test } from "vitest";
import { acceptsEventStream, prefersEventStream } from "./accept.ts";

describe("an Accept header", () => {
  test.each([
    [null, false, false],
    ["", false, false],
    ["*/*", false, false],
    ["application/json", false, false],
    ["application/json, text/event-stream", true, false],
    ["text/event-stream, application/json", true, false],
    ["TEXT/Event-Stream", true, true],
    ["text/event-stream;q=0", false, false],
    ["text/event-stream; q=0.5, application/json; q=0.4", true, true],
    ["text/event-stream; q=0.5, application/json", true, false],
    ["text/event-stream;q=nonsense, application/json", false, false],
    ["text/event-stream;charset=utf-8;q=0.9, application/json;q=0.8", true, true],
  ])("%s accepts a stream: %s, prefers one: %s", (accept, accepts, prefers) => {
    expect(acceptsEventStream(accept)).toBe(accepts);
    expect(prefersEventStream(accept)).toBe(prefers);
  });
});
