import { replaceValue } from "../../fixes/edits.ts";
import type { FixProposal } from "../../fixes/proposal.ts";
import type { NodeRef } from "../../json/node.ts";
import type { ConditionEntry } from "../../policy/model.ts";

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
    title: "Write each value as an entry of a list",
    effect: "repairs",
    edits: [replaceValue(node, entries.length === 1 ? first : [...new Set(entries)])],
  };
}

/** The values of a test, as one list. */
export function textsOf({ values }: Pick<ConditionEntry, "values">): readonly string[] {
  return values.map(({ text }) => text);
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

/** Takes the only entry out of a list, where an object belongs. */
export function unlisted(value: unknown, node: NodeRef): FixProposal | null {
  if (!Array.isArray(value) || value.length !== 1) return null;
  const [only]: readonly unknown[] = value;
  if (typeof only !== "object" || only === null || Array.isArray(only)) return null;
  return {
    title: "Write the object without the list around it",
    effect: "repairs",
    edits: [replaceValue(node, only)],
  };
}
