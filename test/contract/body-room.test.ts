import type { ClientRequest } from "node:http";
import { afterAll, beforeAll, expect, test } from "vitest";
import { answerOf, open, type RawAnswer, raw } from "../support/http.ts";
import { type InProcess, startInProcess } from "../support/in-process.ts";
import { rpcRequest } from "../support/rpc.ts";

const largest = 4 * 100_000;
let target: InProcess;

beforeAll(async () => {
  // Room for a single body of the largest size, four times `max_request_bytes`.
  target = await startInProcess({
    flags: { max_request_bytes: "100000", max_policy_bytes: "100000", max_queued_calls: "1" },
  });
});
afterAll(() => target.stop());

const { headers, body } = rpcRequest("tools/list");
const padded = (bytes: number) => body + " ".repeat(bytes - body.length);
const send = (text: string, more: Record<string, string> = {}): Promise<RawAnswer> =>
  raw(`${target.url}/mcp`, { method: "POST", headers: { ...headers, ...more }, body: text });

/** Begins a body of the largest size and does not end it. */
function begin(length: Record<string, string>): ClientRequest {
  const request = open(`${target.url}/mcp`, { method: "POST", headers: { ...headers, ...length } });
  request.write("x".repeat(largest - 1));
  return request;
}

test.each([
  ["declared", { "content-length": String(largest) }],
  ["chunked", { "transfer-encoding": "chunked" }],
])(
  "of bodies that never end only as many are held as there is room for (%s)",
  async (_, length) => {
    const begun = [begin(length), begin(length)];
    const answers = begun.map(answerOf);
    const refused = await Promise.any(answers);
    expect([refused.status, refused.headers["retry-after"]]).toEqual([503, "1"]);
    expect(JSON.parse(refused.text)).toMatchObject({ id: null, error: { code: -32603 } });

    // Small calls go on, and so does the rest of the server.
    expect((await send(body)).status).toBe(200);
    expect((await raw(`${target.url}/health`)).status).toBe(200);

    for (const request of begun) request.destroy();
    await Promise.allSettled(answers);
    const later = async () => (await send(padded(largest))).status;
    await expect.poll(later, { timeout: 10_000 }).toBe(200);
  },
);

test("a body gives its room back once it is read, also when it is refused", async () => {
  for (let count = 0; count < 5; count++) {
    expect((await send(padded(largest))).status).toBe(200);
    expect((await send("x".repeat(largest))).status).toBe(400);
    expect((await send("x".repeat(largest + 1))).status).toBe(413);
    const begun = open(`${target.url}/mcp`, { method: "POST", headers });
    const answer = answerOf(begun);
    begun.end("x".repeat(largest + 1));
    expect((await answer).status).toBe(413);
  }
});

test("bodies that are announced and never come shut no caller out", async () => {
  const announced = Array.from({ length: 8 }, () => {
    const length = { "content-length": String(largest) };
    const request = open(`${target.url}/mcp`, {
      method: "POST",
      headers: { ...headers, ...length },
    });
    request.flushHeaders();
    return request;
  });
  const answers = announced.map(answerOf);
  expect((await send(padded(largest))).status).toBe(200);
  for (const request of announced) request.destroy();
  await Promise.allSettled(answers);
});

test("what is not a call with policies has fewer values, since the main thread walks it", async () => {
  const wide = await startInProcess({ flags: { log_level: "error" } });
  try {
    const query = (values: number) => ({
      method: "POST",
      headers,
      body:
        '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"query","arguments":' +
        `{"kind":"action_details","actions":[${"1,".repeat(values)}0]}}}`,
    });
    expect((await raw(`${wide.url}/mcp`, query(1_900))).status).toBe(200);
    expect((await raw(`${wide.url}/mcp`, query(2_100))).status).toBe(413);
  } finally {
    await wide.stop();
  }
});

test("a small body that nests deep is not a request, and no fault of the server", async () => {
  const meta = `${'{"a":'.repeat(5_000)}1${"}".repeat(5_000)}`;
  const call =
    '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"get_config","arguments":{},' +
    `"_meta":{"io.modelcontextprotocol/clientCapabilities":${meta}}}}`;
  expect((await send(call)).status).toBe(400);
});

test("a body of more values than memory is kept for is 413, whatever it is for", async () => {
  const wide = await startInProcess({ flags: { log_level: "error" } });
  try {
    const empties = "[],".repeat(1_100_000);
    for (const [method, params] of [
      ["tools/call", `{"name":"validate_policies","arguments":{"policies":[${empties}0]}}`],
      [
        "tools/call",
        `{"name":"query","arguments":{"kind":"action_details","actions":[${empties}0]}}`,
      ],
      ["tools/list", `{"more":[${empties}0]}`],
    ]) {
      const answer = await raw(`${wide.url}/mcp`, {
        method: "POST",
        headers,
        body: `{"jsonrpc":"2.0","id":1,"method":"${method}","params":${params}}`,
      });
      expect(answer.status).toBe(413);
      expect(JSON.parse(answer.text)).toMatchObject({
        error: { message: "The body has too many values" },
      });
    }
    expect(wide.audit.all).toEqual([]);
  } finally {
    await wide.stop();
  }
});
