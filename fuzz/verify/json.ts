import { isRecord } from "../../src/record.ts";
/** @returns undefined when a text is not a JSON object. */
export function objectIn(text: string): Record<string, unknown> | undefined {
  try {
    // As UTF-8 has it: half a surrogate pair does not get there.
    const value: unknown = JSON.parse(text.toWellFormed());
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
