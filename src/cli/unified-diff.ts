import { commonEntries } from "../fixes/difference.ts";

/** Lines around a change. */
const context = 3;

interface Line {
  readonly sign: " " | "-" | "+";
  readonly text: string;
}

/**
 * The difference of two texts in the unified format of POSIX `diff -u`. The line comparison is the one
 * that patches use, so a diff library would be a second one.
 * @returns An empty text if there is none.
 */
export function unifiedDiff(label: string, before: string, after: string): string {
  if (before === after) return "";
  const lines = compared(linesOf(before), linesOf(after));
  const hunks = hunksOf(lines);
  return `--- a/${label}\n+++ b/${label}\n${hunks.join("")}`;
}

/** Each with its line end. */
function linesOf(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

function compared(before: readonly string[], after: readonly string[]): Line[] {
  const lines: Line[] = [];
  let [old, now] = [0, 0];
  const kept = commonEntries(before, after) ?? [];
  for (const [index, newIndex] of [...kept, [before.length, after.length] as const]) {
    for (; old < index; old++) lines.push({ sign: "-", text: before[old] ?? "" });
    for (; now < newIndex; now++) lines.push({ sign: "+", text: after[now] ?? "" });
    if (old < before.length) lines.push({ sign: " ", text: before[old] ?? "" });
    old++;
    now++;
  }
  return lines;
}

function hunksOf(lines: readonly Line[]): string[] {
  const hunks: string[] = [];
  const changes = lines.flatMap(({ sign }, index) => (sign === " " ? [] : [index]));
  for (let first = 0; first < changes.length; ) {
    let last = first;
    while ((changes[last + 1] ?? Number.POSITIVE_INFINITY) - (changes[last] ?? 0) <= 2 * context) {
      last++;
    }
    const start = Math.max(0, (changes[first] ?? 0) - context);
    const end = Math.min(lines.length, (changes[last] ?? 0) + context + 1);
    hunks.push(hunkOf(lines, start, end));
    first = last + 1;
  }
  return hunks;
}

function hunkOf(lines: readonly Line[], start: number, end: number): string {
  const count = (from: number, to: number, other: "-" | "+") =>
    lines.slice(from, to).filter(({ sign }) => sign !== other).length;
  const range = (other: "-" | "+") => {
    const length = count(start, end, other);
    return `${count(0, start, other) + (length > 0 ? 1 : 0)},${length}`;
  };
  const body = lines.slice(start, end).map(({ sign, text }) => {
    return text.endsWith("\n") ? sign + text : `${sign}${text}\n\\ No newline at end of file\n`;
  });
  return `@@ -${range("+")} +${range("-")} @@\n${body.join("")}`;
}
