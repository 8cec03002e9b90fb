import { removeEntries, replaceValue } from "../../fixes/edits.ts";
import type { FixProposal } from "../../fixes/proposal.ts";
import type { NodeRef } from "../../json/node.ts";
import type { ConditionEntry, Entry } from "../../policy/model.ts";
import { isRecord } from "../../record.ts";

/** Longer texts, and lists with more entries, are left to the author. */
const maxText = 4_096;
const maxEntries = 200;

/**
 * The values that one text joins: `a,b`, `a; b`, or the JSON text of a list.
 * @returns null if it joins none, or not each part is a value.
 */
export function joinedValues(text: string, isValue: (part: string) => boolean): string[] | null {
  if (text.length > maxText) return null;
  const inner = /^\s*\[(.*)\]\s*$/s.exec(text)?.[1] ?? text;
  const parts = inner.split(/[\s,;|]+/).map((part) => part.replace(/^(["'])(.*)\1$/s, "$2"));
  const values = parts.filter((part) => part !== "");
  if (values.length === 0 || (values.length === 1 && values[0] === text.trim())) return null;
  return values.every(isValue) ? values : null;
}

/**
 * Writes the values that texts join as entries of a list.
 * @param value A text or a list of texts, as written at the node.
 */
export function separated(
  value: unknown,
  node: NodeRef,
  isValue: (part: string) => boolean,
): FixProposal | null {
  const texts: readonly unknown[] = Array.isArray(value) ? value : [value];
  if (texts.length > maxEntries) return null;
  let isJoined = false;
  const entries = texts.flatMap((text) => {
    const values = typeof text === "string" ? joinedValues(text, isValue) : null;
    isJoined ||= values !== null;
    return values ?? [text];
  });
  if (!isJoined) return null;
  const [first] = entries;
  return {
    title:
      entries.length > texts.length
        ? "Write each value as an entry of a list"
        : "Write the value without what is around it",
    effect: "repairs",
    edits: [replaceValue(node, entries.length === 1 ? first : [...new Set(entries)])],
  };
}

/** The values of a test, as one list. */
export function textsOf({ values }: Pick<ConditionEntry, "values">): readonly string[] {
  return values.map(({ text }) => text);
}

/**
 * Removes the empty texts of a list.
 * @returns null if it has no other entry: what belongs there is not known.
 */
export function withoutEmptyTexts(
  entries: readonly Pick<Entry, "text" | "node">[],
): FixProposal | null {
  const empty = entries.filter(({ text }) => text === "");
  if (empty.length === entries.length) return null;
  return { title: "Remove the empty entry", effect: "repairs", edits: removeEntries(empty) };
}

/** Takes lists out of a list of texts. @returns null if something else is in them. */
export function flattened(value: unknown, node: NodeRef): FixProposal | null {
  if (!Array.isArray(value) || !value.some(Array.isArray)) return null;
  const entries: unknown[] = value.flat(Number.POSITIVE_INFINITY);
  if (entries.length === 0 || !entries.every((entry) => typeof entry === "string")) return null;
  return {
    title: "Write the values in one list",
    effect: "repairs",
    edits: [replaceValue(node, [...new Set(entries)])],
  };
}

/**
 * Takes objects out of a list, where one object belongs.
 * @param most Entries that may be joined: several conditions may also be meant as alternatives.
 * @returns null if two of them have a member of the same name.
 */
export function unlisted(value: unknown, node: NodeRef, most = 1): FixProposal | null {
  if (!Array.isArray(value) || value.length === 0 || value.length > most) return null;
  const list: readonly unknown[] = value;
  if (!list.every(isRecord)) return null;
  const members = list.flatMap((one) => Object.entries(one));
  const names = new Set(members.map(([name]) => name.toLowerCase()));
  if (names.size < members.length) return null;
  return {
    title:
      list.length === 1
        ? "Write the object without the list around it"
        : "Write the objects of the list as one",
    effect: "repairs",
    edits: [replaceValue(node, Object.fromEntries(members))],
  };
}
