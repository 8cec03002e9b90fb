import { isAlias, isMap, isScalar, isSeq, type ParsedNode, type Scalar, visit } from "yaml";
import { isSameJson } from "./json.ts";
import type { EditOperation } from "./parsed-text.ts";
import { stepsIn } from "./patch.ts";

/** Nodes that are visited to count the copies of a value. */
const mostVisits = 10_000;

type Replacement = EditOperation & { readonly op: "replace" };

/** A value that aliases repeat, and the operations that replace all of its copies. */
export interface SharedValue {
  readonly node: Scalar;
  readonly operations: readonly EditOperation[];
}

/**
 * Finds the value that several operations replace at each of its places, so that one edit of the text says the same.
 * @param operations Of one patch.
 * @returns null where a copy would stay, or get another value.
 */
export function sharedValue(
  root: ParsedNode,
  operation: EditOperation,
  operations: readonly EditOperation[],
): SharedValue | null {
  if (operation.op !== "replace") return null;
  const anchors = anchorsOf(root);
  const node = anchors && nodeAt(root, stepsIn(operation.path), anchors);
  if (!anchors || !isScalar(node) || node.anchor !== undefined) return null;
  const isCopy = (one: EditOperation): one is Replacement =>
    one.op === "replace" &&
    isSameJson(one.value, operation.value) &&
    nodeAt(root, stepsIn(one.path), anchors) === node;
  const copies = operations.filter(isCopy);
  return copies.length === placesOf(root, node, anchors) ? { node, operations: copies } : null;
}

type Anchors = ReadonlyMap<string, ParsedNode>;

/** @returns null where a name has two values, or members are merged into others. */
function anchorsOf(root: ParsedNode): Anchors | null {
  const anchors = new Map<string, ParsedNode>();
  let isPlain = true;
  visit(root, {
    Pair(_, { key }) {
      isPlain &&= !(isScalar(key) && key.value === "<<");
    },
    Value(_, node) {
      if (!("anchor" in node) || node.anchor === undefined) return;
      isPlain &&= !anchors.has(node.anchor);
      anchors.set(node.anchor, node as ParsedNode);
    },
  });
  return isPlain ? anchors : null;
}

function resolved(node: unknown, anchors: Anchors): unknown {
  return isAlias(node) ? anchors.get(node.source) : node;
}

function nodeAt(root: ParsedNode, steps: readonly string[], anchors: Anchors): unknown {
  let at: unknown = root;
  for (const step of steps) {
    const whole = resolved(at, anchors);
    if (isSeq(whole)) at = whole.items[Number(step)];
    else if (isMap(whole)) {
      at = whole.items.findLast(({ key }) => isScalar(key) && String(key.value) === step)?.value;
    } else return undefined;
  }
  return resolved(at, anchors);
}

/** In how many places of the document a value is; NaN for a document that is too large. */
function placesOf(root: ParsedNode, wanted: Scalar, anchors: Anchors): number {
  let places = 0;
  const waiting: unknown[] = [root];
  for (let visits = 0; waiting.length > 0; visits++) {
    if (visits > mostVisits) return Number.NaN;
    const node = resolved(waiting.pop(), anchors);
    if (node === wanted) places++;
    if (isSeq(node)) waiting.push(...node.items);
    if (isMap(node)) waiting.push(...node.items.map(({ value }) => value));
  }
  return places;
}
