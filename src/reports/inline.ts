/** A part of a message: a code span, or the text between two of them. */
export interface Segment {
  readonly code: boolean;
  readonly text: string;
}

/**
 * Parses the code spans of a message as CommonMark does: a run of back-ticks opens a span, the next run
 * of the same length closes it, and one space inside each end is dropped. All other characters are
 * literal, so a policy value that escapes from a span becomes plain text.
 */
export function segmentsOf(message: string): Segment[] {
  const runs = [...message.matchAll(/`+/g)].map(({ index, 0: run }) => ({
    start: index,
    end: index + run.length,
  }));
  const closers = closersOf(runs);
  const segments: Segment[] = [];
  let from = 0;
  for (let at = 0; at < runs.length; at++) {
    const closer = closers[at] ?? -1;
    const open = runs[at];
    const close = runs[closer];
    if (!open || !close) continue;
    pushText(segments, message.slice(from, open.start));
    segments.push({ code: true, text: unpadded(message.slice(open.end, close.start)) });
    from = close.end;
    at = closer;
  }
  pushText(segments, message.slice(from));
  return segments;
}

/** For each run, the index of the next run of the same length. Goes backwards to need only one pass. */
function closersOf(runs: readonly { start: number; end: number }[]): (number | undefined)[] {
  const next = new Map<number, number>();
  const closers: (number | undefined)[] = [];
  for (const [at, { start, end }] of [...runs.entries()].reverse()) {
    closers[at] = next.get(end - start);
    next.set(end - start, at);
  }
  return closers;
}

function unpadded(text: string): string {
  const padded = text.startsWith(" ") && text.endsWith(" ") && text.trim() !== "";
  return padded ? text.slice(1, -1) : text;
}

/** A line break in a message becomes a space. */
function pushText(segments: Segment[], text: string): void {
  if (text === "") return;
  const [first = "", ...others] = text.split(/\r\n|\n|\r/);
  const line = [first, ...others.map((rest) => rest.trimStart())].join(" ");
  segments.push({ code: false, text: line });
}
