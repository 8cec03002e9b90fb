import { upToLastBrace } from "../../closed-braces.ts";
import type { Span, TextNode } from "../../json/text-tree.ts";
import { valueDigest } from "../digest.ts";
import type { Like, Unknowns } from "../unknowns.ts";
import type { Part } from "./template.ts";

/** `AWS::NoValue`: the member or entry that holds it does not exist. */
export const removed = Symbol("AWS::NoValue");

/** A value after its functions: with tokens where it is not known. */
export interface Resolved extends Part {
  /** For each character of a text, its offset in the file. */
  readonly offsets?: readonly number[] | null;
}

/** @returns A value that has one position as a whole. */
export function leaf(value: unknown, root: TextNode | null): Resolved {
  return {
    value,
    root: root && { start: root.start, end: root.end, members: null, items: null },
  };
}

/**
 * The text that takes the place of an unknown value.
 * @param source What the author wrote, for messages.
 * @param expression All of it, where the source is only the beginning.
 */
export function tokenFor(
  unknowns: Unknowns,
  source: string,
  like: Like,
  span: Span | null,
  expression?: string,
): string {
  return unknowns.token({ source, like, span, expression });
}

/**
 * An unknown value as a whole.
 * @param source What the author wrote, for messages.
 */
export function unknownValue(
  unknowns: Unknowns,
  source: string,
  root: TextNode | null,
  like: Like = "text",
  expression?: string,
): Resolved {
  return leaf(tokenFor(unknowns, source, like, root, expression), root);
}

/** An unknown value of a function, told apart from those of its other calls. */
export function unknownCall(unknowns: Unknowns, source: string, { value, root }: Part): Resolved {
  return unknownValue(unknowns, source, root, "text", valueDigest(value));
}

/**
 * `{{resolve:ssm:/jobs/arn:1}}`, a value that CloudFormation reads from Parameter Store or Secrets Manager.
 * https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/dynamic-references.html
 */
export const dynamicReference = /\{\{(resolve:[^{}]+)\}\}/g;

/** @returns a text with unknown values in the place of its dynamic references. */
export function withoutDynamicReferences(resolved: Resolved, unknowns: Unknowns): Resolved {
  const { value, root, offsets = null } = resolved;
  if (typeof value !== "string" || !value.includes("{{resolve:")) return resolved;
  return replaced(value, dynamicReference, resolved, offsets, (name) =>
    tokenFor(unknowns, unknowns.shown(name), "text", root),
  );
}

/** More than any text of a template has. A default of 4 KB that is named 200,000 times would fill the memory. */
const longestText = 1_048_576;

/** @param pattern Its matches end with `}`. @returns the text with each replaced, which keeps the offsets of what stays. */
export function replaced(
  text: string,
  pattern: RegExp,
  { root }: Part,
  offsets: readonly number[] | null,
  textFor: (name: string, match: string) => string,
): Resolved {
  let value = "";
  const mapped: number[] = [];
  let from = 0;
  const keep = (to: number) => {
    value += text.slice(from, to);
    // One by one: a call takes some 100,000 arguments at most.
    for (let at = from; offsets && at < to; at++) mapped.push(offsets[at] ?? 0);
  };
  for (const { 0: match, 1: name = "", index } of upToLastBrace(text).matchAll(pattern)) {
    keep(index);
    if (value.length > longestText) {
      from = index;
      break;
    }
    const replacement = textFor(name, match);
    value += replacement;
    if (offsets) {
      const at = offsets[index] ?? 0;
      for (let count = 0; count < replacement.length; count++) mapped.push(at);
    }
    from = index + match.length;
  }
  keep(text.length);
  if (offsets) mapped.push(offsets.at(-1) ?? 0);
  return { value, root, offsets: offsets ? mapped : null };
}
