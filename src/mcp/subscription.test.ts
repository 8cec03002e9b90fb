import { expect, test } from "vitest";
import { Streams } from "../http/streams.ts";
import { holdSubscription } from "./subscription.ts";

const acknowledged = "event: message\ndata: acknowledged\n\n";
const ended = "event: message\ndata: ended\n\n";

async function next(reader: ReadableStreamDefaultReader<Uint8Array> | undefined) {
  const { done, value } = (await reader?.read()) ?? { done: true };
  return done ? null : new TextDecoder().decode(value);
}

test("a subscription is acknowledged at once and told its end when the server drains", async () => {
  const streams = new Streams(1);
  const headers = { "content-type": "text/event-stream; charset=utf-8" };
  const answer = async () => new Response(acknowledged + ended, { headers });
  const response = await holdSubscription(streams, answer, "alice", 7);
  const reader = response.body?.getReader();
  expect(response.headers.get("content-type")).toBe("text/event-stream");
  expect(await next(reader)).toBe(acknowledged);
  expect(streams.count).toBe(1);
  streams.end();
  expect(await next(reader)).toBe(ended);
  expect(await next(reader)).toBeNull();
});

test("a refusal is passed on as it is and holds no stream", async () => {
  const streams = new Streams(1);
  const plain = new Response(null, { status: 202 });
  for (const refusal of [Response.json({ error: {} }, { status: 400 }), plain]) {
    expect(await holdSubscription(streams, async () => refusal, "alice", 7)).toBe(refusal);
  }
  expect(streams.count).toBe(0);
});

test("where no stream is left the caller is not asked, and the answer has the id of the request", async () => {
  let asked = 0;
  const answer = async () => {
    asked += 1;
    return new Response();
  };
  const response = await holdSubscription(new Streams(0), answer, "alice", "the-id");
  expect(response.status).toBe(503);
  expect(await response.json()).toMatchObject({ id: "the-id", error: { code: -32603 } });
  expect(asked).toBe(0);
});
