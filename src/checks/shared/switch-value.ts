import type { ConditionValue } from "../../policy/model.ts";

/** @returns what a test by `Bool` or `Null` asks for; null where its values differ, or there are none. */
export function switchValue(values: readonly ConditionValue[]): boolean | null {
  const texts = new Set(values.map(({ text }) => text.toLowerCase()));
  if (texts.size !== 1) return null;
  if (texts.has("true")) return true;
  return texts.has("false") ? false : null;
}
