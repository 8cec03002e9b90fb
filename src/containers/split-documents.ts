import type { Origin } from "../json/text-tree.ts";

/** One document of a text, unchanged. */
export interface TextDocument {
  readonly text: string;
  readonly origin: Origin;
}

/**
 * Splits a YAML text at its document markers: lines that begin with `---` or `...` followed by white
 * space or the end of the line. YAML 1.2 forbids these inside a document, even in scalars (rule 206).
 * Parts with only comments and directives are not documents. A text without documents counts as one
 * empty document, so that it gets a finding.
 */
export function splitDocuments(text: string): TextDocument[] {
  const parts: TextDocument[] = [];
  let start: Origin = { line: 0, offset: 0 };
  let line = 0;
  /** Whether there was content since the last marker. Directives and comments before a marker belong to it. */
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
      // A marker after only directives and comments opens the part that contains them.
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

/** Lines with their line ends and offsets, split as in locations. */
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
