import { afterAll, beforeAll, expect, test } from "vitest";
import { type InProcess, startInProcess } from "../support/in-process.ts";
import { rpcRequest } from "../support/rpc.ts";
import { tokens, withTokens } from "../support/target.ts";

let target: InProcess;
beforeAll(async () => {
  target = await startInProcess({ ...withTokens, flags: { ...withTokens.flags, mode: "hosted" } });
});
afterAll(() => target.stop());

const { headers, body } = rpcRequest("tools/list", {}, { token: tokens.all });
const post = (more: Readonly<Record<string, string>>, text = body) =>
  fetch(`${target.url}/mcp?query=s3cr3t`, {
    method: "POST",
    headers: { ...headers, ...more },
    body: text,
  });

test.each([
  ["invalid_token", 401, { authorization: "Bearer s3cr3t-token" }, body],
  ["invalid_request", 400, { authorization: "Bearer s3cr3t-token two" }, body],
  ["origin", 403, { origin: "https://s3cr3t.example.com" }, body],
  ["content_type", 415, { "content-type": "text/plain" }, body],
  ["not_acceptable", 406, { accept: "image/png" }, body],
  ["bad_request", 400, {}, '{"s3cr3t"'],
])(
  "a request refused as %s with %d is one line without content",
  async (reason, status, more, text) => {
    const before = target.log.all.length;
    const sent = { ...more, "x-forwarded-for": "203.0.113.9", "x-request-id": "from-the-proxy" };
    expect((await post(sent, text)).status).toBe(status);
    const lines = target.log.all.slice(before);
    expect(lines.map((line) => JSON.parse(line))).toEqual([
      expect.objectContaining({
        msg: "request refused",
        reason,
        status,
        method: "POST",
        path: "/mcp",
        address: expect.stringContaining("127.0.0.1"),
        forwarded_for: "203.0.113.9",
        request_id: "from-the-proxy",
      }),
    ]);
    expect(lines.join()).not.toContain("s3cr3t");
  },
);

test("a flood of refused requests writes one line a second for each reason", async () => {
  const before = target.log.all.length;
  const { authorization: _, ...anonymous } = headers;
  const sending = Array.from({ length: 40 }, () =>
    fetch(`${target.url}/mcp`, { method: "POST", headers: anonymous, body }),
  );
  const statuses = new Set((await Promise.all(sending)).map(({ status }) => status));
  expect([...statuses]).toEqual([401]);
  const lines = target.log.all.slice(before).map((line) => JSON.parse(line));
  expect(lines[0]).toMatchObject({ reason: "missing", status: 401 });
  // Under load the flood may take longer than a second.
  expect(lines.length).toBeLessThan(20);
});

test("an answered request writes no line", async () => {
  const before = target.log.all.length;
  expect((await post({})).status).toBe(200);
  expect(target.log.all.slice(before)).toEqual([]);
});

test("a caller whose token opens no tool is one line, however often it asks", async () => {
  const before = target.log.all.length;
  const lists = rpcRequest("tools/list", {}, { token: tokens.none });
  for (let at = 0; at < 3; at++) {
    const answer = await fetch(`${target.url}/mcp`, { method: "POST", ...lists });
    expect(answer.status).toBe(200);
  }
  expect(target.log.all.slice(before).map((line) => JSON.parse(line))).toEqual([
    expect.objectContaining({
      msg: "A caller without a scope for any tool has connected.",
      subject: "client-none",
      scopes: [],
    }),
  ]);
});

test("with the access log every request is a line with its duration, and a refused one has its reason too", async () => {
  const server = await startInProcess({
    ...withTokens,
    flags: { ...withTokens.flags, mode: "hosted", access_log: "on" },
  });
  try {
    const before = server.log.all.length;
    const sent = { ...headers, "x-forwarded-for": "203.0.113.9", "x-request-id": "from-the-proxy" };
    await fetch(`${server.url}/mcp?query=s3cr3t`, { method: "POST", headers: sent, body });
    await fetch(`${server.url}/mcp`, {
      method: "POST",
      body,
      headers: { ...sent, authorization: "Bearer s3cr3t-token" },
    });
    await fetch(`${server.url}/health?s3cr3t`);
    await fetch(`${server.url}/missing`);
    const lines = server.log.all.slice(before);
    const common = {
      method: "POST",
      path: "/mcp",
      forwarded_for: "203.0.113.9",
      request_id: "from-the-proxy",
    };
    const duration_ms = expect.any(Number);
    expect(lines.map((line) => JSON.parse(line))).toEqual([
      expect.objectContaining({ msg: "request", status: 200, ...common, duration_ms }),
      expect.objectContaining({ msg: "request refused", reason: "invalid_token", ...common }),
      expect.objectContaining({ msg: "request", status: 401, ...common, duration_ms }),
      expect.objectContaining({ msg: "request", status: 200, method: "GET", path: "/health" }),
      expect.objectContaining({ msg: "request", status: 404, method: "GET", path: "/missing" }),
    ]);
    expect(lines.join()).not.toContain("s3cr3t");
  } finally {
    await server.stop();
  }
});
