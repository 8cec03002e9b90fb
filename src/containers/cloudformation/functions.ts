import type { Span } from "../../json/text-tree.ts";
import { valueDigest } from "../digest.ts";
import type { Like, Unknowns } from "../unknowns.ts";
import type { Branches } from "./branches.ts";
import type { Choice } from "./choices.ts";
import { evaluate } from "./conditions.ts";
import type { References } from "./references.ts";
import {
  leaf,
  type Resolved,
  removed,
  replaced,
  tokenFor,
  unknownCall,
  withoutDynamicReferences,
} from "./resolved.ts";
import { functionIn, items, member, type Part, type Template, textOf } from "./template.ts";

/** What a function needs of the resolver. */
export interface Caller {
  readonly template: Template;
  readonly unknowns: Unknowns;
  readonly choice: Choice;
  readonly references: References;
  /** Branches of `Fn::If` that were taken. */
  readonly branches: Branches;
  /** Whether the offsets of composed texts are wanted. */
  readonly keepsOffsets: boolean;
  resolve(part: Part): Resolved | typeof removed;
  /** For each character of a text of the file, its offset. */
  offsetsOf(part: Part, text: string): readonly number[] | null;
  problem(message: string, suggestion: string, span: Span | null): void;
}

/** @returns The value of a function; one that is not known here gives an unknown value. */
export function callFunction(
  name: string,
  argument: Part,
  whole: Part,
  caller: Caller,
): Resolved | typeof removed {
  switch (name) {
    case "Ref":
      return caller.references.ref(textOf(argument.value) ?? "", whole);
    case "Fn::GetAtt":
      return getAtt(caller, argument, whole);
    case "Fn::Sub":
      return withoutDynamicReferences(substitute(caller, argument, whole), caller.unknowns);
    case "Fn::Join":
      return withoutDynamicReferences(join(caller, argument, whole), caller.unknowns);
    case "Fn::If":
      return choose(caller, argument, whole);
    case "Fn::Select":
      return select(caller, argument, whole);
    case "Fn::Split":
      return split(caller, argument, whole);
    case "Fn::FindInMap":
      return findInMap(caller, argument, whole);
    case "Fn::ToJsonString":
      return caller.resolve(argument);
    case "Fn::ImportValue":
      return unknownCall(
        caller.unknowns,
        `ImportValue ${nameOf(caller.unknowns, caller.resolve(argument))}`,
        whole,
      );
    default:
      return unknownCall(caller.unknowns, name.replace(/^Fn::/, ""), whole);
  }
}

function getAtt({ references }: Caller, argument: Part, whole: Part): Resolved {
  const parts = Array.isArray(argument.value)
    ? argument.value.map((one) => textOf(one) ?? "?")
    : (textOf(argument.value) ?? "").split(".");
  return leaf(references.attribute(parts.join("."), whole.root), whole.root);
}

function substitute(caller: Caller, argument: Part, whole: Part): Resolved {
  const isList = Array.isArray(argument.value);
  const [first, own] = isList ? items(argument) : [argument];
  const template = first && textOf(first.value);
  if (!first || template === null || template === undefined) {
    const inner = first ? caller.resolve(first) : removed;
    return inner === removed ? unknownCall(caller.unknowns, "Sub", whole) : inner;
  }
  const { root } = whole;
  const part = { value: template, root: first.root };
  const offsets = caller.offsetsOf(part, template);
  // Each is worked out once: with two uses each, thirty of these maps in each other would be read a billion times.
  const known = new Map<string, string>();
  const givenText = (name: string, given: Part) => {
    const resolved = caller.resolve(given);
    const text = resolved === removed ? "" : resolved.value;
    return typeof text === "string"
      ? text
      : tokenFor(caller.unknowns, name, "text", root, valueDigest(given.value));
  };
  const text = replaced(template, /\$\{([^}]*)\}/g, whole, offsets, (raw, match) => {
    if (raw.startsWith("!")) return `\${${raw.slice(1)}}`;
    const name = raw.trim();
    const given = own ? member(own, name) : null;
    if (given) {
      const text = known.get(name) ?? givenText(name, given);
      known.set(name, text);
      return text;
    }
    if (/^[a-z][A-Za-z0-9.-]*:/.test(name)) {
      caller.problem(
        `\`\${${name}}\` inside \`Fn::Sub\` is the name of a resource or parameter to CloudFormation, and none has that name, so it refuses the template.`,
        `Write \`\${!${name}}\`, which leaves the policy variable in the text.`,
        first.root,
      );
      return match;
    }
    if (name.includes(".")) return caller.references.attribute(name, root);
    const resolved = caller.references.ref(name, whole);
    const value = resolved === removed ? "" : resolved.value;
    return typeof value === "string" ? value : tokenFor(caller.unknowns, name, "text", root);
  });
  return { ...text, ...leaf(text.value, root) };
}

