import { once } from "node:events";
import { connect } from "node:net";
import { setTimeout } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { raw } from "../support/http.ts";
import { type InProcess, startInProcess } from "../support/in-process.ts";
import { call, readOnly, toolError } from "../support/rpc.ts";
import { auditRecords, tokens, withTokens } from "../support/target.ts";

let target: InProcess;
beforeAll(async () => {
  target = await startInProcess({
    ...withTokens,
    adjust: (runtime) => ({
      ...runtime,
      settings: { ...runtime.settings, max_calls_per_caller: 1 },
    }),
  });
});
afterAll(() => target.stop());

const stops: (() => void)[] = [];
afterEach(() => {
  for (const stop of stops.splice(0)) stop();
});

/** Uses up the share of a caller with a request whose body does not come. */
async function useUpShare(token: string): Promise<void> {
  // The request of the test before this one holds the share until the server notices that it has ended.
  await expect
    .poll(async () => (await validate(token)).body.result?.isError, { timeout: 10_000 })
    .toBe(false);
  // Under load the server may still count the last call as running. It then refuses this request too: the next try sends another.
  const hold = async () => {
    const socket = connect(Number(new URL(target.url).port), "127.0.0.1");
    stops.push(() => socket.destroy());
    await once(socket, "connect");
    socket.write(
      `POST /mcp HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\n` +
        "Content-Type: application/json\r\nContent-Length: 1000\r\n\r\n{",
    );
    await setTimeout(100);
    return (await validate(token)).body.result;
  };
  await expect
    .poll(hold, { timeout: 10_000 })
    .toMatchObject(toolError(expect.stringContaining("max_calls_per_caller")));
}

const validate = (token: string) =>
  call(target, "validate_policies", { policies: [readOnly] }, { token });

/** Sends as many at once and measures until the last is answered. */
async function timed<Answer>(
  count: number,
  send: () => Promise<Answer>,
): Promise<{ answers: Answer[]; tookMs: number }> {
  const began = performance.now();
  const answers = await Promise.all(Array.from({ length: count }, send));
  return { answers, tookMs: performance.now() - began };
}

test("a caller who goes on past its share is refused ever more slowly, and no other caller is", async () => {
  await useUpShare(tokens.validate);
  target.audit.all.length = 0;
  const flood = timed(20, () => validate(tokens.validate));
  const other = await timed(1, () => validate(tokens.other));
  for (const { body } of other.answers) expect(body.result?.isError).toBe(false);
  const { answers, tookMs } = await flood;
  for (const { status, body } of answers) {
    expect([status, body.result?.isError]).toEqual([200, true]);
  }
  // 20 ms apart. Timers may be a millisecond early.
  expect(tookMs).toBeGreaterThan(19 * 20 - 20);
  const outcomes = auditRecords(target.audit.all).map(({ outcome }) => outcome);
  expect(outcomes.toSorted()).toEqual(["success", ...Array(20).fill("tool_error")]);
});

test("requests other than calls are refused with 503 at the same pace", async () => {
  await useUpShare(tokens.validate);
  const { answers, tookMs } = await timed(20, () =>
    raw(`${target.url}/mcp`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${tokens.validate}`,
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
      },
      body: '{"jsonrpc":"2.0","id":1,"method":"tools/list"}',
    }),
  );
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([503]));
  expect(tookMs).toBeGreaterThan(19 * 20 - 20);
});

test("requests without a valid token are refused 2 ms apart for one address", async () => {
  const { answers, tookMs } = await timed(100, () => raw(`${target.url}/mcp`, { method: "POST" }));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([401]));
  expect(tookMs).toBeGreaterThan(99 * 2 - 10);
});

test("a body in tiny chunks is refused after five seconds, since its chunks cost as much as many refusals", async () => {
  const socket = connect(Number(new URL(target.url).port), "127.0.0.1");
  stops.push(() => socket.destroy());
  let answer = "";
  socket.setEncoding("latin1").on("data", (text: string) => {
    answer += text;
  });
  const began = performance.now();
  socket.write(
    `POST /mcp HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${tokens.other}\r\n` +
      `Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n${"1\r\n \r\n".repeat(1_100)}`,
  );
  await expect.poll(() => answer, { timeout: 30_000 }).toMatch(/^HTTP\/1\.1 400 /);
  expect(performance.now() - began).toBeGreaterThan(4_990);
});
