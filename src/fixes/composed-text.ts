import { upToLastBrace } from "../closed-braces.ts";
import { textOf } from "../containers/cloudformation/template.ts";
import { isRecord } from "../record.ts";

/**
 * A text that `Fn::Sub`, or `Fn::Join` with nothing between its parts, puts together. `Ref` and `Fn::GetAtt`
 * give one value, and an edit puts text beside it.
 */
export interface Composed {
  /** Of two that follow each other, one at most is text, and none is empty. */
  readonly pieces: readonly Piece[];
  /** The function with other pieces. */
  readonly write: (pieces: readonly Piece[]) => ComposedEdit;
}

interface Piece {
  /** What the author wrote; null: values that the template does not say. */
  readonly text: string | null;
  /** As the function has it. */
  readonly sources: readonly unknown[];
}

/** A function of a template with another text in it. */
export interface ComposedEdit {
  /** Steps from the function to what is replaced: the text of `Fn::Sub` stays in its place. */
  readonly within: readonly string[];
  readonly value: unknown;
  /** The whole function, for another place. */
  readonly whole: unknown;
}

/** @returns null for any other value. */
export function composedOf(raw: unknown): Composed | null {
  if (!isRecord(raw)) return null;
  const [[name, argument] = ["", null], ...others] = Object.entries(raw);
  if (others.length > 0) return null;
  switch (name) {
    case "Fn::Sub":
      return substituted(argument);
    case "Fn::Join":
      return joined(argument);
    case "Ref":
    case "Fn::GetAtt":
      return referred([argument].flat());
    default:
      return null;
  }
}

function referred(names: readonly unknown[]): Composed | null {
  if (!names.every((one) => typeof one === "string")) return null;
  const composed = substituted(`\${${names.join(".")}}`);
  return composed && { ...composed, write: (changed) => whole(composed.write(changed).whole) };
}

function whole(value: unknown): ComposedEdit {
  return { within: [], value, whole: value };
}

function substituted(argument: unknown): Composed | null {
  const isList = Array.isArray(argument);
  const [template, ...rest]: readonly unknown[] = isList ? argument : [argument];
  if (typeof template !== "string") return null;
  const pieces: Piece[] = [];
  let from = 0;
  // `${!Name}` is the text `${Name}` to CloudFormation.
  const literal = (text: string) => written(text.replaceAll("${!", "${"));
  for (const { index, 0: reference } of upToLastBrace(template).matchAll(/\$\{(?!!)[^}]*\}/g)) {
    pieces.push(literal(template.slice(from, index)), { text: null, sources: [reference] });
    from = index + reference.length;
  }
  pieces.push(literal(template.slice(from)));
  return {
    pieces: merged(pieces),
    write: (changed) => {
      const value = changed
        .map(({ text, sources }) => text?.replaceAll("${", "${!") ?? sources.join(""))
        .join("");
      const within = isList ? ["Fn::Sub", "0"] : ["Fn::Sub"];
      return { within, value, whole: { "Fn::Sub": isList ? [value, ...rest] : value } };
    },
  };
}

function joined(argument: unknown): Composed | null {
  const [delimiter, list]: readonly unknown[] = Array.isArray(argument) ? argument : [];
  if (delimiter !== "" || !Array.isArray(list)) return null;
  const pieces = list.map((source: unknown) => ({ text: textOf(source), sources: [source] }));
  return {
    pieces: merged(pieces),
    write: (changed) => {
      const kept = changed.flatMap(({ text, sources }) => (text === null ? sources : [text]));
      const join = { "Fn::Join": ["", kept] };
      if (kept.length === 1) return whole(kept[0]);
      const at = kept.findIndex((one, index) => one !== list[index]);
      const isOne = kept.every((one, index) => index === at || one === list[index]);
      return isOne && kept.length === list.length
        ? { within: ["Fn::Join", "1", String(at)], value: kept[at], whole: join }
        : whole(join);
    },
  };
}

function written(text: string): Piece {
  return { text, sources: [text] };
}

