import type { Span, TextNode } from "../json/text-tree.ts";
import { isRecord } from "../record.ts";

/** Steps from the root of a value to one of its parts. */
export type Path = readonly (string | number)[];

/** @returns The part of a value; undefined if it has none there. */
export function valueAt(value: unknown, path: Path): unknown {
  let at = value;
  for (const step of path) {
    if (typeof at !== "object" || at === null || !Object.hasOwn(at, step)) return undefined;
    at = (at as Readonly<Record<string | number, unknown>>)[step];
  }
  return at;
}

/** @returns The node of a part of a text; null if the text has none there. */
export function nodeAt(root: TextNode | null, path: Path): TextNode | null {
  let at = root;
  for (const step of path) {
    if (!at) return null;
    at = (typeof step === "number" ? at.items?.[step] : at.members?.get(step)?.value) ?? null;
  }
  return at;
}

/** @returns The span of a part, or of the nearest one around it. */
export function spanAt(root: TextNode | null, path: Path): Span | null {
  let at = root;
  for (const step of path) {
    const next = typeof step === "number" ? at?.items?.[step] : at?.members?.get(step)?.value;
    if (!next) break;
    at = next;
  }
  return at && { start: at.start, end: at.end };
}

/** @returns Whether a value is an IAM policy document by its shape. */
export function isPolicyShaped(value: unknown): boolean {
  if (!isRecord(value) || !Object.hasOwn(value, "Statement")) return false;
  return [value.Statement].flat().some((one) => isRecord(one) && Object.hasOwn(one, "Effect"));
}
