import type { z } from "zod";
import { resultBytes } from "./result-size.ts";

const encoder = new TextEncoder();

/**
 * An output in the two forms a result has it in. As bytes (UTF-8) when another thread has made it: a
 * large one would hold the event loop at each of the steps to here.
 */
export interface PreparedOutput {
  /** Its JSON. */
  readonly json: string | Uint8Array;
  /** That JSON as a JSON string, quotes and all. */
  readonly text: string | Uint8Array;
  /** Whether it was cut to fit. */
  readonly truncated: boolean;
}

/** An output prepared in this thread. */
export interface WrittenOutput extends PreparedOutput {
  readonly json: string;
  readonly text: string;
}

/** An output that crosses threads. */
export interface EncodedOutput extends PreparedOutput {
  readonly json: Uint8Array;
  readonly text: Uint8Array;
}

/** What a tool has returned, of any size. */
interface Unfitted<Output> {
  readonly output: Output;
  /**
   * Asked when the complete result is too large; absent: it always fits.
   * @param bytes Of the complete result.
   * @returns an output that fits. @throws {ToolError} When there is none.
   */
  shrink?(bytes: number): Output;
}

/**
 * Holds what a tool has returned to its schema, and makes it fit.
 * @throws {z.ZodError} When the tool breaks its contract.
 * @throws {ToolError} When it cannot be made to fit.
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

/** @param output Has passed the tool's output schema. */
export function writeOutput(output: unknown): WrittenOutput {
  const json = JSON.stringify(output);
  return { json, text: JSON.stringify(json), truncated: wasCut(output) };
}

/** @returns the output as bytes, which another thread can take over without copying them. */
export function encodeOutput({ json, text, truncated }: WrittenOutput): EncodedOutput {
  return { json: encoder.encode(json), text: encoder.encode(text), truncated };
}

function wasCut(output: unknown): boolean {
  return (
    typeof output === "object" &&
    output !== null &&
    "truncated" in output &&
    output.truncated === true
  );
}
