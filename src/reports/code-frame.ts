import type { Location } from "../../spec/finding.ts";

/** One line of a frame in three parts; `marked` is the part that the finding is about. */
export interface FrameLine {
  /** Counted from 1; null: lines were left out here. */
  readonly number: number | null;
  readonly before: string;
  readonly marked: string;
  readonly after: string;
}

/** Lines shown before and after the marked ones, marked lines shown at most, and characters of a line. */
const context = 1;
const mostMarked = 6;
const mostCharacters = 160;
const lead = 60;

/** @returns The lines of a text, split as in locations. */
export function linesOf(text: string): readonly string[] {
  return text.split(/\r\n|\n|\r/);
}

/** Gives the lines of a text; null: of no text. */
export type LinesReader = (text: string | null) => readonly string[] | null;

/**
 * @returns {@link linesOf} for one report. It keeps the lines of the last text: the policies of a template or
 * plan come one after another and have the same text, which may have 10 MB.
 */
export function linesReader(): LinesReader {
  let last: { readonly text: string; readonly lines: readonly string[] } | null = null;
  return (text) => {
    if (text === null) return null;
    if (last?.text !== text) last = { text, lines: linesOf(text) };
    return last.lines;
  };
}

/**
 * The lines that a finding is about, with one before and one after. The size is limited: long spans
 * lose their middle, and long lines the parts far from the mark.
 */
export function codeFrame(lines: readonly string[], { start, end }: Location): FrameLine[] {
  const lastMarked = end.column === 0 && end.line > start.line ? end.line - 1 : end.line;
  const shownMarked = Math.min(lastMarked, start.line + mostMarked - 1);
  const frame: FrameLine[] = [];
  for (
    let number = Math.max(1, start.line - context);
    number <= Math.min(lines.length, shownMarked + context);
    number++
  ) {
    const line = lines[number - 1] ?? "";
    if (number > shownMarked && shownMarked < lastMarked) {
      frame.push({ number: null, before: "", marked: "…", after: "" });
    } else if (number < start.line || number > lastMarked) {
      frame.push(windowed(number, line, 0, 0));
    } else {
      const from = number === start.line ? start.column : line.length - line.trimStart().length;
      frame.push(windowed(number, line, from, number === end.line ? end.column : line.length));
    }
  }
  return frame;
}

function windowed(number: number, line: string, from: number, to: number): FrameLine {
  const left = line.length > mostCharacters && from > lead ? boundary(line, from - lead) : 0;
  const right = Math.min(line.length, boundary(line, left + mostCharacters));
  const markEnd = Math.min(to, right);
  return {
    number,
    before: (left > 0 ? "…" : "") + line.slice(left, from),
    marked: line.slice(from, markEnd),
    after: line.slice(Math.max(from, markEnd), right) + (right < line.length ? "…" : ""),
  };
}

/** A place to cut that is not inside a surrogate pair. */
function boundary(line: string, at: number): number {
  const unit = line.charCodeAt(at);
  return unit >= 0xdc00 && unit <= 0xdfff ? at - 1 : at;
}
