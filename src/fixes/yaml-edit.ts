import { isAlias, isMap, isScalar, isSeq, type ParsedNode } from "yaml";
import { compose, Refusal } from "../policy/yaml-compose.ts";
import { functionOf, spanOfNode } from "../policy/yaml-text.ts";
import { addedPart, removedPart } from "./flow-edit.ts";
import {
  isFirstInLine,
  type Layout,
  lineEndAt,
  lineStart,
  nextLine,
  type Splice,
} from "./layout.ts";
import type { EditOperation, ParsedText, SharedSplice } from "./parsed-text.ts";
import { stepsIn } from "./patch.ts";
import {
  type Collection,
  endOfContent,
  flowOf,
  hasAnchor,
  holdsAnchor,
  type Item,
  indexOf,
  itemsOf,
  placeIn,
} from "./yaml-items.ts";
import { withoutRepeats } from "./yaml-repeats.ts";
import { sharedValue } from "./yaml-shared.ts";
import { blockScalar, blockText, flowText, isBlock, nestedText, scalarText } from "./yaml-write.ts";

/**
 * Reads YAML text for operations of a patch, which leave everything else as it is. The library can write
 * a document back, but lays it out anew; so the pieces are replaced at the places that it knows.
 */
export function parseYamlText(text: string): ParsedText {
  const root = composed(text);
  return {
    spliceOf: (operation, layout) => (root ? spliceOf(text, root, operation, layout) : null),
    sharedSpliceOf: (operation, operations) =>
      root ? sharedSpliceOf(root, operation, operations) : null,
  };
}

/** @returns null for a text that an earlier edit has broken. */
function composed(text: string): ParsedNode | null {
  try {
    return compose(text);
  } catch (error) {
    if (error instanceof Refusal) return null;
    throw error;
  }
}

/** @returns null for an operation that has no place in the text, such as a member that an alias brings in. */
function spliceOf(
  text: string,
  root: ParsedNode,
  operation: EditOperation,
  layout: Layout,
): Splice | null {
  const path = stepsIn(operation.op === "move" ? operation.from : operation.path);
  const steps = taggedSteps(text, root, path);
  const isArgument = steps.length < path.length;
  const step = steps.at(-1);
  const parent = find(text, root, steps.slice(0, -1));
  if (step === undefined || !parent || hasAnchor(parent)) return null;
  const items = itemsOf(text, parent);
  const index = indexOf(parent, items, step);
  const item = items[index];
  switch (operation.op) {
    case "replace":
      if (item && !isArgument && item.value?.tag !== undefined) {
        return replacedWithTag(text, parent, item, operation.value, layout);
      }
      return item
        ? withoutRepeats(text, parent, items, index, operation.value, () =>
            replaced(text, parent, item, operation.value, layout),
          )
        : null;
    case "remove":
      if (!item || holdsAnchor(item.value)) return null;
      return parent.flow
        ? removedPart(flowOf(parent, items), index)
        : removedItem(text, parent, items, index);
    case "move": {
      const name = stepsIn(operation.path).at(-1);
      const key = item?.key;
      if (!isMap(parent) || !key || !isScalar(key) || name === undefined) return null;
      return { ...spanOfNode(key), text: scalarText(name, key, parent.flow === true) };
    }
    case "add": {
      const { value } = operation;
      if (isMap(parent) && item) return replaced(text, parent, item, value, layout);
      if (isMap(parent)) {
        const at = placeIn(text, parent, items, step);
        return added(text, parent, items, { at, name: step, value }, layout);
      }
      const at = step === "-" ? items.length : Number(step);
      return added(text, parent, items, { at, name: null, value }, layout);
    }
  }
}

/** Where aliases repeat a value, one edit of it replaces every copy. */
function sharedSpliceOf(
  root: ParsedNode,
  operation: EditOperation,
  operations: readonly EditOperation[],
): SharedSplice | null {
  const shared = sharedValue(root, operation, operations);
  if (!shared || operation.op !== "replace" || isBlock(shared.node)) return null;
  const { value } = operation;
  if (typeof value === "object" && value !== null) return null;
  const node = shared.node as ParsedNode;
  // In quotes, the text means the same in brackets and outside.
  const piece = typeof value === "string" ? JSON.stringify(value) : String(value);
  const plain = scalarText(value, node, true);
  return {
    splice: { ...spanOfNode(node), text: shared.node.type === "PLAIN" ? plain : piece },
    operations: shared.operations,
  };
}

interface Addition {
  readonly at: number;
  readonly name: string | null;
  readonly value: unknown;
}

function added(
  text: string,
  parent: Collection,
  items: readonly Item[],
  { at, name, value }: Addition,
  layout: Layout,
): Splice | null {
  if (parent.flow || items.length === 0) {
    const render = (indent: string | null) =>
      `${name === null ? "" : `${JSON.stringify(name)}: `}${flowText(value, indent, layout)}`;
    return addedPart(text, flowOf(parent, items), at, layout, render);
  }
  const neighbour = items[at] ?? items.at(-1);
  if (!neighbour) return null;
  const indent = " ".repeat(neighbour.start - lineStart(text, neighbour.start));
  const piece = blockText(name, value, indent, layout);
  if (at < items.length) {
    if (!isFirstInLine(text, neighbour.start)) return null;
    const start = lineStart(text, neighbour.start);
    return { start, end: start, text: `${indent}${piece}${layout.lineEnd}` };
  }
  const start = lineEndAt(text, neighbour.end);
  return { start, end: start, text: `${layout.lineEnd}${indent}${piece}` };
}

