import type { Node } from "web-tree-sitter";
import type { Span } from "../../json/text-tree.ts";
import { isRecord } from "../../record.ts";
import {
  entriesOf,
  type Located,
  type LocatedMember,
  locatedLeaf,
  locatedList,
  locatedObject,
} from "../located.ts";
import type { Unknowns } from "../unknowns.ts";
import { spanOfNode, textOf, withoutComments } from "./blocks.ts";

/** One round of a loop. */
interface LoopEntry {
  readonly key: string;
  readonly value: Located;
}

export type Loop = readonly LoopEntry[];

/** Rounds of one loop that are read. */
const maxEntries = 100;

/** @returns the entries of a collection; null: they are not known, or more than are read. */
export function loopOf({ value, node }: Located, unknowns: Unknowns): Loop | null {
  if (Array.isArray(value)) {
    if (value.length > maxEntries) return null;
    return entriesOf({ value, node }).map((item, index) => ({
      key: typeof item.value === "string" ? item.value : String(index),
      value: item,
    }));
  }
  if (!isRecord(value) || !node.members || node.members.size > maxEntries) return null;
  if ([...node.members.keys()].some((name) => unknowns.isIn(name))) return null;
  return [...node.members].map(([key, member]) => ({
    key,
    value: { value: value[key], node: member.value },
  }));
}

/** `{key, value}`, as `each` and the variable of a `dynamic` block are. */
export function locatedEntry({ key, value }: LoopEntry): Located {
  const { node } = value;
  return locatedObject(
    [
      { name: "key", key: node, located: locatedLeaf(key, node) },
      { name: "value", key: node, located: value },
    ],
    node,
  );
}

/** What a loop needs of the evaluator. */
interface Evaluator {
  readonly text: string;
  readonly unknowns: Unknowns;
  evaluate(node: Node): Located;
  reference(written: string, span: Span): Located;
  loop(collection: Node): Loop | null;
  within<Value>(variables: Iterable<readonly [string, Located]>, evaluate: () => Value): Value;
}

/**
 * `[for x in list : …]` and `{for key, x in map : … => …}`.
 * https://developer.hashicorp.com/terraform/language/expressions/for
 * @returns null where the collection or the filter is not known.
 */
export function evaluateFor(node: Node, evaluator: Evaluator): Located | null {
  const [inner] = withoutComments(node);
  const parts = inner ? withoutComments(inner) : [];
  const intro = parts.find(({ type }) => type === "for_intro");
  const filter = parts.find(({ type }) => type === "for_cond");
  const [first, second] = parts.filter(({ type }) => type === "expression");
  const collection = intro?.namedChildren.find(({ type }) => type === "expression");
  const loop = collection ? evaluator.loop(collection) : null;
  const isGrouped = parts.some(({ type }) => type === "ellipsis");
  if (!inner || !intro || !first || !loop || isGrouped) return null;
  const names = intro.namedChildren
    .filter(({ type }) => type === "identifier")
    .map((name) => textOf(name, evaluator.text));
  const [condition] = filter ? withoutComments(filter) : [];
  const items: Located[] = [];
  const members: LocatedMember[] = [];
  for (const entry of loop) {
    const { key, value } = entry;
    const keyed = names.length > 1 ? [[names[0] ?? "", locatedLeaf(key, value.node)] as const] : [];
    const isRead = evaluator.within([...keyed, [names.at(-1) ?? "", value]], () => {
      const isIn = condition ? evaluator.evaluate(condition).value : true;
      if (typeof isIn !== "boolean") return false;
      if (!isIn) return true;
      const located = evaluator.evaluate(first);
      if (inner.type === "for_tuple_expr") items.push(located);
      else if (!second || typeof located.value !== "string") return false;
      else {
        const key = located.node;
        members.push({ name: located.value, key, located: evaluator.evaluate(second) });
      }
      return true;
    });
    if (!isRead) return null;
  }
  const span = spanOfNode(node);
  return inner.type === "for_tuple_expr" ? locatedList(items, span) : locatedObject(members, span);
}

/** `!a`, `a == b`, `a && b` and the like. @returns null where an operand has to be known and is not. */
export function evaluateOperation(node: Node, evaluator: Evaluator): Located | null {
  const [operation] = node.namedChildren;
  const operator = operation?.children.find((child) => child && !child.isNamed);
  if (!operation || !operator) return null;
  const word = textOf(operator, evaluator.text);
  const known = (from: number, to: number) => operand(operation, from, to, evaluator);
  const right = known(operator.endIndex, operation.endIndex);
  if (operation.type === "unary_operation") {
    return word === "!" && typeof right === "boolean"
      ? locatedLeaf(!right, spanOfNode(node))
      : null;
  }
  const result = compared(word, known(operation.startIndex, operator.startIndex), right);
  return result === undefined ? null : locatedLeaf(result, spanOfNode(node));
}

/** @returns a scalar; undefined: it is not known. */
function operand(
  operation: Node,
  from: number,
  to: number,
  evaluator: Evaluator,
): string | number | boolean | null | undefined {
  const parts = withoutComments(operation).filter(
    ({ startIndex, endIndex }) => startIndex >= from && endIndex <= to,
  );
  const [first] = parts;
  const last = parts.at(-1);
  if (!first || !last) return undefined;
  const [start, end] = [first.startIndex, last.endIndex];
  const located =
    parts.length === 1 && first.type !== "variable_expr"
      ? evaluator.evaluate(first)
      : evaluator.reference(evaluator.text.slice(start, end), { start, end });
  const { value } = located;
  if (typeof value === "string") return evaluator.unknowns.isIn(value) ? undefined : value;
  const isScalar = value === null || typeof value === "number" || typeof value === "boolean";
  return isScalar ? value : undefined;
}

function compared(operator: string, left: unknown, right: unknown): boolean | undefined {
  // One operand is enough.
  if (operator === "&&" && (left === false || right === false)) return false;
  if (operator === "||" && (left === true || right === true)) return true;
  if (left === undefined || right === undefined) return undefined;
  switch (operator) {
    case "&&":
      return left === true && right === true;
    case "||":
      return false;
    case "==":
      return left === right;
    case "!=":
      return left !== right;
    default:
  }
  if (typeof left !== "number" || typeof right !== "number") return undefined;
  const results = {
    ">": left > right,
    "<": left < right,
    ">=": left >= right,
    "<=": left <= right,
  };
  return Object.hasOwn(results, operator) ? results[operator as keyof typeof results] : undefined;
}