function join(caller: Caller, argument: Part, whole: Part): Resolved {
  const [separator, list] = items(argument);
  const delimiter = textOf(separator?.value) ?? "";
  if (!list) return unknownCall(caller.unknowns, "Join", whole);
  if (functionIn(list) || !Array.isArray(list.value)) {
    return joinedValue(caller, caller.resolve(list), delimiter, whole);
  }
  const wanted = caller.keepsOffsets;
  let text = "";
  const mapped: number[] = [];
  let first = true;
  for (const item of items(list)) {
    const one = caller.resolve(item);
    if (one === removed) continue;
    const value =
      typeof one.value === "string"
        ? one.value
        : tokenFor(caller.unknowns, "Join", "text", item.root, valueDigest(item.value));
    const piece = first ? value : delimiter + value;
    const at = item.root?.start ?? whole.root?.start ?? 0;
    text += piece;
    if (wanted) {
      const offsets = one.offsets;
      for (let index = 0; index < piece.length - value.length; index++) mapped.push(at);
      for (let index = 0; index < value.length; index++) mapped.push(offsets?.[index] ?? at);
    }
    first = false;
  }
  mapped.push(whole.root?.end ?? 0);
  return { ...leaf(text, whole.root), offsets: wanted ? mapped : null };
}

/** Joins a list that is the value of a function. */
function joinedValue(
  { unknowns }: Caller,
  resolved: Resolved | typeof removed,
  delimiter: string,
  whole: Part,
): Resolved {
  if (resolved === removed) return unknownCall(unknowns, "Join", whole);
  if (!Array.isArray(resolved.value)) {
    return unknownCall(unknowns, nameOf(unknowns, resolved) || "Join", whole);
  }
  const values = resolved.value.map((one) => (typeof one === "string" ? one : "?"));
  return leaf(values.join(delimiter), whole.root);
}

function choose(caller: Caller, argument: Part, whole: Part): Resolved | typeof removed {
  const [condition, yes, no] = items(argument);
  const name = textOf(condition?.value);
  if (name === null) return unknownCall(caller.unknowns, "If", whole);
  const { values, forced } = caller.choice;
  const isTrue = evaluate(caller.template, name, values, forced);
  caller.branches.take(argument.value, isTrue);
  const branch = isTrue ? yes : no;
  return branch ? caller.resolve(branch) : removed;
}

function select(caller: Caller, argument: Part, whole: Part): Resolved {
  const [index, list] = items(argument);
  const resolved = list ? caller.resolve(list) : removed;
  const at = Number(textOf(index?.value) ?? Number.NaN);
  if (resolved !== removed && Array.isArray(resolved.value) && at in resolved.value) {
    return leaf(resolved.value[at], whole.root);
  }
  return unknownCall(caller.unknowns, `Select ${textOf(index?.value) ?? ""}`.trim(), whole);
}

function split(caller: Caller, argument: Part, whole: Part): Resolved {
  const [separator, text] = items(argument);
  const resolved = text ? caller.resolve(text) : removed;
  const delimiter = textOf(separator?.value);
  const value = resolved === removed ? null : resolved.value;
  if (typeof value !== "string" || !delimiter || mayHold(caller, value, delimiter)) {
    const name = nameOf(caller.unknowns, resolved);
    return unknownCall(caller.unknowns, name.replace(/^\$\{|\}$/g, "") || "Split", whole);
  }
  return leaf(splitText(caller.unknowns, value, delimiter), whole.root);
}

/** The parts of a text; a separator inside a token separates nothing. */
function splitText(unknowns: Unknowns, text: string, separator: string): string[] {
  const parts = [""];
  for (const piece of unknowns.pieces(text)) {
    const [head = "", ...more] = piece.isToken ? [piece.text] : piece.text.split(separator);
    parts.push((parts.pop() ?? "") + head, ...more);
  }
  return parts;
}

/** Whether an unknown part of a text may contain the separator. Ids, regions and names contain neither `:` nor `/`. */
function mayHold({ unknowns }: Caller, text: string, separator: string): boolean {
  if (!unknowns.isIn(text)) return false;
  if (separator !== ":" && separator !== "/") return true;
  return unknowns
    .split(text)
    .some((part) => typeof part !== "string" && !plainParts.has(String(part.like)));
}

const plainParts: ReadonlySet<string> = new Set<Like & string>([
  "name",
  "account",
  "region",
  "partition",
]);

function findInMap(caller: Caller, argument: Part, whole: Part): Resolved {
  const keys = items(argument)
    .slice(0, 3)
    .map((key) => caller.resolve(key));
  let at: Part | null = caller.template.mappings;
  let shown = "";
  for (const key of keys) {
    const text = key !== removed && typeof key.value === "string" ? key.value : "?";
    shown += `${shown === "" ? "" : "."}${caller.unknowns.shown(text)}`;
    at = at && member(at, text);
  }
  const found = at && caller.resolve(at);
  if (found && found !== removed) return { ...found, ...leaf(found.value, whole.root) };
  // https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/intrinsic-function-reference-findinmap.html
  const [, , , options] = items(argument);
  const fallback = options && member(options, "DefaultValue");
  const given = fallback ? caller.resolve(fallback) : removed;
  if (given !== removed) return { ...given, ...leaf(given.value, whole.root) };
  return unknownCall(caller.unknowns, `FindInMap ${shown.slice(0, 100)}`, whole);
}

function nameOf(unknowns: Unknowns, resolved: Resolved | typeof removed): string {
  return resolved !== removed && typeof resolved.value === "string"
    ? unknowns.shown(resolved.value).slice(0, 100)
    : "";
}
