import {
  Client as Client2,
  StreamableHTTPClientTransport as Http2,
} from "@modelcontextprotocol/client";
import { Client as Client1 } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as Http1 } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { Target } from "./target.ts";

const info = { name: "contract-tests", version: "1" };

/** Official clients, as users run them. */
export const clientKinds = ["SDK 1", "SDK 2 on 2025-11-25", "SDK 2 on 2026-07-28"] as const;
export type ClientKind = (typeof clientKinds)[number];

/** What the tests use of a client; both lines offer it. */
export type AnyClient = Pick<
  Client2,
  | "callTool"
  | "listTools"
  | "listResources"
  | "listResourceTemplates"
  | "readResource"
  | "listPrompts"
  | "getPrompt"
  | "getServerVersion"
  | "getServerCapabilities"
  | "getInstructions"
  | "close"
>;

export async function connect(
  target: Pick<Target, "url">,
  kind: ClientKind,
  token?: string,
): Promise<AnyClient> {
  const url = new URL(`${target.url}/mcp`);
  const requestInit = {
    headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
  };
  if (kind === "SDK 1") {
    const client = new Client1(info);
    await client.connect(new Http1(url, { requestInit }));
    // The same methods with the same shapes, under separate types.
    return client as unknown as AnyClient;
  }
  const mode = kind === "SDK 2 on 2026-07-28" ? { pin: "2026-07-28" as const } : "legacy";
  const client = new Client2(info, { versionNegotiation: { mode } });
  await client.connect(new Http2(url, { requestInit }));
  return client;
}
