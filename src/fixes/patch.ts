import type { PatchOperation } from "../../spec/finding.ts";
import {
  childNode,
  escapedStep,
  isSameNode,
  type NodeRef,
  pointerOf,
  rootNode,
  unescapedStep,
} from "../json/node.ts";
import { isRecord } from "../record.ts";
import { isSameJson } from "./json.ts";
import { placeOfMember } from "./member-order.ts";

/** A patch does not apply to the document. The message has nothing of either. */
export class PatchFailure extends Error {
  override readonly name = "PatchFailure";
}

/** An operation of RFC 6902, with nodes in place of pointers. An index of `-` is the place after the last entry. */
export type NodeOperation =
  | { readonly op: "remove"; readonly node: NodeRef }
  | { readonly op: "test" | "add" | "replace"; readonly node: NodeRef; readonly value: unknown }
  | { readonly op: "move"; readonly from: NodeRef; readonly node: NodeRef };

/**
 * Applies an RFC 6902 patch and changes nothing of its input: what the patch does not touch is shared
 * with the result. fast-json-patch, the usual library, copies the whole document, moves a renamed member
 * to the end of its object, and refuses members called `__proto__`, which a policy may have.
 * @throws {PatchFailure} for a test that does not hold, or a path that does not exist.
 */
export function applyPatch(document: unknown, patch: readonly PatchOperation[]): unknown {
  const patched = new PatchedDocument(document);
  for (const operation of patch) patched.apply(withNodes(operation));
  return patched.value;
}

/** {@link applyPatch} for operations whose pointers need not be read. */
export function applyOperations(document: unknown, operations: readonly NodeOperation[]): unknown {
  const patched = new PatchedDocument(document);
  for (const operation of operations) patched.apply(operation);
  return patched.value;
}

/** Writes the nodes of operations as JSON Pointers. */
export function patchOf(operations: readonly NodeOperation[]): PatchOperation[] {
  let parent: NodeRef | null = null;
  let start = "";
  const pathOf = (node: NodeRef): string => {
    if (!node.parent) return "";
    // A fix often has many operations on one list.
    if (node.parent !== parent) {
      parent = node.parent;
      start = `${pointerOf(parent)}/`;
    }
    return start + (typeof node.step === "number" ? node.step : escapedStep(node.step));
  };
  return operations.map((operation) => {
    const path = pathOf(operation.node);
    if (operation.op === "remove") return { op: operation.op, path };
    if (operation.op === "move") return { op: operation.op, from: pathOf(operation.from), path };
    return { op: operation.op, path, value: operation.value };
  });
}

function withNodes(operation: PatchOperation): NodeOperation {
  const node = nodeAt(operation.path);
  if (operation.op === "remove") return { op: operation.op, node };
  if (operation.op === "move") return { op: operation.op, from: nodeAt(operation.from), node };
  return { op: operation.op, node, value: operation.value };
}

function nodeAt(pointer: string): NodeRef {
  return stepsIn(pointer).reduce(childNode, rootNode);
}

type List = unknown[];
type Members = Record<string, unknown>;
type Container = List | Members;

/** A document with the operations that have been applied to it. */
class PatchedDocument {
  value: unknown;
  /** Lists and objects of this patch alone, which it may change in place: a fix often has many operations on one list. */
  readonly #own = new Set<unknown>();
  /** The list that the last operation removed an entry from. */
  #lastNode: NodeRef | null = null;
  #lastList: List | null = null;

  constructor(document: unknown) {
    this.value = document;
  }

  apply(operation: NodeOperation): void {
    const { node } = operation;
    if (operation.op === "remove") {
      this.#remove(node);
      return;
    }
    this.#lastNode = null;
    if (operation.op === "replace") this.#replace(node, operation.value);
    else if (operation.op === "add") this.#add(node, operation.value);
    else if (operation.op === "move") this.#move(operation.from, node);
    else if (!isSameJson(valueIn(this.value, node), operation.value)) {
      throw new PatchFailure("A test does not hold.");
    }
  }

