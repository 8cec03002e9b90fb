import { editsBetween } from "../edit-distance.ts";
import type { ConditionEntry, Statement } from "../policy/model.ts";
import { isRecord } from "../record.ts";

/** A condition block: operator to key to values. */
export type ConditionBlock = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/**
 * The condition block of the statement with these entries. An entry whose operator and key are there
 * already, in any letter case, is replaced; all others stay.
 * @param removed Entries that are left out first, and an operator with them that is left without keys.
 * @returns null where what the statement has for a condition cannot be read as one: its tests would be lost.
 */
export function withCondition(
  statement: Statement,
  added: ConditionBlock,
  removed: readonly ConditionEntry[] = [],
): ConditionBlock | null {
  const { Condition: raw = null } = statement.raw;
  if (Object.keys(statement.raw).some(isMisspeltCondition)) return null;
  // Most statements that get a condition have none.
  if (raw === null) return copyOf(added);
  if (!isRecord(raw) || !Object.values(raw).every(isRecord)) return null;
  // Maps, because the policy chooses the names, and `__proto__` is one that objects treat specially.
  const block = new Map<string, Map<string, unknown>>();
  for (const [operator, keys] of Object.entries(raw)) {
    if (isRecord(keys)) block.set(operator, new Map(Object.entries(keys)));
  }
  for (const { operatorText, key } of removed) {
    const keys = block.get(operatorText);
    keys?.delete(key);
    if (keys?.size === 0) block.delete(operatorText);
  }
  for (const [operator, keys] of Object.entries(added)) {
    const written = sameName(block, operator);
    const there = block.get(written) ?? new Map<string, unknown>();
    for (const [key, value] of Object.entries(keys)) there.set(sameName(there, key), value);
    block.set(written, there);
  }
  return Object.fromEntries(Array.from(block, ([name, keys]) => [name, Object.fromEntries(keys)]));
}

function copyOf(block: ConditionBlock): ConditionBlock {
  return Object.fromEntries(Object.entries(block).map(([name, keys]) => [name, { ...keys }]));
}

function isMisspeltCondition(name: string): boolean {
  return name !== "Condition" && editsBetween(name.toLowerCase(), "condition") <= 2;
}

/** @returns the name as the map has it, in any letter case; the name itself when it has none. */
function sameName(map: ReadonlyMap<string, unknown>, name: string): string {
  const lower = name.toLowerCase();
  return map.keys().find((one) => one.toLowerCase() === lower) ?? name;
}
