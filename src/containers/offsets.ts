import type { Span, TextNode } from "../json/text-tree.ts";

/** For each character of a text that a file holds in a string: its offset in the file, and the end. */
export type Offsets = readonly number[];

const simpleEscapes: ReadonlySet<string> = new Set('"\\/bfnrt0aevN_LP \t');

/**
 * Aligns the value of a JSON or YAML string with its text in the file: escapes, folded lines and
 * indentation differ, the rest is the same.
 * @param span Of the string in the file, with its quotes or block header.
 * @returns null if they cannot be aligned.
 */
export function offsetsOf(file: string, { start, end }: Span, value: string): Offsets | null {
  const first = file[start];
  const isDouble = first === '"';
  const isSingle = first === "'";
  let at = start + (isDouble || isSingle ? 1 : 0);
  if (first === "|" || first === ">") {
    const line = file.indexOf("\n", start);
    if (line < 0 || line >= end) return value === "" ? [end] : null;
    at = line + 1;
  }
  const offsets: number[] = [];
  for (let index = 0; index < value.length; ) {
    if (at >= end) {
      // The final line end of a block may lie outside its span.
      if (value.slice(index).trim() !== "") return null;
      while (index++ < value.length) offsets.push(end);
      return offsets;
    }
    if (isDouble && file[at] === "\\") {
      const length = escapeLength(file, at);
      if (length === 0) at += 1;
      else if (isLineEnd(file[at + 1])) at += 2;
      else {
        offsets.push(at);
        index++;
        if (/^\\U/.test(file.slice(at, at + 2)) && isHighSurrogate(value, index - 1)) {
          offsets.push(at);
          index++;
        }
        at += length;
      }
    } else if (value[index] === file[at]) {
      offsets.push(at);
      index++;
      at += isSingle && file[at] === "'" ? 2 : 1;
    } else if (isSpace(file[at])) {
      at++;
    } else if (isSpace(value[index])) {
      offsets.push(at);
      index++;
    } else {
      return null;
    }
  }
  offsets.push(at);
  return offsets;
}

/** Characters of the escape that begins here; 0 if it is none. */
function escapeLength(file: string, at: number): number {
  const letter = file[at + 1] ?? "";
  if (letter === "u") return 6;
  if (letter === "x") return 4;
  if (letter === "U") return 10;
  return simpleEscapes.has(letter) || isLineEnd(letter) ? 2 : 0;
}

const isLineEnd = (character: string | undefined) => character === "\n" || character === "\r";
const isSpace = (character: string | undefined) =>
  character === " " || character === "\t" || isLineEnd(character);
const isHighSurrogate = (text: string, at: number) => /[\ud800-\udbff]/.test(text[at] ?? "");

/** Decodes `%xx`. @returns null if the text is not URL-encoded. */
export function urlDecoded(
  text: string,
  offsets: Offsets | null,
): { text: string; offsets: Offsets | null } | null {
  let decoded = "";
  const mapped: number[] = [];
  // Runs of escapes are decoded together, because a character may need several.
  for (const { 0: part, index: from } of text.matchAll(/(?:%[0-9A-Fa-f]{2})+|[^%]+|%/g)) {
    let plain = part;
    const isEscaped = part.startsWith("%") && part.length > 1;
    try {
      if (isEscaped) plain = decodeURIComponent(part);
    } catch {
      return null;
    }
    const width = isEscaped ? 3 : 1;
    for (let index = 0; index < plain.length; index++) {
      mapped.push(from + Math.min(index * width, part.length - 1));
    }
    decoded += plain;
  }
  mapped.push(text.length);
  return {
    text: decoded,
    offsets: offsets && mapped.map((at) => offsets[at] ?? offsets.at(-1) ?? 0),
  };
}

/** @returns The tree with every span moved from the text into the file that holds it. */
export function moved({ start, end, members, items }: TextNode, offsets: Offsets): TextNode {
  const span = (one: Span): Span => movedSpan(one, offsets);
  return {
    ...span({ start, end }),
    items: items?.map((item) => moved(item, offsets)) ?? null,
    members:
      members &&
      new Map(
        [...members].map(([name, { key, value }]) => [
          name,
          { key: span(key), value: moved(value, offsets) },
        ]),
      ),
  };
}

/**
 * A span of a text inside the file, as a span of the file.
 * @param offsets For each character of the text, its offset in the file.
 */
export function movedSpan({ start, end }: Span, offsets: Offsets): Span {
  const last = offsets.at(-1) ?? 0;
  return { start: offsets[start] ?? last, end: offsets[end] ?? last };
}
