import { isScalar, type ParsedNode, Scalar, stringify } from "yaml";
import type { Layout } from "./layout.ts";

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
  const ending = /\n*$/.exec(String(value))?.[0] ?? "";
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
  const whole = name === null ? [value] : { [name]: value };
  const text = stringify(whole, stringifyOptions(layout)).trimEnd();
  return text.split("\n").join(`${layout.lineEnd}${indent}`);
}

/** What follows the colon of a member with this indentation. */
export function nestedText(value: unknown, indent: string, layout: Layout): string {
  return blockText("x", value, indent, layout).slice("x:".length);
}

function stringifyOptions({ indent }: Layout) {
  return { lineWidth: 0, indent: Math.max(1, indent.length), aliasDuplicateObjects: false };
}

/** In the quotes of the scalar that was there. */
export function scalarText(value: unknown, old: ParsedNode | null, isFlow: boolean): string {
  if (isFlow && (!isScalar(old) || old.type === "PLAIN")) {
    // In brackets more characters have a meaning.
    const text = stringify([value], {
      collectionStyle: "flow",
      lineWidth: 0,
      flowCollectionPadding: false,
    });
    return text.trim().slice(1, -1);
  }
  // A block scalar would need separate lines.
  if (typeof value === "string" && /[\r\n]/.test(value)) return JSON.stringify(value);
  const scalar = new Scalar(value);
  const type = isScalar(old) ? old.type : undefined;
  if (type === "QUOTE_DOUBLE" || type === "QUOTE_SINGLE") scalar.type = type;
  return stringify(scalar, { lineWidth: 0 }).trimEnd();
}
