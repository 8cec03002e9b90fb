/** A replacement of a piece of a text, in UTF-16 offsets, end exclusive. */
export interface Splice {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** How a text is laid out. */
export interface Layout {
  readonly lineEnd: string;
  /** One level of indentation. */
  readonly indent: string;
  /** After a colon or comma within a line. */
  readonly space: string;
  /** Functions of CloudFormation are written as tags: `!Sub x` for `{"Fn::Sub": "x"}`. */
  readonly hasTags: boolean;
}

/** @returns the line end of the first line, and the smallest indentation, and the space that is usual. */
export function layoutOf(text: string): Layout {
  const lineEnd = /\r\n|\n|\r/.exec(text)?.[0] ?? "\n";
  let indent = "  ";
  let least = Number.POSITIVE_INFINITY;
  for (const [, spaces = ""] of text.slice(0, 20_000).matchAll(/^([ \t]+)(?=[^ \t\r\n#])/gm)) {
    if (spaces.length < least) [indent, least] = [spaces, spaces.length];
  }
  const isMinified = /^[[{]/.test(text) && !/"[ \t]*:\s/.test(text.slice(0, 20_000));
  const hasTags = /[:,[-]\s*!(?:Sub|Ref|GetAtt|Join|If|ImportValue|FindInMap)\s/.test(text);
  return { lineEnd, indent, space: isMinified ? "" : " ", hasTags };
}

/** @returns the offset of the first character of the line. */
export function lineStart(text: string, offset: number): number {
  if (offset === 0) return 0;
  const feed = text.lastIndexOf("\n", offset - 1) + 1;
  // Within the line only: most texts have no carriage return, and one may have 10 MB before the offset.
  return feed + text.slice(feed, offset).lastIndexOf("\r") + 1;
}

/** @returns the offset of the line's end, before the characters that end it. */
export function lineEndAt(text: string, offset: number): number {
  let at = offset;
  while (at < text.length && text[at] !== "\n" && text[at] !== "\r") at++;
  return at;
}

/** @returns the offset of the next line, or of the end of the text. */
export function nextLine(text: string, offset: number): number {
  const at = lineEndAt(text, offset);
  return text.startsWith("\r\n", at) ? at + 2 : Math.min(at + 1, text.length);
}

/** @returns the white space at the start of the line. */
export function indentOf(text: string, offset: number): string {
  return /^[ \t]*/.exec(text.slice(lineStart(text, offset), offset))?.[0] ?? "";
}

/** Whether nothing but white space is before the offset in its line. */
export function isFirstInLine(text: string, offset: number): boolean {
  return text.slice(lineStart(text, offset), offset).trim() === "";
}
