import type { Correction } from "../../engine/check.ts";
import type { ConditionEntry, Statement } from "../../policy/model.ts";
import { isRecord } from "../../record.ts";
import { correctedStatement, isTooLong } from "./corrected.ts";

/** What an entry of a condition becomes; what is not given stays as written. */
export interface EntryChange {
  readonly operator?: string;
  readonly key?: string;
  readonly value?: unknown;
}

/**
 * The statement with one entry of its condition written differently, or left out.
 * @param change Null removes the entry; an operator without keys goes with it, and so does an empty
 * condition.
 * @returns null where the new place is taken already, or the statement is too long to repeat.
 */
export function correctedEntry(
  statement: Statement,
  entry: Pick<ConditionEntry, "operatorText" | "key">,
  change: EntryChange | null,
): Correction | null {
  const { Condition: raw } = statement.raw;
  if (!isRecord(raw)) return null;
  const from = raw[entry.operatorText];
  if (!isRecord(from)) return null;
  const operator = change?.operator ?? entry.operatorText;
  const key = change?.key ?? entry.key;
  // Maps, because the policy chooses the names, and `__proto__` is one that objects treat specially.
  const block = new Map<string, Map<string, unknown>>();
  for (const [name, keys] of Object.entries(raw)) {
    if (isRecord(keys)) block.set(name, new Map(Object.entries(keys)));
  }
  const source = block.get(entry.operatorText);
  if (!source) return null;
  const value = change?.value ?? source.get(entry.key);
  const stays = operator === entry.operatorText && key === entry.key;
  if (change && stays) {
    source.set(key, value);
  } else {
    source.delete(entry.key);
    if (source.size === 0) block.delete(entry.operatorText);
    if (change && !addTo(block, operator, key, value)) return null;
  }
  const Condition = Object.fromEntries(
    Array.from(block, ([name, keys]) => [name, Object.fromEntries(keys)]),
  );
  return correctedStatement(statement, { Condition: block.size > 0 ? Condition : undefined });
}

function addTo(
  block: Map<string, Map<string, unknown>>,
  operator: string,
  key: string,
  value: unknown,
): boolean {
  const lower = operator.toLowerCase();
  const name = block.keys().find((one) => one.toLowerCase() === lower) ?? operator;
  const keys = block.get(name) ?? new Map<string, unknown>();
  if (keys.keys().some((one) => one.toLowerCase() === key.toLowerCase())) return false;
  keys.set(key, value);
  block.set(name, keys);
  return true;
}

/** The name of an operator with the set prefix and `IfExists` of another. */
export function operatorLike(
  { operator }: Pick<ConditionEntry, "operator">,
  base: string,
  ifExists = operator?.ifExists ?? false,
): string {
  const prefix = operator?.setPrefix ? `${operator.setPrefix}:` : "";
  return `${prefix}${base}${ifExists && base !== "Null" ? "IfExists" : ""}`;
}

/**
 * The statement with an operator of its condition under another name.
 * @returns null where that name already has a key, or the statement is too long to repeat.
 */
export function renamedOperator(
  statement: Statement,
  operatorText: string,
  name: string,
): Correction | null {
  const { Condition: raw } = statement.raw;
  // Asked for each of thousands of operators, and each time reads the whole condition.
  if (!isRecord(raw) || isTooLong(statement)) return null;
  const block = new Map<string, Map<string, unknown>>();
  for (const [operator, keys] of Object.entries(raw)) {
    const to = operator === operatorText ? name : operator;
    if (!isRecord(keys)) continue;
    for (const [key, value] of Object.entries(keys)) {
      if (!addTo(block, to, key, value)) return null;
    }
  }
  const Condition = Object.fromEntries(
    Array.from(block, ([operator, keys]) => [operator, Object.fromEntries(keys)]),
  );
  return correctedStatement(statement, { Condition });
}
