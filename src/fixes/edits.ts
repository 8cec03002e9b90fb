import { childNode, type NodeRef } from "../json/node.ts";
import type { ConditionEntry, Entry, Statement } from "../policy/model.ts";
import { isRecord } from "../record.ts";
import { type ConditionBlock, withCondition } from "./condition-block.ts";
import type { Edit } from "./proposal.ts";

/** Another value at the node; of an object or list only what differs is edited. */
export function replaceValue(node: NodeRef, value: unknown): Edit {
  return { kind: "replace", node: { ...node, part: "value" }, value };
}

/** The value of a correction in place of what it corrects. */
export function asCorrected(correction: {
  readonly node: NodeRef;
  readonly value: unknown;
}): readonly Edit[] {
  return [replaceValue(correction.node, correction.value)];
}

/** Removes entries of lists. A value that is not in a list stays. */
export function removeEntries(entries: readonly Pick<Entry, "node">[]): readonly Edit[] {
  return entries.flatMap(({ node }): Edit[] =>
    typeof node.step === "number" ? [{ kind: "remove", node }] : [],
  );
}

/** Removes a member of an object. */
export function removeMember(node: NodeRef): Edit {
  return { kind: "remove", node };
}

/** Removes a statement. The only statement has no such fix. */
export function removeStatement({ node }: Pick<Statement, "node">): Edit {
  return { kind: "remove", node };
}

/** Adds a member to an object. */
export function addMember(node: NodeRef, name: string, value: unknown): Edit {
  return { kind: "add", node, name, value };
}

/** Adds an entry at the end of a list. */
export function appendEntry(node: NodeRef, value: unknown): Edit {
  return { kind: "append", node, value };
}

/** Gives a member another name. */
export function renameMember(node: NodeRef, name: string): Edit {
  return { kind: "rename", node, name };
}

/** Several statements in place of one. */
export function splitStatement(
  { node }: Pick<Statement, "node">,
  values: readonly unknown[],
): Edit {
  return { kind: "split", node, values };
}

/**
 * Adds tests to the statement's condition. A key that is there under the same operator, in any letter
 * case, gets the new value.
 * @param removed Entries that go at the same time.
 * @returns null as for {@link withCondition}.
 */
export function addConditions(
  statement: Statement,
  added: ConditionBlock,
  removed: readonly ConditionEntry[] = [],
): Edit | null {
  const Condition = withCondition(statement, added, removed);
  if (!Condition) return null;
  if (isRecord(statement.raw.Condition)) {
    return replaceValue(childNode(statement.node, "Condition"), Condition);
  }
  return statement.has("Condition")
    ? replaceValue(statement.at("Condition"), Condition)
    : addMember(statement.node, "Condition", Condition);
}

/** {@link addConditions} with one test. */
export function addCondition(
  statement: Statement,
  operator: string,
  key: string,
  value: unknown,
): Edit | null {
  return addConditions(statement, { [operator]: { [key]: value } });
}

/** Removes tests of a condition, with an operator that is left without keys and a condition without operators. */
export function removeConditions(
  statement: Statement,
  removed: readonly ConditionEntry[],
): Edit | null {
  const left = withCondition(statement, {}, removed);
  if (!left) return null;
  const node = statement.at("Condition");
  return Object.keys(left).length > 0 ? replaceValue(node, left) : { kind: "remove", node };
}
