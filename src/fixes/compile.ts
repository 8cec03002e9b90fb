import type { PatchOperation } from "../../spec/finding.ts";
import { escapedStep, type NodeRef, pointerOf, stepsOf } from "../json/node.ts";
import { isRecord } from "../record.ts";
import { difference } from "./difference.ts";
import { valueAt } from "./patch.ts";
import type { Edit } from "./proposal.ts";

/**
 * Turns edits into RFC 6902 operations, later places first, so that the indexes of earlier ones stay
 * the same.
 * @returns null if an edit would empty a list, or give a member a name that is taken: there is no fix.
 * @throws {PatchFailure} for a node that the document does not have.
 */
export function operationsOf(edits: readonly Edit[], document: unknown): PatchOperation[] | null {
  const ordered = placed(edits).sort((a, b) => compareSteps(b.steps, a.steps));
  if (emptiesList(ordered, document)) return null;
  const operations: PatchOperation[] = [];
  const gone = new Set<string>();
  for (const one of ordered) {
    const { edit, path } = one;
    if (edit.kind === "remove") {
      if (gone.has(path)) continue;
      if (!edit.node.parent) return null;
      gone.add(path);
      operations.push({ op: "remove", path });
      continue;
    }
    const found = operationsOfOne(edit, one, document);
    if (!found) return null;
    operations.push(...found);
  }
  return operations;
}

interface Placed {
  readonly edit: Edit;
  readonly steps: readonly (string | number)[];
  /** The steps as a JSON Pointer. */
  readonly path: string;
}

/** Entries of one list share the way to it. */
function placed(edits: readonly Edit[]): Placed[] {
  let parent: NodeRef | null = null;
  let steps: readonly (string | number)[] = [];
  let path = "";
  return edits.map((edit) => {
    const { node } = edit;
    if (!node.parent) return { edit, steps: [], path: "" };
    if (node.parent !== parent) {
      parent = node.parent;
      steps = stepsOf(parent);
      path = pointerOf(parent);
    }
    const { step } = node;
    const last = typeof step === "number" ? step : escapedStep(step);
    return { edit, steps: [...steps, step], path: `${path}/${last}` };
  });
}

function operationsOfOne(
  edit: Exclude<Edit, { kind: "remove" }>,
  { steps, path }: Placed,
  document: unknown,
): PatchOperation[] | null {
  const value = valueAt(document, steps);
  switch (edit.kind) {
    case "replace":
      return edit.whole
        ? [{ op: "replace", path, value: edit.value }]
        : difference(value, edit.value, path);
    case "add": {
      if (!isRecord(value) || Object.hasOwn(value, edit.name)) return null;
      return [{ op: "add", path: `${path}/${escapedStep(edit.name)}`, value: edit.value }];
    }
    case "append":
      return Array.isArray(value) ? [{ op: "add", path: `${path}/-`, value: edit.value }] : null;
    case "rename": {
      if (!edit.node.parent) return null;
      const parentPath = pointerOf(edit.node.parent);
      const parent = valueAt(document, steps.slice(0, -1));
      if (!isRecord(parent) || Object.hasOwn(parent, edit.name)) return null;
      return [{ op: "move", from: path, path: `${parentPath}/${escapedStep(edit.name)}` }];
    }
    case "split":
      return splitOperations(edit, value, path);
  }
}

/** A `Statement` that is one object becomes a list. */
function splitOperations(
  { node, values }: Edit & { kind: "split" },
  value: unknown,
  path: string,
): PatchOperation[] | null {
  const [first, ...others] = values;
  if (first === undefined) return null;
  if (typeof node.step === "string") return [{ op: "replace", path, value: values }];
  const { step } = node;
  const listPath = node.parent ? pointerOf(node.parent) : "";
  return [
    ...others
      .toReversed()
      .map((one) => ({ op: "add" as const, path: `${listPath}/${step + 1}`, value: one })),
    ...difference(value, first, path),
  ];
}

/** Whether removals would leave a list without entries. The edits are sorted, so those of a list are together. */
function emptiesList(edits: readonly Placed[], document: unknown): boolean {
  let listPath = "";
  let last = "";
  let length = Number.POSITIVE_INFINITY;
  let removed = 0;
  for (const { edit, steps, path } of edits) {
    if (edit.kind !== "remove" || typeof edit.node.step !== "number" || path === last) continue;
    last = path;
    const end = path.lastIndexOf("/");
    if (end !== listPath.length || !path.startsWith(listPath)) {
      listPath = path.slice(0, end);
      const list = valueAt(document, steps.slice(0, -1));
      length = Array.isArray(list) ? list.length : Number.POSITIVE_INFINITY;
      removed = 0;
    }
    if (++removed >= length) return true;
  }
  return false;
}

/** Order of the document: a node comes before what it contains, an entry before the next. */
function compareSteps(
  left: readonly (string | number)[],
  right: readonly (string | number)[],
): number {
  for (let index = 0; index < left.length; index++) {
    const [step, other] = [left[index], right[index]];
    if (other === undefined) return 1;
    if (step === other) continue;
    if (typeof step === "number" && typeof other === "number") return step - other;
    return String(step) < String(other) ? -1 : 1;
  }
  return left.length - right.length;
}
