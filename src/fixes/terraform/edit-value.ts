import type { Span, TextNode } from "../../json/text-tree.ts";
import { isRecord } from "../../record.ts";
import { commonEntries } from "../difference.ts";
import { addedPart, type FlowCollection } from "../flow-edit.ts";
import { isSameJson } from "../json.ts";
import { lineEndAt, lineStart, nextLine, type Splice } from "../layout.ts";
import type { WrittenText } from "./written-text.ts";

type Members = Readonly<Record<string, unknown>>;

/**
 * @param node Where the value is written.
 * @returns what to replace so that the text says the other value; null if an expression decides the place.
 */
export function editsOf(
  written: WrittenText,
  node: TextNode,
  before: unknown,
  after: unknown,
): Splice[] | null {
  if (isSameJson(before, after)) return [];
  if (Array.isArray(before) && Array.isArray(after) && after.length > 0) {
    if (written.isWrittenOut(node, before)) return ofList(written, node, before, after);
  } else if (isRecord(before) && isRecord(after) && Object.keys(after).length > 0) {
    if (written.isWrittenOut(node, before)) return ofObject(written, node, before, after);
  }
  // An expression may only move, for example into a list.
  if (!written.isLiteral(node, before) && !contains(after, before)) return null;
  const isLong = written.at(node).includes("\n") || isNested(after);
  const indent = isLong ? lineIndent(written, node.start) : null;
  const text = written.valueText(after, indent);
  return text === null ? null : [{ start: node.start, end: node.end, text }];
}

/** A list of texts that is shorter than this stays on its line. */
const shortList = 80;

function isNested(value: unknown): boolean {
  const isFlat = Array.isArray(value) && value.every((item) => typeof item !== "object");
  if (isFlat && JSON.stringify(value).length < shortList) return false;
  return (
    typeof value === "object" &&
    value !== null &&
    (Object.keys(value).length > 1 || Object.values(value).some(isNested))
  );
}

function lineIndent({ file, notation }: WrittenText, at: number): string | null {
  if (notation === "quoted") return null;
  return /^[ \t]*/.exec(file.slice(lineStart(file, at), at))?.[0] ?? "";
}

function ofList(
  written: WrittenText,
  node: TextNode,
  before: readonly unknown[],
  after: readonly unknown[],
): Splice[] | null {
  const items = node.items ?? [];
  const kept = commonEntries(before, after);
  if (!kept) return null;
  const parts: Part[] = items.map(({ start, end }) => ({ start, end, isRemoved: false }));
  const edits: (Splice[] | null)[] = [];
  const added: { readonly index: number; readonly value: unknown }[] = [];
  let [start, newStart] = [0, 0];
  for (const [end, newEnd] of [...kept, [before.length, after.length] as const]) {
    const pairs = Math.min(end - start, newEnd - newStart);
    for (let pair = 0; pair < pairs; pair++) {
      const item = items[start + pair];
      const [old, next] = [before[start + pair], after[newStart + pair]];
      edits.push(item ? editsOf(written, item, old, next) : null);
    }
    for (const part of parts.slice(start + pairs, end)) part.isRemoved = true;
    for (const value of after.slice(newStart + pairs, newEnd)) added.push({ index: end, value });
    [start, newStart] = [end + 1, newEnd + 1];
  }
  edits.push(removals(written, parts));
  const collection = { ...pick(node), isList: true, parts };
  for (const { index, value } of added) {
    edits.push(
      additionTo(written, collection, index, (indent) => written.valueText(value, indent)),
    );
  }
  return joined(edits);
}

function ofObject(
  written: WrittenText,
  node: TextNode,
  before: Members,
  after: Members,
): Splice[] | null {
  const fresh = new Set(Object.keys(after).filter((name) => !Object.hasOwn(before, name)));
  const edits: (Splice[] | null)[] = [];
  const parts: Part[] = [];
  for (const [name, { key, value }] of node.members ?? []) {
    const part = { start: key.start, end: value.end, isRemoved: false };
    parts.push(part);
    if (Object.hasOwn(after, name)) {
      edits.push(editsOf(written, value, before[name], after[name]));
      continue;
    }
    const renamed =
      fresh.values().find((other) => isRenamed(name, other, before, after)) ??
      onlyReplacement(before, after);
    const inside =
      renamed === undefined ? null : editsOf(written, value, before[name], after[renamed]);
    if (renamed === undefined || !inside) {
      part.isRemoved = true;
      continue;
    }
    fresh.delete(renamed);
    edits.push([{ ...pick(key), text: written.nameText(renamed) }, ...inside]);
  }
  edits.push(removals(written, parts));
  const collection = { ...pick(node), isList: false, parts };
  for (const name of fresh) {
    edits.push(
      additionTo(written, collection, parts.length, (indent) =>
        written.memberText(name, after[name], indent),
      ),
    );
  }
  return joined(edits);
}

