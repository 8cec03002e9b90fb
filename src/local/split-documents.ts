import type { Origin } from "../json/text-tree.ts";

/** One document of a text, as it stands there. */
export interface TextDocument {
  readonly text: string;
  readonly origin: Origin;
}

/**
 * Cuts a YAML text at its document markers: lines that begin with `---` or `...` and a blank or an end,
 * which YAML 1.2 forbids within a document, be it in a quoted or block scalar (rule 206). Parts that hold
 * nothing but comments and directives are no documents; a text without any document is one, an empty
 * one, so that somebody says so.
 */
export function splitDocuments(text: string): TextDocument[] {
  const parts: TextDocument[] = [];
  let start: Origin = { line: 0, offset: 0 };
  let line = 0;
  /** Content has been seen since the last marker; directives and comments before one belong to it. */
  let hasContent = false;
  let isOpen = false;
  const close = (end: Origin) => {
    if (isOpen && hasContent)
      parts.push({ text: text.slice(start.offset, end.offset), origin: start });
    start = end;
    hasContent = false;
    isOpen = false;
  };
  for (const [lineText, at] of linesOf(text)) {
    const here = { line, offset: at };
    if (/^---(?=[ \t\r\n]|$)/.test(lineText)) {
      // A marker after nothing but directives and comments opens the part that they stand in.
      if (isOpen && hasContent) close(here);
      else if (isOpen) start = here;
      isOpen = true;
      hasContent = isContent(lineText.slice(3));
    } else if (/^\.\.\.(?=[ \t\r\n]|$)/.test(lineText)) {
      close({ line: line + 1, offset: at + lineText.length });
    } else if (isContent(lineText) && !lineText.startsWith("%")) {
      isOpen = true;
      hasContent = true;
    }
    line++;
  }
  close({ line, offset: text.length });
  return parts.length === 0 ? [{ text, origin: { line: 0, offset: 0 } }] : parts;
}

/** Lines with their ends and offsets, split where locations split them. */
function* linesOf(text: string): Generator<[line: string, offset: number]> {
  const ends = /\r\n|\n|\r/g;
  let from = 0;
  for (const { index, 0: end } of text.matchAll(ends)) {
    yield [text.slice(from, index + end.length), from];
    from = index + end.length;
  }
  if (from < text.length) yield [text.slice(from), from];
}

function isContent(line: string): boolean {
  const trimmed = line.trim();
  return trimmed !== "" && !trimmed.startsWith("#");
}
