import { indentOf, isFirstInLine, type Layout, type Splice } from "./layout.ts";

/** A member or an entry of a list in brackets, in the order of the text. */
interface Part {
  /** Of the member's name, or of the entry. */
  readonly start: number;
  readonly end: number;
}

/** A list or an object in brackets: JSON, or a flow collection of YAML. */
export interface FlowCollection {
  readonly start: number;
  readonly end: number;
  readonly isList: boolean;
  readonly parts: readonly Part[];
}

/** @returns the splice that removes a part and one of the commas beside it. */
export function removedPart({ parts }: FlowCollection, index: number): Splice | null {
  const part = parts[index];
  if (!part) return null;
  const next = parts[index + 1];
  if (next) return { start: part.start, end: next.start, text: "" };
  const before = parts[index - 1];
  return { start: before ? before.end : part.start, end: part.end, text: "" };
}

/**
 * @param render Makes the text of the new part; its lines after the first begin with the indentation.
 * @returns the splice that adds a part at an index, laid out as its neighbour is.
 */
export function addedPart(
  text: string,
  collection: FlowCollection,
  index: number,
  layout: Layout,
  render: (indent: string | null) => string,
): Splice {
  const { parts, start, end, isList } = collection;
  const neighbour = parts[index] ?? parts.at(-1);
  if (!neighbour) {
    const [open, close] = isList ? "[]" : "{}";
    const indent = indentOf(text, start);
    const inner = `${layout.lineEnd}${indent}${layout.indent}`;
    const isLong = text.includes("\n") || text.includes("\r");
    const piece = isLong
      ? `${open}${inner}${render(indent + layout.indent)}${layout.lineEnd}${indent}${close}`
      : `${open}${render(null)}${close}`;
    return { start, end, text: piece };
  }
  const ownLine = isFirstInLine(text, neighbour.start);
  const indent = ownLine ? indentOf(text, neighbour.start) : null;
  const between =
    indent === null ? spaceAfterComma(text, parts, layout) : `${layout.lineEnd}${indent}`;
  const piece = render(indent);
  return index < parts.length
    ? { start: neighbour.start, end: neighbour.start, text: `${piece},${between}` }
    : { start: neighbour.end, end: neighbour.end, text: `,${between}${piece}` };
}

function spaceAfterComma(
  text: string,
  [first, second]: readonly Part[],
  { space }: Layout,
): string {
  if (!first || !second) return space;
  const between = /,([ \t]*)$/.exec(text.slice(first.end, second.start));
  return between?.[1] ?? space;
}

/**
 * A value as JSON.
 * @param indent Of the line that it begins in; null: all on one line.
 */
export function jsonText(value: unknown, indent: string | null, layout: Layout): string {
  if (indent === null) return inline(value, layout.space);
  const lines = JSON.stringify(value, null, layout.indent).split("\n");
  return lines.join(`${layout.lineEnd}${indent}`);
}

function inline(value: unknown, space: string): string {
  if (Array.isArray(value)) {
    return `[${value.map((item) => inline(item, space)).join(`,${space}`)}]`;
  }
  if (typeof value === "object" && value !== null) {
    const members = Object.entries(value).map(
      ([name, member]) => `${JSON.stringify(name)}:${space}${inline(member, space)}`,
    );
    return `{${members.join(`,${space}`)}}`;
  }
  return JSON.stringify(value);
}
