import type { PatchOperation } from "../../spec/finding.ts";
import { unescapedStep } from "../json/node.ts";
import { isRecord } from "../record.ts";
import { isSameJson } from "./json.ts";
import { placeOfMember } from "./member-order.ts";

/** A patch does not apply to the document. The message has nothing of either. */
export class PatchFailure extends Error {
  override readonly name = "PatchFailure";
}

/**
 * Applies an RFC 6902 patch and changes nothing of its input: what the patch does not touch is shared
 * with the result. fast-json-patch, the usual library, copies the whole document, moves a renamed member
 * to the end of its object, and refuses members called `__proto__`, which a policy may have.
 * @throws {PatchFailure} for a test that does not hold, or a path that does not exist.
 */
export function applyPatch(document: unknown, patch: readonly PatchOperation[]): unknown {
  const copies: Copies = { lists: new Map(), objects: new Map() };
  let after = document;
  for (let at = 0; at < patch.length; ) {
    const end = endOfRemovals(patch, at);
    const operation = patch[at];
    if (!operation) break;
    after =
      end - at > 1
        ? changed(after, stepsIn(operation.path), copies, (parent) =>
            patch.slice(at, end).reduce<Container>((left, { path }) => {
              const step = path.slice(path.lastIndexOf("/") + 1);
              return removed(left, unescapedStep(step), copies);
            }, parent),
          )
        : applyOne(after, operation, copies);
    at = Math.max(end, at + 1);
  }
  return after;
}

/** Where the removals from one list or object end: a fix often has many, and looks for it once. */
function endOfRemovals(patch: readonly PatchOperation[], start: number): number {
  let end = start;
  let parent = "";
  for (; end < patch.length; end++) {
    const { op, path } = patch[end] ?? {};
    if (op !== "remove" || !path) break;
    const slash = path.lastIndexOf("/") + 1;
    if (end === start) parent = path.slice(0, slash);
    else if (slash !== parent.length || !path.startsWith(parent)) break;
  }
  return end;
}

/**
 * Lists and objects that this patch has copied. It may change those in place: a fix often removes many entries
 * of one list, and a copy of the list for each of them would cost the square of its length.
 */
interface Copies {
  readonly lists: Map<readonly unknown[], unknown[]>;
  readonly objects: Map<object, Record<string, unknown>>;
}

function applyOne(document: unknown, operation: PatchOperation, copies: Copies): unknown {
  const steps = stepsIn(operation.path);
  switch (operation.op) {
    case "test": {
      const found = valueAt(document, steps);
      if (!isSameJson(found, operation.value)) throw new PatchFailure("A test does not hold.");
      return document;
    }
    case "replace":
      return changed(document, steps, copies, (parent, step) =>
        replaced(parent, step, operation.value, copies),
      );
    case "remove":
      return changed(document, steps, copies, (parent, step) => removed(parent, step, copies));
    case "add":
      return changed(document, steps, copies, (parent, step) =>
        added(parent, step, operation.value, copies),
      );
    case "move": {
      const from = stepsIn(operation.from);
      const name = steps.at(-1);
      if (isSibling(from, steps) && name !== undefined) {
        return changed(document, from, copies, (parent, step) =>
          isRecord(parent) ? renamed(parent, step, name) : moved(parent, step, name, copies),
        );
      }
      const value = valueAt(document, from);
      const without = changed(document, from, copies, (parent, step) =>
        removed(parent, step, copies),
      );
      return changed(without, steps, copies, (parent, step) => added(parent, step, value, copies));
    }
  }
}

/** @throws {PatchFailure} If it is not a JSON Pointer. */
export function stepsIn(pointer: string): string[] {
  if (pointer === "") return [];
  if (!pointer.startsWith("/")) throw new PatchFailure("A path is not a JSON Pointer.");
  const steps = pointer.slice(1).split("/");
  // Nearly no name is escaped, and every operation of every fix comes here.
  if (!pointer.includes("~")) return steps;
  return steps.map(unescapedStep);
}

/** @throws {PatchFailure} If there is no such value. */
export function valueAt(document: unknown, steps: readonly (string | number)[]): unknown {
  let at = document;
  for (const step of steps) at = memberOf(at, step);
  return at;
}

