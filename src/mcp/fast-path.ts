import { classifyInboundRequest } from "@modelcontextprotocol/server";
import { acceptsEither } from "../protocol/accept.ts";
import { modernRevision, olderRevisions } from "../protocol/revisions.ts";
import { idOf } from "../protocol/rpc-error.ts";
import { isRecord } from "../record.ts";

/** An ordinary call of a tool. */
export interface FastCall {
  readonly revision: "modern" | "older";
  readonly id: string | number;
  readonly name: string;
  /** Absent: none were given. */
  readonly args: JsonRecord | undefined;
}

type JsonRecord = Readonly<Record<string, unknown>>;

const reserved = "io.modelcontextprotocol/";
const claim = `${reserved}protocolVersion`;
const clientInfo = `${reserved}clientInfo`;
const clientCapabilities = `${reserved}clientCapabilities`;
const envelopeKeys: readonly string[] = [claim, clientInfo, clientCapabilities];

const maxRemembered = 256;
const maxRememberedLength = 2048;

/**
 * Fast path: recognises an ordinary `tools/call`, which has only the expected members, headers that agree with
 * the body, and an envelope that the SDK accepts. The SDK handles every other message.
 */
export class FastPath {
  /** Clients send the same envelope with each request, and validating one costs more than a small call. */
  readonly #validEnvelopes = new Set<string>();

  /** @returns undefined if the SDK must handle the message. */
  read(message: unknown, headers: Headers): FastCall | undefined {
    if (!hasOnly(message, ["jsonrpc", "id", "method", "params"])) return undefined;
    const { jsonrpc, method, params } = message;
    const id = idOf(message);
    if (jsonrpc !== "2.0" || method !== "tools/call" || id === null) return undefined;
    if (!hasOnly(params, ["name", "arguments", "_meta"])) return undefined;
    const { name, arguments: args, _meta: meta = {} } = params;
    if (typeof name !== "string" || !isOrdinaryMeta(meta)) return undefined;
    // The SDK's parser leaves out a member called `__proto__`.
    if (args !== undefined && (!isRecord(args) || Object.hasOwn(args, "__proto__"))) {
      return undefined;
    }
    const modern = Object.hasOwn(meta, claim);
    const isOrdinary = modern
      ? namesModern(name, headers) && this.#isValidEnvelope(meta, message)
      : isOrdinaryOlder(meta, headers);
    return isOrdinary ? { revision: modern ? "modern" : "older", id, name, args } : undefined;
  }

  /** @param message With headers that agree with its method and revision. */
  #isValidEnvelope(meta: JsonRecord, message: JsonRecord): boolean {
    if (meta[claim] !== modernRevision) return false;
    // As an object: one without client info must not read like one whose client info is null.
    const envelope = JSON.stringify({ info: meta[clientInfo], can: meta[clientCapabilities] });
    if (this.#validEnvelopes.has(envelope)) return true;
    const { kind } = classifyInboundRequest({
      httpMethod: "POST",
      protocolVersionHeader: modernRevision,
      mcpMethodHeader: "tools/call",
      body: message,
    });
    if (kind !== "modern") return false;
    if (this.#validEnvelopes.size < maxRemembered && envelope.length <= maxRememberedLength) {
      this.#validEnvelopes.add(envelope);
    }
    return true;
  }
}

/** Revision 2026-07-28 repeats parts of the body in headers. */
function namesModern(name: string, headers: Headers): boolean {
  return (
    headers.get("mcp-protocol-version") === modernRevision &&
    headers.get("mcp-method") === "tools/call" &&
    headers.get("mcp-name") === name
  );
}

function isOrdinaryOlder(meta: JsonRecord, headers: Headers): boolean {
  if (envelopeKeys.some((key) => Object.hasOwn(meta, key))) return false;
  const named = headers.get("mcp-protocol-version");
  if (named !== null && !olderRevisions.includes(named)) return false;
  return acceptsEither(headers.get("accept"));
}

/** Whether the only members that the protocol reserves are those of the envelope, and the progress token is valid. */
function isOrdinaryMeta(meta: unknown): meta is JsonRecord {
  if (!isRecord(meta)) return false;
  for (const key in meta) {
    if (key.startsWith(reserved) && !envelopeKeys.includes(key)) return false;
  }
  const { progressToken: token } = meta;
  return token === undefined || typeof token === "string" || Number.isSafeInteger(token);
}

/** @returns whether the value is an object with no member but these; any may be missing. */
function hasOnly(value: unknown, keys: readonly string[]): value is JsonRecord {
  if (!isRecord(value)) return false;
  for (const key in value) if (!keys.includes(key)) return false;
  return true;
}
