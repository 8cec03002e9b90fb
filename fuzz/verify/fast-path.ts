import { isTooDeep } from "../../src/json/depth.ts";
import { modernRevision, olderRevisions } from "../../src/protocol/revisions.ts";
import { isRecord } from "../../src/record.ts";
import { tools } from "../../src/tools/index.ts";
import { tokens } from "../../test/support/target.ts";
import type { WireRequest } from "../wire-request.ts";
import { objectIn } from "./json.ts";

const names: ReadonlySet<string> = new Set(tools.map(({ contract }) => contract.name));
const revisionKey = "io.modelcontextprotocol/protocolVersion";

/**
 * Whether a request is a call of a tool as any client would write it, whatever its arguments are; such
 * a call has a result and an audit record. Says no where it could be argued.
 */
export function isPlainCall({
  method,
  path,
  headers,
  body,
  encoding,
}: WireRequest): { readonly tool: string; readonly id: unknown } | undefined {
  if (method !== "POST" || path !== "/mcp" || encoding === "latin1") return undefined;
  const given = new Map(headers.map(([name, value]) => [name.toLowerCase(), value]));
  if (given.size < headers.length) return undefined;
  if (given.get("content-type") !== "application/json") return undefined;
  if (given.get("accept") !== "application/json, text/event-stream") return undefined;
  if (given.get("authorization") !== `Bearer ${tokens.all}`) return undefined;
  const known = [
    "content-type",
    "accept",
    "authorization",
    "user-agent",
    "mcp-protocol-version",
    "mcp-method",
    "mcp-name",
  ];
  if ([...given.keys()].some((name) => !known.includes(name))) return undefined;

  const message = objectIn(body);
  // Nested deeper than any message, a body that goes to a worker is refused there.
  if (isTooDeep(message)) return undefined;
  const { jsonrpc, id, params } = message ?? {};
  if (jsonrpc !== "2.0" || message?.method !== "tools/call") return undefined;
  if (typeof id !== "string" && !Number.isSafeInteger(id)) return undefined;
  if (Object.keys(message).length !== 4 || !isRecord(params)) return undefined;
  const { name, arguments: args, _meta: meta, ...others } = params;
  if (typeof name !== "string" || !names.has(name)) return undefined;
  if (!isRecord(args) || Object.keys(others).length > 0) return undefined;
  const revision = given.get("mcp-protocol-version");
  if (revision === modernRevision) {
    const envelope = isRecord(meta) ? meta : {};
    const plain =
      envelope[revisionKey] === modernRevision &&
      isRecord(envelope["io.modelcontextprotocol/clientCapabilities"]) &&
      Object.keys(envelope).length === 3 &&
      JSON.stringify(envelope["io.modelcontextprotocol/clientInfo"]) ===
        '{"name":"contract-tests","version":"1"}' &&
      given.get("mcp-method") === "tools/call" &&
      given.get("mcp-name") === name;
    return plain ? { tool: name, id } : undefined;
  }
  if (revision !== undefined && !olderRevisions.includes(revision)) return undefined;
  if (meta !== undefined || given.has("mcp-method") || given.has("mcp-name")) return undefined;
  return { tool: name, id };
}
