/** How long a case is made smaller. */
export interface ReduceBounds {
  readonly maxTries: number;
  readonly maxMs: number;
}

/**
 * Makes a JSON value smaller by leaving parts out, as long as it stays what it was found for. A text
 * that is JSON itself is taken apart as such, then like any text piece by piece.
 * @param stillBroken Whether a smaller value shows the same failure.
 */
export async function reduce<Value>(
  value: Value,
  stillBroken: (candidate: Value) => Promise<boolean>,
  { maxTries, maxMs }: ReduceBounds,
): Promise<Value> {
  const end = performance.now() + maxMs;
  let best = value;
  let tries = 0;
  let shrunk = true;
  while (shrunk) {
    shrunk = false;
    for (const candidate of smaller(best)) {
      if (tries++ >= maxTries || performance.now() > end) return best;
      // A candidate is of the form of what it came from; who runs it checks that.
      if (!(await stillBroken(candidate as Value))) continue;
      best = candidate as Value;
      shrunk = true;
      break;
    }
  }
  return best;
}

/** @returns values with something left out, those that leave out the most first. */
function* smaller(value: unknown): Generator<unknown> {
  if (typeof value === "string") yield* smallerText(value);
  else if (Array.isArray(value)) yield* smallerList(value);
  else if (typeof value === "object" && value !== null) yield* smallerObject(value);
}

function* smallerList(list: readonly unknown[]): Generator<unknown> {
  for (const [from, to] of spans(list.length, 1)) yield [...list.slice(0, from), ...list.slice(to)];
  for (const [index, item] of list.entries()) {
    for (const part of smaller(item)) yield list.with(index, part);
  }
}

function* smallerObject(object: object): Generator<unknown> {
  const members = Object.entries(object);
  for (const [from, to] of spans(members.length, 1)) {
    yield Object.fromEntries(members.filter((_, index) => index < from || index >= to));
  }
  for (const [index, [name, member]] of members.entries()) {
    for (const part of smaller(member)) {
      yield Object.fromEntries(members.with(index, [name, part]));
    }
  }
}

function* smallerText(text: string): Generator<string> {
  const parsed = structureIn(text);
  if (parsed !== undefined) for (const part of smaller(parsed)) yield JSON.stringify(part);
  for (const [from, to] of spans(text.length, parsed === undefined ? 1 : 16)) {
    yield text.slice(0, from) + text.slice(to);
  }
}

/** Halves, quarters and so on of a length, down to pieces of the least size. */
function* spans(length: number, least: number): Generator<[from: number, to: number]> {
  for (let size = length; size >= least && size > 0; size = Math.floor(size / 2)) {
    for (let from = 0; from < length; from += size) yield [from, Math.min(length, from + size)];
  }
}

function structureIn(text: string): object | undefined {
  if (!/^\s*[[{]/.test(text)) return undefined;
  try {
    const value: object = JSON.parse(text);
    // What is nested too deep to be written again is cut as text.
    JSON.stringify(value);
    return value;
  } catch {
    return undefined;
  }
}
