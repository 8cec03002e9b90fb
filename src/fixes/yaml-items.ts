import {
  isMap,
  isScalar,
  isSeq,
  type Pair,
  type ParsedNode,
  visit,
  type YAMLMap,
  type YAMLSeq,
} from "yaml";
import { spanOfNode } from "../policy/yaml-text.ts";
import type { FlowCollection } from "./flow-edit.ts";
import { isFirstInLine, lineStart } from "./layout.ts";
import { placeOfMember } from "./member-order.ts";

export type Collection = YAMLMap<ParsedNode, ParsedNode | null> | YAMLSeq<ParsedNode>;

/** A member or an entry of a collection. */
export interface Item {
  readonly key: ParsedNode | null;
  readonly value: ParsedNode | null;
  /** Of the member's name; of an entry of a block list, its dash. */
  readonly start: number;
  readonly end: number;
}

/** A member that shares its line, or has a remark above it, stays with what is in front of it. */
export function placeIn(
  text: string,
  { flow }: Collection,
  items: readonly Item[],
  name: string,
): number {
  const at = placeOfMember(
    items.map(({ key }) => nameOf(key)),
    name,
  );
  const next = items[at];
  if (flow || !next) return at;
  const start = lineStart(text, next.start);
  const above = text.slice(lineStart(text, Math.max(0, start - 1)), start);
  return isFirstInLine(text, next.start) && !/^\s*#/.test(above) ? at : items.length;
}

/**
 * Entries of a mapping or list with their places in the text; a list entry in block style begins at its dash.
 */
export function itemsOf(text: string, collection: Collection): Item[] {
  if (isMap(collection)) {
    return collection.items.map(({ key, value }: Pair<ParsedNode, ParsedNode | null>) => {
      const { start } = spanOfNode(key);
      return { key, value, start, end: endOfContent(text, value ?? key) };
    });
  }
  return collection.items.map((value) => {
    const { start } = spanOfNode(value);
    const dash = collection.flow ? start : text.lastIndexOf("-", start - 1);
    return { key: null, value, start: dash, end: endOfContent(text, value) };
  });
}

/** A block scalar ends with its last line end, which stays. */
export function endOfContent(text: string, node: ParsedNode): number {
  const { start, end } = spanOfNode(node);
  return start + text.slice(start, end).trimEnd().length;
}

/** Of repeated names, the last counts. */
export function indexOf(collection: Collection, items: readonly Item[], step: string): number {
  if (isSeq(collection)) return step === "-" ? items.length : Number(step);
  return items.findLastIndex(({ key }) => nameOf(key) === step);
}

/** @returns The text of a key; null for one that is no scalar. */
export function nameOf(key: ParsedNode | null): string | null {
  if (!isScalar(key)) return null;
  return typeof key.value === "string" ? key.value : (key.source ?? "");
}

/** A mapping or list in braces or brackets, as the edits of JSON read it. */
export function flowOf(collection: Collection, items: readonly Item[]): FlowCollection {
  const { start, end } = spanOfNode(collection as ParsedNode);
  return { start, end, isList: isSeq(collection), parts: items };
}

/** An edit of an anchored value would change its aliases, too. */
export function hasAnchor(node: ParsedNode | Collection): boolean {
  return "anchor" in node && node.anchor !== undefined;
}

/** Without the anchor, an alias elsewhere in the text has no value. */
export function holdsAnchor(node: ParsedNode | null): boolean {
  let isFound = false;
  visit(node, {
    Value(_, inner) {
      isFound ||= hasAnchor(inner as ParsedNode);
      return isFound ? visit.BREAK : undefined;
    },
  });
  return isFound;
}
