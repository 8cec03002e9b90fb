import { Document, isScalar, type ParsedNode, Scalar, stringify } from "yaml";
import { withoutTrailing } from "../ascii.ts";
import { isRecord } from "../record.ts";
import { jsonText } from "./flow-edit.ts";
import type { Layout } from "./layout.ts";

/** @returns Whether the text is written with `|` or `>`. */
export function isBlock({ type }: Scalar): boolean {
  return type === "BLOCK_LITERAL" || type === "BLOCK_FOLDED";
}

/**
 * The lines of a block scalar with another text, in its indentation.
 * @param written With its header; without the line ends behind it.
 * @returns null for one whose lines are folded, so that the text has others.
 */
export function blockScalar(
  written: string,
  { type, value }: Scalar,
  replacement: string,
  { lineEnd }: Layout,
): string | null {
  const [header = "", ...content] = written.split(/\r?\n/);
  const indent = /^ */.exec(content.find((line) => line.trim() !== "") ?? "")?.[0] ?? "";
  if (type !== "BLOCK_LITERAL" || indent === "") return null;
  const ending = String(value).slice(withoutTrailing(String(value), "\n").length);
  if (!replacement.endsWith(ending) || /[1-9]/.test(header)) return null;
  // The white space of its first line would count as indentation.
  if (/^\s/.test(replacement)) return null;
  const lines = replacement.slice(0, replacement.length - ending.length).split("\n");
  return [header, ...lines.map((line) => (line === "" ? "" : indent + line))].join(lineEnd);
}

/** A member, or an entry of a list, in block style; its first line is not indented. */
export function blockText(
  name: string | null,
  value: unknown,
  indent: string,
  layout: Layout,
): string {
  const written = layout.hasTags ? tagged(value) : value;
  const whole = name === null ? [written] : { [name]: written };
  const text = stringify(whole, stringifyOptions(layout)).trimEnd();
  return text.split("\n").join(`${layout.lineEnd}${indent}`);
}

/** What follows the colon of a member with this indentation. */
export function nestedText(value: unknown, indent: string, layout: Layout): string {
  return blockText("x", value, indent, layout).slice("x:".length);
}

/** In brackets; its lines after the first begin with the indentation. */
export function flowText(value: unknown, indent: string | null, layout: Layout): string {
  if (!layout.hasTags || !holdsFunction(value)) return jsonText(value, indent, layout);
  return stringify(tagged(value), {
    collectionStyle: "flow",
    defaultStringType: "QUOTE_DOUBLE",
    flowCollectionPadding: false,
    lineWidth: 0,
  }).trimEnd();
}

/** The name and the argument of a function that a tag can write. */
function functionIn(value: unknown): { tag: string; argument: unknown } | null {
  if (!isRecord(value)) return null;
  const [[name, argument] = ["", null], ...others] = Object.entries(value);
  const tag = name === "Ref" ? name : /^Fn::([A-Za-z0-9]+)$/.exec(name)?.[1];
  const fits = typeof argument === "string" || Array.isArray(argument);
  return tag !== undefined && fits && others.length === 0 ? { tag: `!${tag}`, argument } : null;
}

function holdsFunction(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  return functionIn(value) !== null || Object.values(value).some(holdsFunction);
}

/** The value with nodes of the library in place of functions, which it writes as tags. */
function tagged(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(tagged);
  if (!isRecord(value)) return value;
  const found = functionIn(value);
  if (!found) {
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, tagged(one)]));
  }
  const { tag, argument } = found;
  const node =
    typeof argument === "string"
      ? new Scalar(argument)
      : new Document().createNode(tagged(argument), { flow: true });
  node.tag = tag;
  return node;
}

/**
 * Texts that YAML 1.1 reads as dates, numbers or booleans get quotes: many tools read it, and PyYAML makes a date of
 * `2012-10-17`.
 */
const forAllReaders = { lineWidth: 0, compat: "yaml-1.1" } as const;

function stringifyOptions({ indent }: Layout) {
  return { ...forAllReaders, indent: Math.max(1, indent.length), aliasDuplicateObjects: false };
}

/** A text that the author wrote without such quotes is replaced in the same way. */
function optionsAs(old: ParsedNode | null) {
  const { lineWidth } = forAllReaders;
  const isPlain = isScalar(old) && old.type === "PLAIN" && typeof old.value === "string";
  const needsQuotes = isPlain && stringify(old.value, forAllReaders).startsWith('"');
  return needsQuotes ? { lineWidth } : forAllReaders;
}

/** In the quotes of the scalar that was there. */
export function scalarText(value: unknown, old: ParsedNode | null, isFlow: boolean): string {
  if (isFlow && (!isScalar(old) || old.type === "PLAIN")) {
    // In brackets more characters have a meaning.
    const text = stringify([value], {
      ...optionsAs(old),
      collectionStyle: "flow",
      flowCollectionPadding: false,
    });
    return text.trim().slice(1, -1);
  }
  // A block scalar would need separate lines.
  if (typeof value === "string" && /[\r\n]/.test(value)) return JSON.stringify(value);
  const scalar = new Scalar(value);
  const type = isScalar(old) ? old.type : undefined;
  if (type === "QUOTE_DOUBLE" || type === "QUOTE_SINGLE") scalar.type = type;
  return stringify(scalar, optionsAs(old)).trimEnd();
}