function removedItem(
  text: string,
  parent: Collection,
  items: readonly Item[],
  index: number,
): Splice | null {
  const item = items[index];
  if (!item) return null;
  if (items.length === 1) {
    // Brackets have to be in the line of what the collection belongs to.
    const { length } = text.slice(0, item.start).trimEnd();
    const isValue = /[:-]/.test(text[length - 1] ?? "");
    return isValue ? { start: length, end: item.end, text: isMap(parent) ? " {}" : " []" } : null;
  }
  const following = nextLine(text, item.end);
  if (isFirstInLine(text, item.start)) {
    const start = lineStart(text, item.start);
    // Where the text does not end with a line end, the one before the item goes.
    const isOpen = following === text.length && !/[\r\n]$/.test(text);
    return { start: isOpen ? endOfLineBefore(text, start) : start, end: following, text: "" };
  }
  // The first member of an entry, after its dash: what follows takes its place.
  const rest = /^[ \t\r\n]*/.exec(text.slice(following))?.[0].length ?? 0;
  return { start: item.start, end: following + rest, text: "" };
}

function endOfLineBefore(text: string, start: number): number {
  if (text.startsWith("\r\n", start - 2)) return start - 2;
  return Math.max(0, start - 1);
}

function replaced(
  text: string,
  parent: Collection,
  { key, value }: Item,
  replacement: unknown,
  layout: Layout,
): Splice | null {
  if (!value || isAlias(value) || holdsAnchor(value)) return null;
  const span = { start: spanOfNode(value).start, end: endOfContent(text, value) };
  const isFlow = parent.flow === true;
  if (typeof replacement === "string" && isScalar(value) && isBlock(value)) {
    const piece = blockScalar(text.slice(span.start, span.end), value, replacement, layout);
    if (piece !== null) return { ...span, text: piece };
    return /[\r\n]/.test(replacement)
      ? null
      : { ...span, text: scalarText(replacement, null, false) };
  }
  if (typeof replacement !== "object" || replacement === null) {
    const old = isScalar(value) ? value : null;
    const piece = scalarText(replacement, old, isFlow);
    if (!isScalar(value) && !value.flow && key) {
      // A block collection begins on a new line.
      return { start: afterColon(text, key), end: span.end, text: ` ${piece}` };
    }
    return { ...span, text: piece };
  }
  if (isFlow || (!isScalar(value) && value.flow) || !key) {
    return { ...span, text: flowText(replacement, null, layout) };
  }
  const column = spanOfNode(key).start - lineStart(text, spanOfNode(key).start);
  const lines = nestedText(replacement, " ".repeat(column), layout);
  return { start: afterColon(text, key), end: span.end, text: lines };
}

/** A value that is not the argument of the function whose tag stands before it. */
function replacedWithTag(
  text: string,
  parent: Collection,
  item: Item,
  replacement: unknown,
  layout: Layout,
): Splice | null {
  const splice = replaced(text, parent, item, replacement, layout);
  return (
    splice && { ...splice, start: item.start + tagAtEnd(text.slice(item.start, splice.start)) }
  );
}

/** @returns where the tag begins with which a text ends, white space after it aside; the end of the text if it has none. */
function tagAtEnd(text: string): number {
  const end = text.trimEnd().length;
  let start = end;
  while (start > 0 && !/[\s,[\]{}]/.test(text.charAt(start - 1))) start--;
  const tag = text.indexOf("!", start);
  return tag === -1 || tag >= end ? text.length : tag;
}

function afterColon(text: string, key: ParsedNode): number {
  return text.indexOf(":", spanOfNode(key).end) + 1;
}

function find(text: string, root: ParsedNode, steps: readonly string[]): Collection | null {
  let at: ParsedNode | null = root;
  for (const step of steps) at = partOf(text, at, step);
  return collectionOf(at);
}

function partOf(text: string, whole: ParsedNode | null, step: string): ParsedNode | null {
  const collection = collectionOf(whole);
  if (!collection || isRepeated(text, collection)) return null;
  const items = itemsOf(text, collection);
  return items[indexOf(collection, items, step)]?.value ?? null;
}

/** The steps without those of functions that are written as tags: `!Sub x` is `{"Fn::Sub": "x"}`. */
function taggedSteps(text: string, root: ParsedNode, steps: readonly string[]): readonly string[] {
  const at = steps.findIndex((step) => /^(?:Fn::|Ref$)/.test(step));
  if (at < 0) return steps;
  let node: ParsedNode | null = root;
  for (const step of steps.slice(0, at)) node = partOf(text, node, step);
  return node && functionOf(node.tag) === steps[at] ? steps.toSpliced(at, 1) : steps;
}

function collectionOf(node: ParsedNode | null): Collection | null {
  if (isMap<ParsedNode, ParsedNode | null>(node)) return node;
  return isSeq<ParsedNode>(node) ? node : null;
}

/** Whether aliases may repeat a collection, which an edit within it would change as well. */
function isRepeated(text: string, { anchor }: Collection): boolean {
  return anchor !== undefined && text.includes(`*${anchor}`);
}
