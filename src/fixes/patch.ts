import type { PatchOperation } from "../../spec/finding.ts";
import { isRecord, isSameJson } from "./json.ts";

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
  return patch.reduce(applyOne, document);
}

function applyOne(document: unknown, operation: PatchOperation): unknown {
  const steps = stepsIn(operation.path);
  switch (operation.op) {
    case "test": {
      const found = valueAt(document, steps);
      if (!isSameJson(found, operation.value)) throw new PatchFailure("A test does not hold.");
      return document;
    }
    case "replace":
      return changed(document, steps, (parent, step) => replaced(parent, step, operation.value));
    case "remove":
      return changed(document, steps, removed);
    case "add":
      return changed(document, steps, (parent, step) => added(parent, step, operation.value));
    case "move": {
      const from = stepsIn(operation.from);
      const name = steps.at(-1);
      if (isSibling(from, steps) && name !== undefined) {
        return changed(document, from, (parent, step) =>
          isRecord(parent) ? renamed(parent, step, name) : moved(parent, step, name),
        );
      }
      const value = valueAt(document, from);
      const without = changed(document, from, removed);
      return changed(without, steps, (parent, step) => added(parent, step, value));
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
  return steps.map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"));
}

/** @throws {PatchFailure} If there is no such value. */
export function valueAt(document: unknown, steps: readonly string[]): unknown {
  let at = document;
  for (const step of steps) {
    if (Array.isArray(at)) at = at[indexOf(at, step)];
    else if (isRecord(at) && Object.hasOwn(at, step)) at = at[step];
    else throw new PatchFailure("A path does not exist.");
  }
  return at;
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
  return replaced(at, step, changed(valueAt(at, [step]), steps, change, depth + 1));
}

function replaced(parent: Container, step: string, value: unknown): unknown {
  if (isList(parent)) return parent.with(indexOf(parent, step), value);
  requireMember(parent, step);
  // A member keeps its place. Both forms define members, so `__proto__` is an ordinary name.
  return { ...parent, [step]: value };
}

function removed(parent: Container, step: string): unknown {
  if (isList(parent)) return parent.toSpliced(indexOf(parent, step), 1);
  requireMember(parent, step);
  return fromEntries(Object.entries(parent).filter(([name]) => name !== step));
}

function added(parent: Container, step: string, value: unknown): unknown {
  if (isList(parent)) return parent.toSpliced(indexOf(parent, step, true), 0, value);
  if (Object.hasOwn(parent, step)) return replaced(parent, step, value);
  return fromEntries([...Object.entries(parent), [step, value]]);
}

/** A renamed member keeps its place; the order of members means nothing to RFC 6902, but does to people. */
function renamed(parent: Container, from: string, to: string): unknown {
  requireMember(parent, from);
  const others = Object.entries(parent).filter(([name]) => name === from || name !== to);
  return fromEntries(others.map(([name, value]) => [name === from ? to : name, value]));
}

function moved(parent: Container, from: string, to: string): unknown {
  const value = valueAt(parent, [from]);
  const without = removed(parent, from);
  return Array.isArray(without) ? added(without, to, value) : without;
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
function fromEntries(entries: readonly (readonly [string, unknown])[]): unknown {
  return Object.fromEntries(entries);
}
