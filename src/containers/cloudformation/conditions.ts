import { memo } from "../../memo.ts";
import { isRecord } from "../../record.ts";
import { valueDigest } from "../digest.ts";
import { functionIn, items, member, type Part, type Template, textOf } from "./template.ts";

/** The texts with which the definition of a condition compares names. */
export function collectLiterals(
  template: Template,
  condition: string,
  literals: Map<string, Set<string>>,
  names: Set<string>,
  seen: Set<string>,
): void {
  if (seen.has(condition) || seen.size > 100) return;
  seen.add(condition);
  const definition = template.conditions.get(condition);
  if (!definition) return;
  const visit = (part: Part): void => {
    const call = functionIn(part);
    if (!call) return;
    if (call.name === "Condition") {
      collectLiterals(template, String(call.argument.value), literals, names, seen);
    } else if (call.name === "Fn::Equals") {
      const sides = items(call.argument);
      const name = sides.map(refIn).find((one) => one !== null);
      const literal = sides.map(({ value }) => textOf(value)).find((one) => one !== null);
      if (name != null && literal != null) {
        names.add(name);
        literals.set(name, (literals.get(name) ?? new Set()).add(literal));
      }
    } else {
      for (const one of items(call.argument)) visit(one);
    }
  };
  visit(definition);
}

/** @returns The names that a condition compares with texts, directly or through other conditions. */
export function comparedBy(template: Template, condition: string): ReadonlySet<string> {
  const names = new Set<string>();
  collectLiterals(template, condition, new Map(), names, new Set());
  return names;
}

/** Conditions that one definition is followed through. */
const mostFollowed = 100;

const digests = memo((_template: Template) => new Map<string, string>());

/** @returns a text that is equal for conditions that two templates define in the same way. */
export function definitionOf(template: Template, condition: string): string {
  const known = digests(template);
  const found = known.get(condition);
  if (found !== undefined) return found;
  const definitions = new Map<string, unknown>();
  const open = [condition];
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    const definition = template.conditions.get(name);
    if (definitions.has(name) || definitions.size >= mostFollowed) continue;
    definitions.set(name, definition?.value ?? null);
    if (definition) open.push(...conditionsIn(definition.value));
  }
  const digest = valueDigest([...definitions]);
  known.set(condition, digest);
  return digest;
}

/** The conditions that a definition refers to. */
function conditionsIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(conditionsIn);
  if (!isRecord(value)) return [];
  return Object.entries(value).flatMap(([name, member]) =>
    name === "Condition" && typeof member === "string" ? [member] : conditionsIn(member),
  );
}

function refIn(part: Part): string | null {
  const call = functionIn(part);
  return call?.name === "Ref" ? textOf(call.argument.value) : null;
}

/** @returns Whether a condition is true; one that nothing decides is false. */
export function evaluate(
  template: Template,
  condition: string,
  values: ReadonlyMap<string, string>,
  forced: ReadonlyMap<string, boolean>,
  depth = 0,
): boolean {
  const set = forced.get(condition);
  if (set !== undefined) return set;
  const definition = template.conditions.get(condition);
  if (!definition || depth > 20) return false;
  const side = (part: Part): string | null => {
    const name = refIn(part);
    if (name !== null) return values.get(name) ?? null;
    const call = functionIn(part);
    return call ? mapped(template, call, values) : textOf(part.value);
  };
  const decide = (part: Part, level: number): boolean => {
    const call = functionIn(part);
    if (!call || level > 50) return false;
    const { name, argument } = call;
    const parts = items(argument);
    switch (name) {
      case "Condition":
        return evaluate(template, String(argument.value), values, forced, depth + 1);
      case "Fn::Not":
        return parts[0] !== undefined && !decide(parts[0], level + 1);
      case "Fn::And":
        return parts.every((one) => decide(one, level + 1));
      case "Fn::Or":
        return parts.some((one) => decide(one, level + 1));
      case "Fn::Equals": {
        const [left, right] = parts.map(side);
        return left != null && left === right;
      }
      default:
        return false;
    }
  };
  return decide(definition, 0);
}

/** @returns The text of `Fn::FindInMap` with known keys. */
function mapped(
  { mappings }: Template,
  { name, argument }: { name: string; argument: Part },
  values: ReadonlyMap<string, string>,
): string | null {
  if (name !== "Fn::FindInMap" || !mappings) return null;
  let at: Part | null = mappings;
  for (const key of items(argument)) {
    const named = refIn(key);
    const text = named === null ? textOf(key.value) : (values.get(named) ?? null);
    at = at && text !== null ? member(at, text) : null;
  }
  return at && textOf(at.value);
}
