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
import { exampleOf } from "./placeholders.ts";
import { sizeLimits } from "./size-limits.ts";

type Members = Readonly<Record<string, unknown>>;

/** Whether the policy has room for values with placeholders. Counts what is added, not what goes, so it rather says no. */
export function hasRoomFor(policy: Policy, values: readonly unknown[]): boolean {
  const { size } = policyTypeFacts[policy.type];
  if (size === null) return true;
  const limit = sizeLimits[size].bytes;
  const { compactBytes } = policy.document;
  // Beyond its quota it is already.
  if (compactBytes > limit) return true;
  let added = 0;
  for (const value of values) added += roomOf(value);
  return compactBytes + added <= limit;
}

/** Characters that a value takes as compact JSON with the examples in place of its placeholders. */
function roomOf(value: unknown): number {
  if (typeof value === "string") return roomOfText(value);
  if (typeof value !== "object" || value === null) return String(value).length;
  // The brackets, and the commas between the items.
  if (Array.isArray(value)) {
    let room = 1 + Math.max(1, value.length);
    for (const item of value) room += roomOf(item);
    return room;
  }
  const members = Object.entries(value);
  let room = 1 + Math.max(1, members.length);
  for (const [name, member] of members) room += roomOfText(name) + 1 + roomOf(member);
  return room;
}

function roomOfText(text: string): number {
  let room = jsonLength(text, Number.POSITIVE_INFINITY);
  if (!text.includes("<")) return room;
  for (const [written, name = ""] of text.matchAll(placeholder)) {
    if (written.length <= 64) room += exampleOf(name).length - written.length;
  }
  return room;
}

const placeholder = /<([a-z0-9_-]+)>/g;

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
  if (moved.length === 0) return withRoom(policy, memberEdits(statement, members.rest));
  const gone = new Set(moved.map(({ text }) => text));
  const stay: Entry[] = [];
  const go: Entry[] = [];
  for (const entry of statement.actions) (gone.has(entry.text) ? go : stay).push(entry);
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
      ...removeEntries(go),
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
  if (!Object.values(members).includes(undefined)) return members;
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));
}

function withRoom(policy: Policy, edits: Edit[]): Edit[] | null {
  const values: unknown[] = [];
  for (const edit of edits) if ("value" in edit) values.push(edit.value);
  return hasRoomFor(policy, values) ? edits : null;
}
