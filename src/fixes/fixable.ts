import { readSource } from "../containers/source.ts";
import { tryParseJson, withoutByteOrderMark } from "../json/parse.ts";

/** What fixes are applied to: a value, and its text if it has one. */
export interface Fixable {
  readonly raw: unknown;
  readonly text: string | null;
  readonly isJsonText: boolean;
}

/**
 * Reads a container as fixes edit it.
 * @param input Its text, or a value given as an object.
 */
export async function readFixable(input: unknown): Promise<Fixable> {
  if (typeof input !== "string") return { raw: input, text: null, isJsonText: false };
  const { value } = await readSource({ text: input });
  const isJsonText = tryParseJson(withoutByteOrderMark(input)) !== undefined;
  return { raw: value, text: input, isJsonText };
}