function memberOf(at: unknown, step: string | number): unknown {
  if (Array.isArray(at)) {
    const isEntry = typeof step === "number" && step < at.length;
    return at[isEntry ? step : indexOf(at, String(step))];
  }
  if (isRecord(at) && Object.hasOwn(at, step)) return at[step];
  throw new PatchFailure("A path does not exist.");
}

/** @param isEnd Whether the place after the last entry counts, too. */
function indexOf(list: readonly unknown[], step: string, isEnd = false): number {
  if (isEnd && step === "-") return list.length;
  const index = /^(?:0|[1-9][0-9]{0,8})$/.test(step) ? Number(step) : -1;
  if (index >= 0 && index < list.length + (isEnd ? 1 : 0)) return index;
  throw new PatchFailure("A path does not exist.");
}

type Container = readonly unknown[] | Readonly<Record<string, unknown>>;

function changed(
  at: unknown,
  steps: readonly string[],
  copies: Copies,
  change: (parent: Container, step: string) => unknown,
  depth = 0,
): unknown {
  const step = steps[depth];
  if (step === undefined) {
    const holder = change({ "": at }, "");
    return isRecord(holder) ? holder[""] : undefined;
  }
  if (!Array.isArray(at) && !isRecord(at)) throw new PatchFailure("A path does not exist.");
  if (depth === steps.length - 1) return change(at, step);
  const before = memberOf(at, step);
  const after = changed(before, steps, copies, change, depth + 1);
  return after === before ? at : replaced(at, step, after, copies);
}

function replaced(parent: Container, step: string, value: unknown, copies: Copies): unknown {
  if (isList(parent)) {
    const index = indexOf(parent, step);
    const list = copyOf(parent, copies);
    list[index] = value;
    return list;
  }
  requireMember(parent, step);
  // The member is there, so it keeps its place, and `__proto__` is an ordinary name.
  const object = copies.objects.get(parent) ?? { ...parent };
  copies.objects.set(object, object);
  object[step] = value;
  return object;
}

function removed(parent: Container, step: string, copies: Copies): Container {
  if (isList(parent)) {
    const index = indexOf(parent, step);
    const list = copyOf(parent, copies);
    list.splice(index, 1);
    return list;
  }
  requireMember(parent, step);
  return fromEntries(Object.entries(parent).filter(([name]) => name !== step));
}

function added(parent: Container, step: string, value: unknown, copies: Copies): unknown {
  if (isList(parent)) {
    const index = indexOf(parent, step, true);
    const list = copyOf(parent, copies);
    list.splice(index, 0, value);
    return list;
  }
  if (Object.hasOwn(parent, step)) return replaced(parent, step, value, copies);
  const members = Object.entries(parent);
  const at = placeOfMember(
    members.map(([name]) => name),
    step,
  );
  return fromEntries(members.toSpliced(at, 0, [step, value]));
}

/** @returns the list itself where this patch has copied it before. */
function copyOf(list: readonly unknown[], copies: Copies): unknown[] {
  const known = copies.lists.get(list);
  if (known) return known;
  const copy = [...list];
  copies.lists.set(copy, copy);
  return copy;
}

/** A renamed member keeps its place; the order of members means nothing to RFC 6902, but does to people. */
function renamed(parent: Container, from: string, to: string): unknown {
  requireMember(parent, from);
  const others = Object.entries(parent).filter(([name]) => name === from || name !== to);
  return fromEntries(others.map(([name, value]) => [name === from ? to : name, value]));
}

function moved(parent: Container, from: string, to: string, copies: Copies): unknown {
  const value = memberOf(parent, from);
  const without = removed(parent, from, copies);
  return Array.isArray(without) ? added(without, to, value, copies) : without;
}

function requireMember(parent: object, name: string): void {
  if (!Object.hasOwn(parent, name)) throw new PatchFailure("A path does not exist.");
}

function isList(parent: Container): parent is readonly unknown[] {
  return Array.isArray(parent);
}

function isSibling(left: readonly string[], right: readonly string[]): boolean {
  return (
    left.length === right.length && left.slice(0, -1).every((step, index) => step === right[index])
  );
}

/** `Object.fromEntries` defines its members, so `__proto__` is an ordinary name. */
function fromEntries(entries: readonly (readonly [string, unknown])[]): Container {
  return Object.fromEntries(entries);
}
