import {
  addMember,
  appendEntry,
  removeEntries,
  removeMember,
  replaceValue,
  splitStatement,
} from "../../fixes/edits.ts";
import { jsonLength } from "../../fixes/json.ts";
import type { Edit } from "../../fixes/proposal.ts";
import { childNode } from "../../json/node.ts";
import type { Entry, Policy, Statement } from "../../policy/model.ts";
import { policyTypeFacts } from "../../policy/type-facts.ts";
import { isRecord } from "../../record.ts";
import { nullCheckedKeys } from "./null-checked.ts";
import { input } from "./placeholders.ts";
import { sizeLimits } from "./size-limits.ts";

type Members = Readonly<Record<string, unknown>>;

/** @returns whether the policy stays within its quota with so many more characters, or is beyond it already. */
function hasRoom(policy: Policy, added: number): boolean {
  const { size } = policyTypeFacts[policy.type];
  const limit = size === null ? Number.POSITIVE_INFINITY : sizeLimits[size].bytes;
  const { compactBytes } = policy.document;
  return compactBytes > limit || compactBytes + added <= limit;
}

/** Characters of added values up to which their number is estimated. */
const mostCounted = 8192;
/** An example is at most this many times as long as its placeholder: `<key-id>` has 8 characters, its example 36. */
const longestExample = 5;

/** Whether the policy has room for values with placeholders. Counts what is added, not what goes, so it rather says no. */
export function hasRoomFor(policy: Policy, values: readonly unknown[]): boolean {
  // Nearly all policies have room for far more, which is quicker to say than how much is added.
  let most = 0;
  for (const one of values) most += jsonLength(one, mostCounted);
  if (most <= mostCounted && hasRoom(policy, most * longestExample)) return true;
  return hasRoom(
    policy,
    values.reduce<number>((sum, one) => sum + roomOf(one), 0),
  );
}

/** Characters that a value takes with the examples in place of its placeholders. */
function roomOf(value: unknown): number {
  return JSON.stringify(value).replace(/<([a-z0-9_-]+)>/g, (written, name: string) =>
    written.length > 64 ? written : input(name).example,
  ).length;
}

/** Other members of the statement; undefined removes one. */
function memberEdits(statement: Statement, members: Members): Edit[] {
  return Object.entries(members).flatMap(([name, value]): Edit[] => {
    const node = childNode(statement.node, name);
    if (!Object.hasOwn(statement.raw, name)) {
      return value === undefined ? [] : [addMember(statement.node, name, value)];
    }
    return [value === undefined ? removeMember(node) : replaceValue(node, value)];
  });
}

/**
 * Moves actions to a separate statement, the last one, so that the others keep their places.
 * @param moved Entries of `Action`; where they are all of it, the statement itself is changed.
 * @param members Of the statement with the rest, and of the one with the moved entries.
 * @returns null where the policy has no room for another statement.
 */
export function splitEdits(
  policy: Policy,
  statement: Statement,
  moved: readonly Entry[],
  members: { readonly rest: Members; readonly moved: Members },
): Edit[] | null {
  const gone = new Set(moved.map(({ text }) => text));
  const stay = statement.actions.filter(({ text }) => !gone.has(text));
  if (gone.size === 0) return withRoom(policy, memberEdits(statement, members.rest));
  if (stay.length === 0) return withRoom(policy, memberEdits(statement, members.moved));
  if (hasOpenTest(statement)) return null;
  const { Sid: _sid, ...kept } = statement.raw;
  const second = definedMembers({
    ...kept,
    ...members.moved,
    Action: gone.size === 1 ? [...gone][0] : [...gone],
  });
  const { raw } = policy.document;
  if (isRecord(raw) && Array.isArray(raw.Statement)) {
    return withRoom(policy, [
      ...removeEntries(statement.actions.filter(({ text }) => gone.has(text))),
      ...memberEdits(statement, members.rest),
      appendEntry(childNode(policy.node, "Statement"), second),
    ]);
  }
  const texts = stay.map(({ text }) => text);
  const rest = definedMembers({
    ...statement.raw,
    ...members.rest,
    Action: texts.length === 1 ? texts[0] : texts,
  });
  return withRoom(policy, [splitStatement(statement, [rest, second])]);
}

/** What is wrong with the condition would be wrong with that of both statements. */
function hasOpenTest(statement: Statement): boolean {
  const checked = nullCheckedKeys(statement);
  return statement.conditions.some(
    ({ operator, keyLower }) =>
      (operator?.setPrefix === "ForAllValues" && !checked.has(keyLower) && statement.allows) ||
      (operator?.base.name.startsWith("String") && keyLower.endsWith("arn")),
  );
}

function definedMembers(members: Members): Members {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));
}

function withRoom(policy: Policy, edits: Edit[]): Edit[] | null {
  const values = edits.flatMap((edit) => ("value" in edit ? [edit.value] : []));
  return hasRoomFor(policy, values) ? edits : null;
}