function isRenamed(name: string, other: string, before: Members, after: Members): boolean {
  return name.toLowerCase() === other.toLowerCase() || isSameJson(before[name], after[other]);
}

/** The one new member, where one alone goes. */
function onlyReplacement(before: Members, after: Members): string | undefined {
  const gone = Object.keys(before).filter((name) => !Object.hasOwn(after, name));
  const fresh = Object.keys(after).filter((name) => !Object.hasOwn(before, name));
  return gone.length === 1 && fresh.length === 1 ? fresh[0] : undefined;
}

interface Part extends Span {
  isRemoved: boolean;
}

/** Removes parts with one of the commas beside them; with their lines, where nothing else is on these. */
function removals(written: WrittenText, parts: readonly Part[]): Splice[] {
  const splices: Splice[] = [];
  for (let first = 0; first < parts.length; first++) {
    if (!parts[first]?.isRemoved) continue;
    let last = first;
    while (parts[last + 1]?.isRemoved) last++;
    const [head, tail] = [parts[first], parts[last]];
    const [previous, next] = [parts[first - 1], parts[last + 1]];
    if (head && tail)
      splices.push(removal(written, { start: head.start, end: tail.end }, previous, next));
    first = last;
  }
  return splices;
}

function removal(
  written: WrittenText,
  { start, end }: Span,
  previous: Span | undefined,
  next: Span | undefined,
): Splice {
  const { file } = written;
  const hasOwnLines = written.ownIndent(start) !== null && written.restOfLine(end) === "";
  if (hasOwnLines && (!written.isJson || next)) {
    return { start: lineStart(file, start), end: nextLine(file, end), text: "" };
  }
  if (next) return { start, end: next.start, text: "" };
  return { start: previous?.end ?? start, end, text: "" };
}

function additionTo(
  written: WrittenText,
  collection: Omit<FlowCollection, "parts"> & { readonly parts: readonly Part[] },
  index: number,
  render: (indent: string | null) => string | null,
): Splice[] | null {
  const { file, layout } = written;
  const last = collection.parts.at(-1);
  const indent = last ? written.ownIndent(last.start) : null;
  let isLost = false;
  const text = (inner: string | null): string => {
    const rendered = render(written.notation === "quoted" ? null : inner);
    isLost ||= rendered === null;
    return rendered ?? "";
  };
  if (!last || last.isRemoved || collection.isList || written.isJson || indent === null) {
    // What is removed is not a neighbour that the new part can follow.
    if (last?.isRemoved && index === collection.parts.length) return null;
    const splice = addedPart(file, collection, index, layout, text);
    return isLost ? null : [splice];
  }
  // Members of an object on separate lines: a comment behind the last one stays with it.
  if (written.restOfLine(last.end) !== "") return null;
  const member = text(indent);
  if (isLost) return null;
  const end = lineEndAt(file, last.end);
  const added = `${written.lineEnd}${indent}${member}${file[last.end] === "," ? "," : ""}`;
  const comma = written.endsWithComma && file[last.end] !== "," ? "," : "";
  return [
    ...(comma ? [{ start: last.end, end: last.end, text: comma }] : []),
    { start: end, end, text: added },
  ];
}

function contains(value: unknown, part: unknown): boolean {
  if (isSameJson(value, part)) return true;
  if (typeof value !== "object" || value === null) return false;
  return Object.values(value).some((one: unknown) => contains(one, part));
}

function joined(edits: readonly (Splice[] | null)[]): Splice[] | null {
  return edits.every((one) => one !== null) ? edits.flat() : null;
}

function pick({ start, end }: Span): Span {
  return { start, end };
}
