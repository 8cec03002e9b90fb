import type { Node } from "web-tree-sitter";
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

/** What a function needs of the evaluator. */
interface Evaluator {
  readonly text: string;
  readonly unknowns: Unknowns;
  evaluate(node: Node): Located;
  unknown(node: Node): Located;
  choose(
    node: Node,
    outcomes: readonly (() => Located)[],
    phrases: readonly string[],
  ): Located | null;
}

/**
 * The functions whose result is known from known arguments and that people use in policies.
 * https://developer.hashicorp.com/terraform/language/functions
 * @returns null for another function, and where an argument has to be known and is not.
 */
export function evaluateCall(call: Node, evaluator: Evaluator): Located | null {
  const name = call.namedChildren.find(({ type }) => type === "identifier");
  const list = call.namedChildren.find(({ type }) => type === "function_arguments");
  const nodes = list ? withoutComments(list) : [];
  if (nodes.some(({ type }) => type !== "expression")) return null;
  const run = name && functions[textOf(name, evaluator.text)];
  return run
    ? run(
        nodes.map((node) => evaluator.evaluate(node)),
        call,
        evaluator,
      )
    : null;
}

type Function = (args: readonly Located[], call: Node, evaluator: Evaluator) => Located | null;

const first: Function = ([value]) => value ?? null;

const functions: Readonly<Record<string, Function | undefined>> = {
  // A policy is read as the object that is encoded.
  jsonencode: first,
  yamlencode: first,
  sensitive: first,
  nonsensitive: first,
  tolist: first,
  toset: first,
  distinct: first,
  // The other arguments are for the case that the first has no value, as with `count = 0`.
  try: (args) => valued(args),
  one: first,
  coalesce: firstOf,
  coalescelist: firstOf,
  lookup: ([map, key, fallback], call, evaluator) => {
    const name = key?.value;
    if (!map || typeof name !== "string" || evaluator.unknowns.isIn(name)) return null;
    const { value, node } = map;
    if (!isRecord(value) || !node.members) {
      if (!fallback) return null;
      const [shown = ""] = argumentTexts(call, evaluator.text);
      const phrases = [`\`${shown}\` has \`${name}\``, `\`${shown}\` has no \`${name}\``];
      return evaluator.choose(call, [() => evaluator.unknown(call), () => fallback], phrases);
    }
    const member = node.members.get(name)?.value;
    return member ? { value: value[name], node: member } : (fallback ?? null);
  },
  length: ([value], call, { unknowns }) => {
    const list = value?.value;
    if (Array.isArray(list) && !list.some((item) => isWhole(item, unknowns)))
      return locatedLeaf(list.length, spanOfNode(call));
    return isRecord(list) ? locatedLeaf(Object.keys(list).length, spanOfNode(call)) : null;
  },
  contains: ([list, value], call, { unknowns }) => {
    const texts = Array.isArray(list?.value) ? list.value.map(scalar) : [null];
    const wanted = scalar(value?.value);
    const isKnown =
      wanted !== null && [wanted, ...texts].every((one) => one !== null && !unknowns.isIn(one));
    return isKnown ? locatedLeaf(texts.includes(wanted), spanOfNode(call)) : null;
  },
  sort: first,
  compact: ([value], call) =>
    value
      ? locatedList(
          entriesOf(value).filter((entry) => entry.value !== "" && entry.value !== null),
          spanOfNode(call),
        )
      : null,
  tostring: ([value], call) => (typeof value?.value === "string" ? value : scalarText(value, call)),
  trimspace: (args, call) => mapText(args, call, (text) => text.trim()),
  lower: (args, call, { unknowns }) =>
    unknownIn(args, unknowns) ? null : mapText(args, call, (text) => text.toLowerCase()),
  upper: (args, call, { unknowns }) =>
    unknownIn(args, unknowns) ? null : mapText(args, call, (text) => text.toUpperCase()),
  // A text between slashes is a regular expression there.
  replace: ([text, from, to], call, { unknowns }) => {
    const [given, search, by] = [text?.value, from?.value, to?.value];
    if (typeof given !== "string" || typeof search !== "string" || typeof by !== "string")
      return null;
    if (unknowns.isIn(given + search) || search === "" || /^\/.*\/$/s.test(search)) return null;
    return locatedLeaf(
      given.replaceAll(search, () => by),
      spanOfNode(call),
    );
  },
  // An unknown list in the middle stays one unknown entry.
  concat: (args, call) => locatedList(args.flatMap(entriesOf), spanOfNode(call)),
  flatten: ([value], call) =>
    value ? locatedList(entriesOf(value).flatMap(entriesOf), spanOfNode(call)) : null,
  merge: (args, call) => {
    const members: LocatedMember[] = [];
    for (const { value, node } of args) {
      if (!isRecord(value) || !node.members) return null;
      for (const [name, member] of node.members) {
        members.push({
          name,
          key: member.key,
          located: { value: value[name], node: member.value },
        });
      }
    }
    return locatedObject(members, spanOfNode(call));
  },
  join: ([separator, list], call) => {
    if (!list || typeof separator?.value !== "string" || !Array.isArray(list.value)) return null;
    const texts = list.value.map(scalar);
    if (texts.includes(null)) return null;
    return locatedLeaf(texts.join(separator.value), spanOfNode(call));
  },
  format: ([pattern, ...args], call, { unknowns }) => {
    if (typeof pattern?.value !== "string" || unknowns.isIn(pattern.value)) return null;
    let used = 0;
    let isPlain = true;
    const text = pattern.value.replace(/%(.?)/gs, (_, verb: string) => {
      if (verb === "%") return "%";
      const value =
        verb === "s" || verb === "d" || verb === "v" ? scalar(args[used++]?.value) : null;
      isPlain &&= value !== null;
      return value ?? "";
    });
    return isPlain && used === args.length ? locatedLeaf(text, spanOfNode(call)) : null;
  },
};

