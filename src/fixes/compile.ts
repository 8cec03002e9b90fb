import { childNode, isSameNode, type NodeRef, stepsOf } from "../json/node.ts";
import { isRecord } from "../record.ts";
import { difference } from "./difference.ts";
import { type NodeOperation, valueIn } from "./patch.ts";
import type { Edit } from "./proposal.ts";

/**
 * Turns edits into the operations of a patch, later places first, so that the indexes of earlier ones stay
 * the same.
 * @returns null if an edit would empty a list, or give a member a name that is taken: there is no fix.
 * @throws {PatchFailure} for a node that the document does not have.
 */
export function operationsOf(edits: readonly Edit[], document: unknown): NodeOperation[] | null {
  const ordered = edits.length > 1 ? edits.toSorted((a, b) => compareNodes(b.node, a.node)) : edits;
  if (emptiesList(ordered, document)) return null;
  const operations: NodeOperation[] = [];
  let gone: NodeRef | null = null;
  for (const edit of ordered) {
    const { node } = edit;
    if (edit.kind === "remove") {
      if (!node.parent) return null;
      // The edits are sorted, so those of one place are together.
      if (gone && isSameNode(gone, node)) continue;
      gone = node;
      operations.push({ op: "remove", node });
      continue;
    }
    const found = operationsOfOne(edit, document);
    if (!found) return null;
    operations.push(...found);
  }
  return operations;
}

function operationsOfOne(
  edit: Exclude<Edit, { kind: "remove" }>,
  document: unknown,
): NodeOperation[] | null {
  const { node } = edit;
  const value = valueIn(document, node);
  switch (edit.kind) {
    case "replace":
      return edit.whole
        ? [{ op: "replace", node, value: edit.value }]
        : difference(value, edit.value, node);
    case "add": {
      if (!isRecord(value) || Object.hasOwn(value, edit.name)) return null;
      return [{ op: "add", node: childNode(node, edit.name), value: edit.value }];
    }
    case "append":
      return Array.isArray(value)
        ? [{ op: "add", node: childNode(node, "-"), value: edit.value }]
        : null;
    case "rename": {
      if (!node.parent) return null;
      const holder = valueIn(document, node.parent);
      if (!isRecord(holder) || Object.hasOwn(holder, edit.name)) return null;
      return [{ op: "move", from: node, node: childNode(node.parent, edit.name) }];
    }
    case "split":
      return splitOperations(edit, value);
  }
}

/** A `Statement` that is one object becomes a list. */
function splitOperations(
  { node, values }: Edit & { kind: "split" },
  value: unknown,
): NodeOperation[] | null {
  const [first, ...others] = values;
  if (first === undefined) return null;
  if (typeof node.step === "string" || !node.parent)
    return [{ op: "replace", node, value: values }];
  const behind = childNode(node.parent, node.step + 1);
  return [
    ...others.toReversed().map((one) => ({ op: "add" as const, node: behind, value: one })),
    ...difference(value, first, node),
  ];
}

/** Whether removals would leave a list without entries. The edits are sorted, so those of a list are together. */
function emptiesList(edits: readonly Edit[], document: unknown): boolean {
  let list: NodeRef | null = null;
  let last: NodeRef | null = null;
  let length = 0;
  let removed = 0;
  for (const { kind, node } of edits) {
    const { parent, step } = node;
    if (kind !== "remove" || typeof step !== "number" || !parent) continue;
    if (last && isSameNode(last, node)) continue;
    last = node;
    if (!list || !isSameNode(list, parent)) {
      list = parent;
      const value = valueIn(document, parent);
      length = Array.isArray(value) ? value.length : Number.POSITIVE_INFINITY;
      removed = 0;
    }
    if (++removed >= length) return true;
  }
  return false;
}

/** Order of the document: a node comes before what it contains, an entry before the next. */
function compareNodes(left: NodeRef, right: NodeRef): number {
  if (left.parent === right.parent) return compareSteps(left.step, right.step);
  const [ours, theirs] = [stepsOf(left), stepsOf(right)];
  for (const [index, step] of ours.entries()) {
    const other = theirs[index];
    if (other === undefined) return 1;
    if (step !== other) return compareSteps(step, other);
  }
  return ours.length - theirs.length;
}

function compareSteps(left: string | number, right: string | number): number {
  if (left === right) return 0;
  if (typeof left === "number" && typeof right === "number") return left - right;
  return String(left) < String(right) ? -1 : 1;
}
