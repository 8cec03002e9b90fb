import { afterEach, describe, expect, test } from "vitest";
import { modernRevision, olderRevisions } from "../protocol/revisions.ts";
import { noStreamLeft, openChannel } from "./channel.ts";
import { Streams } from "./streams.ts";

const stream = { accept: "text/event-stream" };
const streams = new Streams(1);
const open = (headers: Record<string, string>) =>
  openChannel(streams, new Headers(headers), "alice");
const openStreams: Response[] = [];
afterEach(async () => {
  for (const response of openStreams.splice(0)) await response.body?.cancel();
});

describe("the event stream of GET", () => {
  test.each([undefined, ...olderRevisions])("opens for revision %s", (revision) => {
    const response = open({ ...stream, ...(revision && { "mcp-protocol-version": revision }) });
    openStreams.push(response);
    expect(response.status).toBe(200);
    expect(streams.count).toBe(1);
  });

  test.each([
    [
      "revision 2026-07-28, which has none",
      { ...stream, "mcp-protocol-version": modernRevision },
      405,
      "Revision 2026-07-28 has no GET channel",
    ],
    [
      "an unknown revision",
      { ...stream, "mcp-protocol-version": "1999-01-01" },
      400,
      "Unsupported MCP-Protocol-Version",
    ],
    [
      "who takes JSON only",
      { accept: "application/json" },
      406,
      "Accept must list text/event-stream",
    ],
  ])("is refused to %s", async (_, headers, status, message) => {
    const response = open(headers);
    expect(response.status).toBe(status);
    expect(await response.json()).toEqual({
      jsonrpc: "2.0",
      error: { code: -32600, message },
      id: null,
    });
    expect(response.headers.get("allow")).toBe(status === 405 ? "POST" : null);
    expect(streams.count).toBe(0);
  });

  test("is refused for a while when as many are open as may be", async () => {
    openStreams.push(open(stream));
    const response = open(stream);
    expect([response.status, response.headers.get("retry-after")]).toEqual([503, "30"]);
    expect(await response.json()).toEqual({
      jsonrpc: "2.0",
      error: { code: -32603, message: "Too many open streams" },
      id: null,
    });
  });
});

test("a subscription for which there is no stream is answered by its id", async () => {
  expect(await noStreamLeft("a").json()).toMatchObject({ id: "a" });
  expect(await noStreamLeft(null).json()).toMatchObject({ id: null });
});
