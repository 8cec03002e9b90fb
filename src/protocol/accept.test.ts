import { describe, expect, test } from "vitest";
import { acceptsAnswer, acceptsEither, acceptsEventStream, prefersEventStream } from "./accept.ts";

describe("an Accept header", () => {
  test.each([
    [null, true, false],
    ["", true, false],
    ["*/*", true, false],
    ["text/*", true, true],
    ["application/*", false, false],
    ["*/*, text/event-stream;q=0", false, false],
    ["*/*;q=0", false, false],
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

test.each([
  [null, true],
  ["*/*", true],
  ["application/*", true],
  ["application/json", true],
  ["text/event-stream", true],
  ["text/html", false],
  ["application/json;q=0", false],
])("%s accepts an answer: %s", (accept, accepted) => {
  expect(acceptsAnswer(accept)).toBe(accepted);
});

describe("both forms of an answer are accepted, and JSON is no worse,", () => {
  test.each([
    [null, false],
    ["", false],
    ["*/*", false],
    ["application/json", false],
    ["text/event-stream", false],
    ["application/json, text/event-stream", true],
    ["text/event-stream,application/json", true],
    ["Application/JSON , TEXT/event-stream", true],
    ["application/json;q=0.5, text/event-stream;q=0.5", true],
    ["application/json;q=0.6, text/event-stream;q=0.5", true],
    ["application/json;q=0.4, text/event-stream;q=0.5", false],
    ["application/json;q=0, text/event-stream;q=0", false],
    ["application/json, text/event-stream;q=0", false],
    ["application/json;q=0, text/event-stream", false],
  ])("by %s: %s", (accept, either) => {
    expect(acceptsEither(accept)).toBe(either);
  });
});
