import { getNodeValue, type Node, parseTree } from "jsonc-parser";
import { addedPart, type FlowCollection, jsonText, removedPart } from "./flow-edit.ts";
import { isSameJson } from "./json.ts";
import { indentOf, type Layout, type Splice } from "./layout.ts";
import { placeOfMember } from "./member-order.ts";
import type { EditOperation, ParsedText } from "./parsed-text.ts";
import { stepsIn } from "./patch.ts";

/** Reads JSON text for operations of a patch, which leave everything else as it is. */
export function parseJsonText(text: string): ParsedText {
  const root = parseTree(text);
  return {
    spliceOf: (operation, layout) => (root ? spliceOf(text, root, operation, layout) : null),
  };
}

function spliceOf(
  text: string,
  root: Node,
  operation: EditOperation,
  layout: Layout,
): Splice | null {
  const steps = stepsIn(operation.op === "move" ? operation.from : operation.path);
  const parent = find(root, steps.slice(0, -1));
  const step = steps.at(-1);
  if (step === undefined) {
    return operation.op === "replace" ? replaced(text, root, operation.value, layout) : null;
  }
  if (!parent?.children) return null;
  const index = indexOf(parent, step);
  const collection = collectionOf(parent);
  switch (operation.op) {
    case "replace": {
      const value = nodeAt(parent, index);
      if (!value) return null;
      const splice = replaced(text, value, operation.value, layout);
      return parent.type === "object" ? withoutRepeats(text, parent, step, splice) : splice;
    }
    case "remove":
      return removedPart(collection, index);
    case "move": {
      const name = stepsIn(operation.path).at(-1);
      const key = parent.children[index]?.children?.[0];
      if (parent.type !== "object" || !key || name === undefined) return null;
      return { start: key.offset, end: endOf(key), text: JSON.stringify(name) };
    }
    case "add": {
      const { value } = operation;
      if (parent.type === "array") {
        const at = step === "-" ? collection.parts.length : index;
        return addedPart(text, collection, at, layout, (indent) => jsonText(value, indent, layout));
      }
      const existing = nodeAt(parent, index);
      if (existing) return replaced(text, existing, value, layout);
      const at = placeOfMember(parent.children.map(nameOf), step);
      return addedPart(text, collection, at, layout, (indent) => {
        return `${JSON.stringify(step)}:${colonSpace(text, parent, layout)}${jsonText(value, indent, layout)}`;
      });
    }
  }
}

/** The splice, with the earlier members of the same name removed; what is between them stays. */
function withoutRepeats(
  text: string,
  { children = [] }: Node,
  step: string,
  splice: Splice,
): Splice {
  const last = children.findLastIndex((property) => nameOf(property) === step);
  const first = children.findIndex((property) => nameOf(property) === step);
  const start = children[first]?.offset;
  if (first === last || start === undefined) return splice;
  let piece = "";
  for (let index = first; index < last; index++) {
    const [own, next] = [children[index], children[index + 1]];
    if (own && next && nameOf(own) !== step) piece += text.slice(own.offset, next.offset);
  }
  const key = children[last]?.offset ?? splice.start;
  return { start, end: splice.end, text: piece + text.slice(key, splice.start) + splice.text };
}

/** On several lines where the value was, or where it is a scalar in an object on several lines. */
function replaced(text: string, node: Node, value: unknown, layout: Layout): Splice {
  const end = endOf(node);
  if (isSameJson(getNodeValue(node), value)) {
    return { start: node.offset, end, text: text.slice(node.offset, end) };
  }
  const around = node.parent?.parent ?? node;
  const isLong = text.slice(around.offset, endOf(around)).includes("\n");
  const indent = isLong ? indentOf(text, node.offset) : null;
  return { start: node.offset, end, text: jsonText(value, indent, layout) };
}

function colonSpace(text: string, { children = [] }: Node, { space }: Layout): string {
  const [key, value] = children[0]?.children ?? [];
  if (!key || !value) return space;
  return /:([ \t]*)$/.exec(text.slice(endOf(key), value.offset))?.[1] ?? space;
}

function endOf({ offset, length }: Node): number {
  return offset + length;
}

function collectionOf(node: Node): FlowCollection {
  return {
    start: node.offset,
    end: endOf(node),
    isList: node.type === "array",
    parts: (node.children ?? []).map((child) => ({ start: child.offset, end: endOf(child) })),
  };
}

/** Of repeated names, the last counts. */
function indexOf({ type, children = [] }: Node, step: string): number {
  if (type === "array") return step === "-" ? children.length : Number(step);
  return children.findLastIndex((property) => nameOf(property) === step);
}

function nameOf({ children }: Node): string | null {
  const name: unknown = children?.[0]?.value;
  return typeof name === "string" ? name : null;
}

function nodeAt({ type, children }: Node, index: number): Node | undefined {
  const child = children?.[index];
  return type === "array" ? child : child?.children?.[1];
}

function find(root: Node, steps: readonly string[]): Node | undefined {
  let at: Node | undefined = root;
  for (const step of steps) {
    if (!at?.children) return undefined;
    at = nodeAt(at, indexOf(at, step));
  }
  return at;
}
