import type { Caller } from "../auth/caller.ts";
import { modernRevision } from "../protocol/revisions.ts";
import type { McpEndpoint } from "./handle-mcp.ts";

const warmUpCaller: Caller = {
  subject: "warm-up",
  clientId: "warm-up",
  scopes: [],
  may: () => true,
};

const envelope = {
  "io.modelcontextprotocol/protocolVersion": modernRevision,
  "io.modelcontextprotocol/clientCapabilities": {},
};

/** Requests that run the code of both protocol eras without calling a tool. */
const requests = [
  {
    method: "initialize",
    params: {
      protocolVersion: "2025-11-25",
      capabilities: {},
      clientInfo: { name: "warm-up", version: "1" },
    },
  },
  { method: "tools/list", params: {} },
  { method: "tools/call", params: { name: "warm-up" } },
  { method: "server/discover", params: { _meta: envelope } },
  { method: "tools/list", params: { _meta: envelope } },
  { method: "tools/call", params: { name: "warm-up", _meta: envelope } },
];

/**
 * Sends one request of each kind through the endpoint, so that the first caller does not wait for code to
 * load.
 */
export async function warmUpRequests(endpoint: McpEndpoint): Promise<void> {
  for (const [id, { method, params }] of requests.entries()) {
    const headers = new Headers({
      accept: "application/json, text/event-stream",
      "content-type": "application/json",
      ...("_meta" in params && { "mcp-protocol-version": modernRevision, "mcp-method": method }),
      ...("name" in params && { "mcp-name": params.name }),
    });
    const response = await endpoint.handle({
      request: new Request("http://localhost/mcp", { method: "POST", headers }),
      message: { jsonrpc: "2.0", id, method, params },
      bytes: 0,
      caller: warmUpCaller,
      signal: new AbortController().signal,
    });
    await response.text();
  }
}
