import { createScanner } from "jsonc-parser";
import { isRecord } from "../record.ts";
import { tryParseJson, withoutByteOrderMark } from "./parse.ts";

/** Longer texts are not repaired: the repair holds the text twice. */
const maxLength = 8192;

/** A piece of the text to replace, end exclusive. */
interface Piece {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** The scanner's `SyntaxKind`, a const enum, which TypeScript cannot read from another module here. */
const kinds = {
  openBrace: 1,
  closeBrace: 2,
  openBracket: 3,
  closeBracket: 4,
  comma: 5,
  null: 7,
  true: 8,
  false: 9,
  string: 10,
  number: 11,
  lineComment: 12,
  blockComment: 13,
  lineBreak: 14,
  space: 15,
  end: 17,
} as const;

const scalars = [kinds.null, kinds.true, kinds.false, kinds.string, kinds.number];
const starts: ReadonlySet<number> = new Set([kinds.openBrace, kinds.openBracket, ...scalars]);
const closes: ReadonlySet<number> = new Set([kinds.closeBrace, kinds.closeBracket]);
const ends: ReadonlySet<number> = new Set([...closes, ...scalars]);

/**
 * What a repair of quotes must tell apart: texts in double quotes and comments, which stay as they are; texts in single
 * quotes, as Python prints them; and the quotes that word processors write. A text or comment without an end goes to the end
 * of the input, so that the search from the next quote does not read the rest again.
 */
const quoted =
  /"(?:[^"\\]|\\.)*(?:"|\\?$)|\/\/[^\r\n]*|\/\*.*?(?:\*\/|$)|'(?<single>[^'\\\r\n]*)'(?!')|(?<typographic>[\u201c-\u201f])/gs;

/** @returns the place of the first single or typographic quote that is outside texts; null if there is none. */
export function firstWrongQuote(
  text: string,
): { kind: "single" | "typographic"; span: { start: number; end: number } } | null {
  for (const { 0: match, index, groups } of text.matchAll(quoted)) {
    const kind = groups?.typographic !== undefined ? "typographic" : "single";
    if (kind === "single" && groups?.single === undefined) continue;
    return { kind, span: { start: index, end: index + match.length } };
  }
  return null;
}

function withDoubleQuotes(text: string): string {
  return text.replaceAll(quoted, (match, single?: string, typographic?: string) => {
    if (typographic !== undefined) return '"';
    return single === undefined ? match : `"${single.replaceAll('"', '\\"')}"`;
  });
}

/** The fence of Markdown, as models write it around JSON. */
const fence = /^\s*```[a-z]*[ \t]*\r?\n(.*?)\r?\n?```\s*$/s;

/** @returns whether the text is in a fence of Markdown. */
export function isFenced(text: string): boolean {
  return fence.test(text);
}

/**
 * Repairs JSON that only has comments, single or typographic quotes, a comma too many, one too few between two members
 * or entries, a fence of Markdown around it, one or two closing brackets too few at its end, or brackets and semicolons
 * behind it. Everything else stays as it is written.
 * @returns null where the text needs another repair as well, or none of these.
 */
export function repairedJson(given: string): string | null {
  if (given.length > maxLength) return null;
  const fenced = fence.exec(given)?.[1];
  // The final line end of a file stays.
  const inside = fenced === undefined ? given : fenced + (/\r?\n$/.exec(given)?.[0] ?? "");
  const text = withDoubleQuotes(inside);
  const pieces: Piece[] = [];
  const scanner = createScanner(text, false);
  let last = null as { kind: number; start: number; end: number } | null;
  const open: { kind: number; start: number }[] = [];
  for (;;) {
    const kind: number = scanner.scan();
    if (kind === kinds.end) break;
    const start = scanner.getTokenOffset();
    const end = start + scanner.getTokenLength();
    if (kind === kinds.lineBreak || kind === kinds.space) continue;
    if (kind === kinds.lineComment || kind === kinds.blockComment) {
      pieces.push(commentAt(text, start, end));
      continue;
    }
    if (last?.kind === kinds.comma && (closes.has(kind) || kind === kinds.comma)) {
      pieces.push({ start: last.start, end: last.end, text: "" });
    } else if (last && ends.has(last.kind) && starts.has(kind)) {
      pieces.push({ start: last.end, end: last.end, text: "," });
    }
    last = { kind, start, end };
    if (kind === kinds.openBrace || kind === kinds.openBracket) open.push({ kind, start });
    if (!closes.has(kind)) continue;
    open.pop();
    if (open.length > 0) continue;
    const [behind = ""] = /^(?:\s*[\]};,])*/.exec(text.slice(end)) ?? [];
    if (behind === "") continue;
    pieces.push({ start: end, end: end + behind.length, text: "" });
    break;
  }
  // What ends with a bracket is whole; other texts may have lost more than their brackets.
  if (last && closes.has(last.kind) && open.length <= mostMissing) {
    pieces.push({ start: last.end, end: last.end, text: closing(text, last.start, open) });
  }
  if (
    pieces.every(({ start, end, text: piece }) => start === end && piece === "") &&
    text === given
  ) {
    return null;
  }
  const repaired = pieces
    .sort((a, b) => b.start - a.start)
    .reduce((all, piece) => all.slice(0, piece.start) + piece.text + all.slice(piece.end), text);
  return isObjectText(repaired) ? repaired : null;
}

/** Closing brackets that an author forgets at the end. */
const mostMissing = 2;

/** The brackets that are missing at the end, each in the indentation of the line that it closes. */
function closing(
  text: string,
  last: number,
  open: readonly { readonly kind: number; readonly start: number }[],
): string {
  const lineEnd = /\r?\n/.exec(text)?.[0] ?? "";
  return open
    .toReversed()
    .map(({ kind, start }) => {
      const bracket = kind === kinds.openBrace ? "}" : "]";
      const line = text.slice(text.lastIndexOf("\n", start) + 1, start);
      const isLong = text.slice(start, last).includes("\n");
      return isLong ? `${lineEnd}${/^[ \t]*/.exec(line)?.[0] ?? ""}${bracket}` : bracket;
    })
    .join("");
}

/** A comment with the space before it; one that has its line alone with that line. */
function commentAt(text: string, start: number, end: number): Piece {
  let from = start;
  while (from > 0 && /[ \t]/.test(text[from - 1] ?? "")) from--;
  const isFirst = from === 0 || /[\r\n]/.test(text[from - 1] ?? "");
  const after = /^[ \t]*(?:\r\n|\n|\r)/.exec(text.slice(end))?.[0] ?? null;
  if (isFirst && after !== null) return { start: from, end: end + after.length, text: "" };
  return { start: isFirst ? start : from, end, text: "" };
}

function isObjectText(text: string): boolean {
  return isRecord(tryParseJson(withoutByteOrderMark(text)));
}
