import { isUtf8 } from "node:buffer";
import type { Reservation } from "../admission/budget.ts";
import { mostValuesOnMainThread } from "../json/count-values.ts";
import { isTooDeep, maxMessageDepth } from "../json/depth.ts";
import { parseJson } from "../json/parse.ts";
import { type ScannedMessage, scanMessage } from "../json/scan-message.ts";
import { ReaderBusy } from "../pool/pool.ts";
import type { ValidationPool } from "../pool/types.ts";
import { envelopeOf, scannedTool, withoutArguments } from "../protocol/message.ts";
import { idOf } from "../protocol/rpc-error.ts";
import { type BodySource, unreservedBytes } from "./body-source.ts";
import type { Collected } from "./chunk-buffer.ts";

/** What became of a request's body. */
export type Body = SmallBody | ReadBody | DeferredBody | UnreadBody;

/** A small JSON body. It is parsed when its call has a turn on the main thread. */
interface SmallBody {
  readonly kind: "small";
  readonly bytes: number;
  /** Of the request. */
  id(): string | number | null;
  /** @returns undefined if the message is too deep for recursive code. */
  parse(): unknown;
}

interface ReadBody {
  readonly kind: "message";
  readonly message: unknown;
  readonly bytes: number;
}

/** A call whose arguments stay in the body; `message` has none. */
interface DeferredBody {
  readonly kind: "deferred";
  readonly message: unknown;
  readonly bytes: number;
  readonly body: Uint8Array;
  readonly policyCount: number;
}

/**
 * A body that is not a message. `invalid`: not UTF-8, not JSON, or cut short. `busy`: the caller's or the server's memory budget for bodies is
 * used up, or the queue of the thread that reads large ones.
 */
export interface UnreadBody {
  readonly kind: "too_large" | "too_many_values" | "invalid" | "batch" | "busy";
  /** Of the request, if it is in the first part of the body. */
  readonly id: string | number | null;
}

export interface ReadOptions {
  /** Bytes; a longer body is not read to its end. */
  readonly limit: number;
  readonly pool: ValidationPool;
  readonly reservation: Reservation;
  /** Bodies of this caller take turns with those of others. */
  readonly caller: string;
  /** Tools of the caller that take their arguments in the body. */
  readonly deferrable: readonly string[];
  /** Tools of the caller whose arguments hold a policy. */
  readonly policyTools: readonly string[];
  /** Whether a small call of such a tool is worth a thread. */
  readonly isCostly: (scanned: ScannedMessage, body: Uint8Array) => boolean;
}

const decoder = new TextDecoder();

/** Reads a JSON body. A large one is read in another thread, a small one by a scan that builds no value. */
export async function readMessage(source: BodySource, options: ReadOptions): Promise<Body> {
  const body = await source.read(options.limit, options.reservation);
  // Its answer has no id. Clients that leave cut bodies short: hundreds at once, and the id would take a scan of each.
  if (body === "invalid") return { kind: body, id: null };
  if (typeof body === "string") return { kind: body, id: idIn(source) };
  return body.size <= unreservedBytes ? readSmall(body, options) : readLarge(body, options);
}

/** @returns the id of the request; null: it is not in the part of the body that has arrived. */
export function idIn(source: BodySource): string | number | null {
  return idOfHead(source.head());
}

function idOfHead(head: Uint8Array): string | number | null {
  return idOfScanned(scanMessage(head));
}

function idOfScanned({ members: { id } }: ScannedMessage): string | number | null {
  return id === undefined ? null : idOf({ id: parseJson(id) });
}

function readSmall(
  { parts, size }: Collected,
  { deferrable, policyTools, isCostly }: ReadOptions,
): SmallBody | DeferredBody | UnreadBody {
  const [first = new Uint8Array(0)] = parts;
  const bytes = parts.length > 1 ? Buffer.concat(parts) : first;
  if (!isUtf8(bytes)) return { kind: "invalid", id: null };
  const scanned = scanMessage(bytes);
  if (scanned.kind === "array") return { kind: "batch", id: null };
  if (scanned.kind === "invalid" || scanned.kind === "partial" || scanned.depth > maxMessageDepth) {
    return { kind: "invalid", id: null };
  }
  const tool = scannedTool(scanned);
  const defers =
    tool !== undefined &&
    deferrable.includes(tool) &&
    scanned.hasArguments &&
    !scanned.hasOthers &&
    isCostly(scanned, bytes);
  if (defers) {
    const { policyCount } = scanned;
    return {
      kind: "deferred",
      message: envelopeOf(scanned),
      bytes: size,
      body: bytes,
      policyCount,
    };
  }
  if (scanned.values > mostValuesOnMainThread(tool, policyTools)) {
    return { kind: "too_many_values", id: idOfScanned(scanned) };
  }
  const parse = () => {
    const message = parseJson(decoder.decode(bytes));
    // Recursive code walks all but the arguments, which only the tools read.
    return isTooDeep(withoutArguments(message)) ? undefined : message;
  };
  return { kind: "small", bytes: size, id: () => idOfScanned(scanned), parse };
}

async function readLarge(
  body: Collected,
  { pool, caller, deferrable, policyTools }: ReadOptions,
): Promise<ReadBody | DeferredBody | UnreadBody> {
  const bytes = body.size;
  // Once the body has been transferred to the other thread it cannot be read here.
  const id = idOfHead(Buffer.concat(body.parts.slice(0, 2)).subarray(0, unreservedBytes));
  try {
    const envelope = await pool.readEnvelope(body.parts, { caller, deferrable, policyTools });
    return "message" in envelope ? { ...envelope, bytes } : { ...envelope, id };
  } catch (error) {
    if (error instanceof ReaderBusy) return { kind: "busy", id };
    throw error;
  }
}
