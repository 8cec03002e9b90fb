import type { z } from "zod";
import { resultBytes } from "./result-size.ts";

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/**
 * An output in both forms that a result contains. As bytes (UTF-8) if a worker thread made it, because
 * serialising and copying a large output would block the event loop.
 */
export interface PreparedOutput {
  /** Its JSON. */
  readonly json: string | Uint8Array;
  /** The same JSON encoded as a JSON string, with its quotes. */
  readonly text: string | Uint8Array;
  /** Whether it was shortened to fit. */
  readonly truncated: boolean;
}

/** An output prepared in this thread. */
export interface WrittenOutput extends PreparedOutput {
  readonly json: string;
  readonly text: string;
}

/** An output that can be transferred between threads. */
export interface EncodedOutput extends PreparedOutput {
  readonly json: Uint8Array;
  readonly text: Uint8Array;
}

/** The output of a tool, of any size. */
interface Unfitted<Output> {
  readonly output: Output;
  /**
   * Called if the complete result is too large. Absent: the output always fits.
   * @param bytes Size of the complete result.
   * @returns An output that fits. @throws {ToolError} If there is none.
   */
  shrink?(bytes: number): Output;
}

/**
 * Checks the output of a tool against its schema and shortens it if it is too large.
 * @throws {z.ZodError} If the output does not match the schema.
 * @throws {ToolError} If it cannot be shortened enough.
 */
export function writeFitting<Output>(
  schema: z.ZodType,
  { output, shrink }: Unfitted<Output>,
  maxResultBytes: number,
): WrittenOutput {
  const written = writeOutput(schema.parse(output));
  if (!shrink) return written;
  const bytes = resultBytes(written);
  return bytes <= maxResultBytes ? written : writeOutput(schema.parse(shrink(bytes)));
}

/** @param output Must have passed the tool's output schema. */
export function writeOutput(output: unknown): WrittenOutput {
  const json = JSON.stringify(output);
  return { json, text: JSON.stringify(json), truncated: wasCut(output) };
}

/** @returns The output as bytes, which can be transferred to another thread without copying. */
export function encodeOutput({ json, text, truncated }: WrittenOutput): EncodedOutput {
  return { json: encoder.encode(json), text: encoder.encode(text), truncated };
}

/** @returns The output that was serialised: an object, because start-up checks this for each output schema. */
export function parsedOutput({ json }: PreparedOutput): Record<string, unknown> {
  return JSON.parse(typeof json === "string" ? json : decoder.decode(json));
}

function wasCut(output: unknown): boolean {
  return (
    typeof output === "object" &&
    output !== null &&
    "truncated" in output &&
    output.truncated === true
  );
}
