import { childNode, type NodeRef } from "../json/node.ts";
import { isRecord } from "../record.ts";
import { isSameJson } from "./json.ts";
import type { NodeOperation } from "./patch.ts";

/** Entries of two lists that are compared with each other; more are replaced as a whole. */
const mostPairs = 40_000;

/** @returns operations, in order, that turn the JSON value of a node into another and touch little else. */
export function difference(before: unknown, after: unknown, node: NodeRef): NodeOperation[] {
  if (isSameJson(before, after)) return [];
  if (Array.isArray(before) && Array.isArray(after)) return ofLists(before, after, node);
  if (isRecord(before) && isRecord(after)) return ofObjects(before, after, node);
  return [{ op: "replace", node, value: after }];
}

type Members = Readonly<Record<string, unknown>>;

function ofObjects(before: Members, after: Members, node: NodeRef): NodeOperation[] {
  const at = (name: string) => childNode(node, name);
  const gone = Object.keys(before).filter((name) => !Object.hasOwn(after, name));
  const fresh = Object.keys(after).filter((name) => !Object.hasOwn(before, name));
  if (gone.length > 0 && gone.length === Object.keys(before).length && fresh.length === 0) {
    return [{ op: "replace", node, value: after }];
  }
  const removed: NodeOperation[] = [];
  const operations: NodeOperation[] = [];
  for (const name of gone) {
    const to = fresh.findIndex((other) => isRenamed(name, other, before, after));
    const [other] = to < 0 ? [] : fresh.splice(to, 1);
    if (other === undefined) removed.push({ op: "remove", node: at(name) });
    else {
      operations.push({ op: "move", from: at(name), node: at(other) });
      operations.push(...difference(before[name], after[other], at(other)));
    }
  }
  for (const [name, value] of Object.entries(before)) {
    if (Object.hasOwn(after, name)) operations.push(...difference(value, after[name], at(name)));
  }
  const added = fresh.map((name) => ({ op: "add" as const, node: at(name), value: after[name] }));
  // An object that is empty in between has no layout that the new members could take.
  if (removed.length === Object.keys(before).length) return [...added, ...removed];
  return [...removed, ...operations, ...added];
}

/**
 * The same member under another name: its value is the same or has the same members, or the names differ in
 * letter case only.
 */
function isRenamed(name: string, other: string, before: Members, after: Members): boolean {
  const [old, now] = [before[name], after[other]];
  if (name.toLowerCase() === other.toLowerCase() || isSameJson(old, now)) return true;
  if (!isRecord(old) || !isRecord(now)) return false;
  const names = Object.keys(old);
  return names.length === Object.keys(now).length && names.every((one) => Object.hasOwn(now, one));
}

/** From the end of the list to its start, so that the indexes of what is still to do stay the same. */
function ofLists(
  before: readonly unknown[],
  after: readonly unknown[],
  node: NodeRef,
): NodeOperation[] {
  const kept = commonEntries(before, after);
  if (!kept) return [{ op: "replace", node, value: after }];
  const operations: NodeOperation[] = [];
  let [end, newEnd] = [before.length, after.length];
  for (const [index, newIndex] of [...kept, [-1, -1] as const].sort((a, b) => b[0] - a[0])) {
    operations.push(...ofGap(before, after, [index + 1, end], [newIndex + 1, newEnd], node));
    [end, newEnd] = [index, newIndex];
  }
  return operations;
}

function ofGap(
  before: readonly unknown[],
  after: readonly unknown[],
  [start, end]: readonly [number, number],
  [newStart, newEnd]: readonly [number, number],
  node: NodeRef,
): NodeOperation[] {
  const pairs = Math.min(end - start, newEnd - newStart);
  const operations: NodeOperation[] = [];
  for (let index = end - 1; index >= start + pairs; index--) {
    operations.push({ op: "remove", node: childNode(node, index) });
  }
  for (let index = newEnd - 1; index >= newStart + pairs; index--) {
    operations.push({ op: "add", node: childNode(node, end), value: after[index] });
  }
  for (let pair = pairs - 1; pair >= 0; pair--) {
    const at = childNode(node, start + pair);
    operations.push(...difference(before[start + pair], after[newStart + pair], at));
  }
  return operations;
}

/** @returns index pairs of a longest common subsequence, ascending; null for lists that are too long. */
export function commonEntries(
  before: readonly unknown[],
  after: readonly unknown[],
): (readonly [number, number])[] | null {
  const pairs: (readonly [number, number])[] = [];
  const shorter = Math.min(before.length, after.length);
  let head = 0;
  while (head < shorter && isSameJson(before[head], after[head])) pairs.push([head, head++]);
  let tail = 0;
  while (
    tail < shorter - head &&
    isSameJson(before[before.length - 1 - tail], after[after.length - 1 - tail])
  ) {
    tail++;
  }
  const rows = before.slice(head, before.length - tail).map((item) => JSON.stringify(item));
  const columns = after.slice(head, after.length - tail).map((item) => JSON.stringify(item));
  if (rows.length * columns.length > mostPairs) return null;
  for (const [row, column] of longestCommon(rows, columns)) {
    pairs.push([head + row, head + column]);
  }
  for (let back = tail; back > 0; back--) pairs.push([before.length - back, after.length - back]);
  return pairs;
}

function longestCommon(
  rows: readonly string[],
  columns: readonly string[],
): (readonly [number, number])[] {
  const width = columns.length + 1;
  const lengths = new Uint32Array((rows.length + 1) * width);
  const lengthAt = (row: number, column: number) => lengths[row * width + column] ?? 0;
  for (let row = rows.length - 1; row >= 0; row--) {
    for (let column = columns.length - 1; column >= 0; column--) {
      lengths[row * width + column] =
        rows[row] === columns[column]
          ? lengthAt(row + 1, column + 1) + 1
          : Math.max(lengthAt(row + 1, column), lengthAt(row, column + 1));
    }
  }
  const pairs: (readonly [number, number])[] = [];
  for (let row = 0, column = 0; row < rows.length && column < columns.length; ) {
    if (rows[row] === columns[column]) pairs.push([row++, column++]);
    else if (lengthAt(row + 1, column) >= lengthAt(row, column + 1)) row++;
    else column++;
  }
  return pairs;
}
