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
 * @param label The path of the file.
 * @returns An empty text if there is none.
 */
export function unifiedDiff(label: string, before: string, after: string): string {
  if (before === after) return "";
  const lines = compared(linesOf(before), linesOf(after));
  const hunks = hunksOf(lines);
  // As git does for an absolute path: `a/tmp/policy.json`.
  const path = label.replace(/^\/+/, "");
  return `--- a/${path}\n+++ b/${path}\n${hunks.join("")}`;
}

/** Each with its line end. */
function linesOf(text: string): string[] {
  return text === "" ? [] : text.split(/(?<=\n)/);
}

function compared(before: readonly string[], after: readonly string[]): Line[] {
  const lines: Line[] = [];
  let [old, now] = [0, 0];
  const kept = keptLines(before, after);
  for (const [index, newIndex] of [...kept, [before.length, after.length] as const]) {
    for (; old < index; old++) lines.push({ sign: "-", text: before[old] ?? "" });
    for (; now < newIndex; now++) lines.push({ sign: "+", text: after[now] ?? "" });
    if (old < before.length) lines.push({ sign: " ", text: before[old] ?? "" });
    old++;
    now++;
  }
  return lines;
}

type Pair = readonly [number, number];

/**
 * @returns index pairs of lines that stay, ascending. Lines that both texts have once divide long texts into
 * parts that are short enough to compare, as the patience diff of git does.
 */
function keptLines(before: readonly string[], after: readonly string[]): Pair[] {
  const whole = commonEntries(before, after);
  if (whole) return whole;
  const kept: Pair[] = [];
  let [old, now] = [0, 0];
  for (const [index, newIndex] of [
    ...anchors(before, after),
    [before.length, after.length] as const,
  ]) {
    const part = commonEntries(before.slice(old, index), after.slice(now, newIndex)) ?? [];
    kept.push(...part.map(([row, column]) => [old + row, now + column] as const));
    if (index < before.length) kept.push([index, newIndex]);
    [old, now] = [index + 1, newIndex + 1];
  }
  return kept;
}

/** Lines that occur once in each text, the longest run of them that is in the same order in both. */
function anchors(before: readonly string[], after: readonly string[]): Pair[] {
  const rows = onceIn(before);
  const columns = onceIn(after);
  const pairs = [...rows].flatMap(([text, row]) => {
    const column = columns.get(text);
    return column === undefined ? [] : [[row, column] as const];
  });
  return longestAscending(pairs);
}

/** Line to index, of the lines that occur once. */
function onceIn(lines: readonly string[]): Map<string, number> {
  const first = new Map<string, number>();
  const repeated = new Set<string>();
  for (const [index, text] of lines.entries()) {
    if (first.has(text)) repeated.add(text);
    else first.set(text, index);
  }
  for (const text of repeated) first.delete(text);
  return first;
}

/** @param pairs Ascending by their first number. @returns The longest part that also ascends by the second. */
function longestAscending(pairs: readonly Pair[]): Pair[] {
  /** The last pair of the best run of each length, by which runs are continued. */
  const ends: number[] = [];
  const previous: number[] = [];
  for (const [index, [, column]] of pairs.entries()) {
    let [low, high] = [0, ends.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((pairs[ends[middle] ?? 0]?.[1] ?? 0) < column) low = middle + 1;
      else high = middle;
    }
    previous.push(low > 0 ? (ends[low - 1] ?? -1) : -1);
    ends[low] = index;
  }
  const run: Pair[] = [];
  for (let at = ends.at(-1) ?? -1; at >= 0; at = previous[at] ?? -1) {
    const pair = pairs[at];
    if (pair) run.push(pair);
  }
  return run.reverse();
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
