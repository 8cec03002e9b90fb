/** Thread that reads large bodies, so that none of them holds the event loop. */

import { isUtf8 } from "node:buffer";
import { move, transferableSymbol, valueSymbol, workerData } from "piscina";
import { mostValues, mostValuesOnMainThread } from "../json/count-values.ts";
import { maxMessageDepth } from "../json/depth.ts";
import { parseJson } from "../json/parse.ts";
import { scanMessage } from "../json/scan-message.ts";
import { envelopeOf, scannedTool, withoutArguments } from "../protocol/message.ts";
import { isRecord } from "../record.ts";
import type { Envelope, Reading, ReadTask, WorkerData } from "./types.ts";

const decoder = new TextDecoder("utf-8", { fatal: true });

/** @returns the JSON value of a body; undefined: it is not UTF-8 or not JSON. */
export function parseBody(body: Uint8Array): unknown {
  try {
    return parseJson(decoder.decode(body));
  } catch {
    return undefined;
  }
}

/** @returns the arguments of a parsed call; undefined when they are not an object. */
export function argumentsOf(message: unknown): Record<string, unknown> | undefined {
  const params = isRecord(message) ? message.params : undefined;
  const args = isRecord(params) ? params.arguments : undefined;
  return isRecord(args) ? args : undefined;
}

/**
 * Task of the pool, which calls it by name: {@link readEnvelope} of a body in parts. The body is transferred back
 * whole and not copied.
 * @public
 */
export function readParts({ parts, deferrable, policyTools }: ReadTask): unknown {
  // The options that the pool was created with.
  const { settings } = workerData as WorkerData;
  // Larger than what Buffer takes from its pool, so alone in its memory.
  const envelope = readEnvelope(Buffer.concat(parts), {
    deferrable,
    policyTools,
    mostValues: mostValues(settings.max_request_bytes),
    wholeBytes: settings.max_request_bytes,
  });
  return envelope.kind === "deferred" ? transferred(envelope, [envelope.body]) : envelope;
}

/** @returns the value for Piscina to post with the memory of these bytes. */
export function transferred(value: object, bytes: readonly Uint8Array[]): unknown {
  return move({
    get [transferableSymbol]() {
      return bytes.map(({ buffer }) => buffer);
    },
    get [valueSymbol]() {
      return value;
    },
  });
}

/**
 * @returns what a body holds. The arguments of a deferred call are not parsed here, but their JSON is checked: a call
 * that is not JSON is not a call.
 */
export function readEnvelope(
  body: Uint8Array,
  options: Omit<Reading, "caller"> & {
    readonly mostValues: number;
    /** Of a longer body the arguments are left out: its call is refused whatever they are. */
    readonly wholeBytes: number;
  },
): Envelope {
  if (!isUtf8(body)) return { kind: "invalid" };
  const scanned = scanMessage(body);
  if (scanned.values > options.mostValues) return { kind: "too_many_values" };
  if (scanned.kind === "invalid" || scanned.kind === "partial") return { kind: "invalid" };
  if (scanned.kind === "array") return { kind: "batch" };
  if (scanned.depth > maxMessageDepth) return { kind: "invalid" };
  const { policyCount } = scanned;
  const tool = scannedTool(scanned);
  if (tool !== undefined && options.deferrable.includes(tool) && scanned.hasArguments) {
    const message = scanned.hasOthers ? withoutArguments(parseBody(body)) : envelopeOf(scanned);
    return { kind: "deferred", message, policyCount, body };
  }
  // It goes back to the main thread, which walks all of it at once.
  if (scanned.wholeDepth > maxMessageDepth) return { kind: "invalid" };
  if (scanned.values > mostValuesOnMainThread(tool, options.policyTools)) {
    return { kind: "too_many_values" };
  }
  const message = parseBody(body);
  const isOver = tool !== undefined && body.byteLength > options.wholeBytes;
  return { kind: "message", message: isOver ? withoutArguments(message) : message };
}
