/** Thread that takes large bodies apart, so that parsing them never holds the event loop. */

import { move, transferableSymbol, valueSymbol, workerData } from "piscina";
import { validatePolicies } from "../../spec/tools/validate-policies.ts";
import { hasMoreValues, mostValues, mostValuesElsewhere } from "../json/count-values.ts";
import { isTooDeep } from "../json/depth.ts";
import { parseJson } from "../json/parse.ts";
import { calledTool, withoutArguments } from "../protocol/message.ts";
import type { Envelope, WorkerData } from "./types.ts";

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
  const params = isObject(message) ? message.params : undefined;
  const args = isObject(params) ? params.arguments : undefined;
  return isObject(args) ? args : undefined;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Task of the pool: none. It is there to start a thread. */
export function wake(): void {}

/** Task of the pool: {@link readEnvelope} of a body in parts, which is handed back whole and not copied. */
export function takeApart(parts: readonly Uint8Array[]): unknown {
  // The pool hands over what it was created with.
  const { settings } = workerData as WorkerData;
  // Larger than what Buffer takes from its pool, so alone in its memory.
  const envelope = readEnvelope(Buffer.concat(parts), mostValues(settings.max_request_bytes));
  return envelope.kind === "deferred" ? handedOver(envelope, [envelope.body]) : envelope;
}

/** @returns the value for Piscina to post with the memory of these bytes. */
export function handedOver(value: object, bytes: readonly Uint8Array[]): unknown {
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
 * @param most Values it may have.
 * @returns what a body holds.
 */
export function readEnvelope(body: Uint8Array, most = Number.POSITIVE_INFINITY): Envelope {
  if (hasMoreValues(body, most)) return { kind: "too_many_values" };
  const message = parseBody(body);
  if (message === undefined) return { kind: "invalid" };
  if (Array.isArray(message)) return { kind: "batch" };
  const args = argumentsOf(message);
  if (calledTool(message) === validatePolicies.name && args) {
    const envelope = withoutArguments(message);
    const { policies } = args;
    if (!isTooDeep(envelope)) {
      return {
        kind: "deferred",
        message: envelope,
        policyCount: Array.isArray(policies) ? policies.length : 0,
        body,
      };
    }
  }
  // It goes back to the main thread, which walks all of it at once.
  if (isTooDeep(message)) return { kind: "invalid" };
  if (hasMoreValues(body, Math.min(most, mostValuesElsewhere))) return { kind: "too_many_values" };
  return { kind: "message", message };
}