  #replace(node: NodeRef, value: unknown): void {
    if (!node.parent) {
      this.value = value;
      return;
    }
    const holder = this.#owned(node.parent);
    if (Array.isArray(holder)) {
      holder[indexOf(holder, node.step)] = value;
      return;
    }
    requireMember(holder, node.step);
    // The member is there, so it keeps its place, and `__proto__` is an ordinary name.
    holder[node.step] = value;
  }

  #remove({ parent, step }: NodeRef): void {
    if (!parent) {
      this.value = undefined;
      return;
    }
    if (parent === this.#lastNode && this.#lastList) {
      this.#lastList.splice(indexOf(this.#lastList, step), 1);
      return;
    }
    this.#lastNode = null;
    const holder = valueIn(this.value, parent);
    if (Array.isArray(holder)) {
      const list = this.#ownedList(parent);
      list.splice(indexOf(list, step), 1);
      this.#lastNode = parent;
      this.#lastList = list;
      return;
    }
    if (!isRecord(holder)) throw new PatchFailure("A path does not exist.");
    requireMember(holder, step);
    this.#put(parent, fromEntries(Object.entries(holder).filter(([name]) => name !== step)));
  }

  #add(node: NodeRef, value: unknown): void {
    const { parent, step } = node;
    const holder = parent && valueIn(this.value, parent);
    if (!parent || (isRecord(holder) && Object.hasOwn(holder, step))) {
      this.#replace(node, value);
    } else if (Array.isArray(holder)) {
      const list = this.#ownedList(parent);
      list.splice(indexOf(list, step, true), 0, value);
    } else if (isRecord(holder)) {
      this.#put(parent, withMember(holder, String(step), value));
    } else throw new PatchFailure("A path does not exist.");
  }

  #move(from: NodeRef, to: NodeRef): void {
    const value = valueIn(this.value, from);
    const holder = from.parent && valueIn(this.value, from.parent);
    if (from.parent && to.parent && isRecord(holder) && isSameNode(from.parent, to.parent)) {
      this.#put(from.parent, renamed(holder, String(from.step), String(to.step)));
      return;
    }
    this.#remove(from);
    this.#lastNode = null;
    this.#add(to, value);
  }

  /** Puts a new object in place of one that is there. */
  #put(node: NodeRef, value: Members): void {
    this.#own.add(value);
    this.#replace(node, value);
  }

  #ownedList(node: NodeRef): List {
    const list = this.#owned(node);
    if (Array.isArray(list)) return list;
    throw new PatchFailure("A path does not exist.");
  }

  /** The list or object at a node, which becomes a copy if it is not one yet. */
  #owned(node: NodeRef): Container {
    const holder = node.parent ? this.#owned(node.parent) : null;
    const value = holder ? memberOf(holder, node.step) : this.value;
    if (this.#own.has(value)) return value as Container;
    const copy = copyOf(value);
    this.#own.add(copy);
    if (!holder) this.value = copy;
    else if (Array.isArray(holder)) holder[indexOf(holder, node.step)] = copy;
    else holder[node.step] = copy;
    return copy;
  }
}

function copyOf(value: unknown): Container {
  if (Array.isArray(value)) return [...value];
  if (isRecord(value)) return { ...value };
  throw new PatchFailure("A path does not exist.");
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

/** @throws {PatchFailure} If there is no such value. */
export function valueIn(document: unknown, { parent, step }: NodeRef): unknown {
  return parent ? memberOf(valueIn(document, parent), step) : document;
}

function memberOf(at: unknown, step: string | number): unknown {
  if (Array.isArray(at)) return at[indexOf(at, step)];
  if (isRecord(at) && Object.hasOwn(at, step)) return at[step];
  throw new PatchFailure("A path does not exist.");
}

/** @param isEnd Whether the place after the last entry counts, too. */
function indexOf(list: readonly unknown[], step: string | number, isEnd = false): number {
  if (isEnd && step === "-") return list.length;
  const index = typeof step === "number" ? step : indexIn(step);
  if (index >= 0 && index < list.length + (isEnd ? 1 : 0)) return index;
  throw new PatchFailure("A path does not exist.");
}

function indexIn(step: string): number {
  return /^(?:0|[1-9][0-9]{0,8})$/.test(step) ? Number(step) : -1;
}

function withMember(object: Members, name: string, value: unknown): Members {
  const names = Object.keys(object);
  const at = placeOfMember(names, name);
  if (at === names.length) return { ...object, [name]: value };
  return fromEntries(Object.entries(object).toSpliced(at, 0, [name, value]));
}

/** A renamed member keeps its place; the order of members means nothing to RFC 6902, but does to people. */
function renamed(object: Members, from: string, to: string): Members {
  const others = Object.entries(object).filter(([name]) => name === from || name !== to);
  return fromEntries(others.map(([name, value]) => [name === from ? to : name, value]));
}

function requireMember(object: object, name: string | number): void {
  if (!Object.hasOwn(object, name)) throw new PatchFailure("A path does not exist.");
}

/** `Object.fromEntries` defines its members, so `__proto__` is an ordinary name. */
function fromEntries(entries: readonly (readonly [string, unknown])[]): Members {
  return Object.fromEntries(entries);
}