function merged(pieces: readonly Piece[]): Piece[] {
  const runs: Piece[][] = [];
  for (const piece of pieces) {
    if (piece.text === "") continue;
    const run = runs.at(-1);
    if (run && (run[0]?.text === null) === (piece.text === null)) run.push(piece);
    else runs.push([piece]);
  }
  return runs.map((run) =>
    run[0]?.text === null
      ? { text: null, sources: run.flatMap(({ sources }) => sources) }
      : written(run.map(({ text }) => text).join("")),
  );
}

/** A piece and its place in the text as it is validated. */
interface Placed extends Piece {
  readonly start: number;
  readonly end: number;
}

/**
 * Writes an edit of a text into the function that composes it.
 * @param rendered The text with a sample for each unknown value.
 * @param isSample Whether a text shows something of a sample.
 * @returns null if the edit goes through a value, or writes one.
 */
export function editComposed(
  { pieces, write }: Composed,
  rendered: string,
  after: string,
  isSample: (text: string) => boolean,
): ComposedEdit | null {
  const placed = placedIn(rendered, pieces);
  if (!placed) return null;
  const { start, end, text } = changeOf(rendered, after);
  const before = cut(placed, 0, start);
  const behind = cut(placed, end, rendered.length);
  const removed = cut(placed, start, end);
  // Values stay or go as a whole.
  if (!before || !behind || !removed) return null;
  if (before.length + behind.length === 0 || isSample(text)) return null;
  return write(merged([...before, written(text), ...behind]));
}

/** The pieces between two places, those of text cut; null where a place is inside a value. */
function cut(placed: readonly Placed[], from: number, to: number): Piece[] | null {
  const parts: Piece[] = [];
  for (const { text, sources, start, end } of placed) {
    if (end <= from || start >= to) continue;
    if (text !== null)
      parts.push(written(text.slice(Math.max(0, from - start), Math.max(0, to - start))));
    else if (start >= from && end <= to) parts.push({ text, sources });
    else return null;
  }
  return parts;
}

/** The part of a text that another one has in its place. */
function changeOf(text: string, after: string): { start: number; end: number; text: string } {
  const most = Math.min(text.length, after.length);
  let start = 0;
  while (start < most && text[start] === after[start]) start++;
  let common = 0;
  while (common < most - start && text.at(-1 - common) === after.at(-1 - common)) common++;
  return { start, end: text.length - common, text: after.slice(start, after.length - common) };
}

/** @returns null unless there is one way only to find the texts of the pieces, in order. */
function placedIn(rendered: string, pieces: readonly Piece[]): Placed[] | null {
  const texts = pieces.map(({ text }) => text);
  const first = placesOf(rendered, texts);
  const mirrored = placesOf(reversed(rendered), texts.toReversed().map(reversedText));
  if (!first || !mirrored) return null;
  const last = mirrored.toReversed().map((at, index) => {
    return rendered.length - at - (texts[index]?.length ?? 0);
  });
  const placed: Placed[] = [];
  for (const [index, piece] of pieces.entries()) {
    const at = first[index] ?? 0;
    if (piece.text !== null && at !== last[index]) return null;
    const length = piece.text?.length ?? (first[index + 1] ?? rendered.length) - at;
    // A value without characters could be on either side of an edit.
    if (length === 0) return null;
    placed.push({ ...piece, start: at, end: at + length });
  }
  return placed;
}

/** The first places where the texts follow each other; what is between them is that of values. */
function placesOf(whole: string, texts: readonly (string | null)[]): number[] | null {
  const places: number[] = [];
  let from = 0;
  for (const [index, text] of texts.entries()) {
    if (text === null) {
      places.push(from);
      continue;
    }
    let at = index === 0 ? 0 : whole.indexOf(text, from);
    if (index === texts.length - 1) at = Math.max(from, whole.length - text.length);
    if (at < 0 || (index === 0 && at > 0) || !whole.startsWith(text, at)) return null;
    places.push(at);
    from = at + text.length;
  }
  return texts.at(-1) === null || from === whole.length ? places : null;
}

function reversed(text: string): string {
  return text.split("").reverse().join("");
}

function reversedText(text: string | null): string | null {
  return text === null ? null : reversed(text);
}