/** The first argument with a value: the first one, unless a deployment leaves it out. */
function firstOf(args: readonly Located[], call: Node, evaluator: Evaluator): Located | null {
  const { unknowns } = evaluator;
  const texts = argumentTexts(call, evaluator.text);
  const given = args
    .map((one, index) => ({ one, shown: `\`${texts[index] ?? ""}\`` }))
    .filter(({ one: { value } }) => value !== null && value !== "" && !isEmptyList(value));
  const known = given.findIndex(({ one }) => !isWhole(one.value, unknowns));
  const possible = known < 0 ? given : given.slice(0, known + 1);
  const [only] = possible;
  if (!only || possible.length === 1) return only?.one ?? null;
  const phrases = possible.map((_, index) => {
    const left = possible.slice(0, index).map(({ shown }) => shown);
    return index === 0 ? `${only.shown} has a value` : `${left.join(" and ")} has no value`;
  });
  const outcomes = possible.map(
    ({ one }) =>
      () =>
        one,
  );
  return evaluator.choose(call, outcomes, phrases);
}

/** The arguments of a call as messages show them. */
function argumentTexts(call: Node, text: string): readonly string[] {
  const list = call.namedChildren.find(({ type }) => type === "function_arguments");
  const nodes = list ? withoutComments(list) : [];
  return nodes.map((node) => textOf(node, text).replaceAll(/\s+/g, " ").slice(0, 60));
}

const isEmptyList = (value: unknown) => Array.isArray(value) && value.length === 0;

function isWhole(value: unknown, unknowns: Unknowns): boolean {
  return typeof value === "string" && unknowns.whole(value) !== null;
}

/** A first argument that is null was meant to be so. */
function valued(args: readonly Located[]): Located | null {
  return args.find(({ value }) => value !== null) ?? null;
}

function scalar(value: unknown): string | null {
  if (typeof value === "string") return value;
  return typeof value === "number" || typeof value === "boolean" ? String(value) : null;
}

function scalarText(value: Located | undefined, call: Node): Located | null {
  const text = scalar(value?.value);
  return text === null ? null : locatedLeaf(text, spanOfNode(call));
}

function mapText(
  [value]: readonly Located[],
  call: Node,
  change: (text: string) => string,
): Located | null {
  return typeof value?.value === "string"
    ? locatedLeaf(change(value.value), spanOfNode(call))
    : null;
}

function unknownIn(args: readonly Located[], unknowns: Unknowns): boolean {
  return args.some(({ value }) => typeof value === "string" && unknowns.isIn(value));
}
