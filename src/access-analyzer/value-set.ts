import type { ConditionValue } from "../policy/model.ts";

/** @returns the values of a condition entry as texts. */
export function valueSet(values: readonly ConditionValue[]): ReadonlySet<string> {
  return new Set(values.map(({ text }) => text));
}
