import type { Node } from "web-tree-sitter";

/** A text with the offset in the file of each of its characters, and of its end. */
export interface TemplateText {
  readonly text: string;
  readonly offsets: readonly number[];
  /** It has `%{ … }` directives, of which one outcome was read. */
  readonly hasDirectives: boolean;
}

const escapes: Readonly<Record<string, string>> = {
  n: "\n",
  r: "\r",
  t: "\t",
  '"': '"',
  "\\": "\\",
};

/**
 * Reads a quoted template or a heredoc.
 * https://developer.hashicorp.com/terraform/language/expressions/strings
 * @param textFor Text of an interpolated expression: its value, or the token of an unknown one.
 */
export function readTemplate(
  node: Node,
  file: string,
  textFor: (expression: Node) => string,
): TemplateText {
  const writer = new Writer(file);
  const isHeredoc = node.type === "heredoc_template";
  const { start, end } = contentOf(node, file, isHeredoc);
  writer.readParts(node.namedChildren, start, end, isHeredoc, textFor);
  return writer.finish(end);
}

/** The grammar leaves white space at the edges of a literal part out, so parts are taken from the file. */
function contentOf(node: Node, file: string, isHeredoc: boolean): { start: number; end: number } {
  if (!isHeredoc)
    return { start: node.startIndex + 1, end: Math.max(node.startIndex + 1, node.endIndex - 1) };
  const names = node.namedChildren.filter(({ type }) => type === "heredoc_identifier");
  const line = file.indexOf("\n", names[0]?.endIndex ?? node.startIndex);
  const last = names.at(-1);
  const end = last && names.length > 1 ? last.startIndex : node.endIndex;
  return { start: line < 0 ? end : Math.min(line + 1, end), end };
}

class Writer {
  readonly #file: string;
  readonly #parts: string[] = [];
  readonly #offsets: number[] = [];
  #hasDirectives = false;

  constructor(file: string) {
    this.#file = file;
  }

  readParts(
    children: readonly Node[],
    start: number,
    end: number,
    isHeredoc: boolean,
    textFor: (expression: Node) => string,
  ): void {
    let at = start;
    for (const child of children) {
      if (child.startIndex < at) continue;
      if (child.type === "template_interpolation") {
        this.#literal(at, child.startIndex, isHeredoc);
        const expression = child.namedChildren.find(({ type }) => type === "expression");
        if (expression) this.#add(textFor(expression), child.startIndex);
        at = child.endIndex;
      } else if (child.type === "template_directive") {
        this.#literal(at, child.startIndex, isHeredoc);
        this.#directive(child, isHeredoc, textFor);
        at = child.endIndex;
      }
    }
    this.#literal(at, end, isHeredoc);
  }

  /** Of `%{ if }` the first branch is read, of `%{ for }` the body once. */
  #directive(node: Node, isHeredoc: boolean, textFor: (expression: Node) => string): void {
    this.#hasDirectives = true;
    const [inner] = node.namedChildren;
    if (!inner) return;
    const intro = inner.namedChildren[0];
    const last = inner.namedChildren.findLast(
      ({ type }) =>
        type === "template_else_intro" || type === "template_if_end" || type === "template_for_end",
    );
    const stop = inner.namedChildren.find(({ type }) => type === "template_else_intro") ?? last;
    if (!intro || !stop || stop.startIndex <= intro.endIndex) return;
    const body = inner.namedChildren.filter(
      ({ startIndex }) => startIndex >= intro.endIndex && startIndex < stop.startIndex,
    );
    this.readParts(body, intro.endIndex, stop.startIndex, isHeredoc, textFor);
  }

  #add(text: string, offset: number): void {
    this.#parts.push(text);
    for (let index = 0; index < text.length; index++) this.#offsets.push(offset);
  }

  #literal(start: number, end: number, isHeredoc: boolean): void {
    const file = this.#file;
    let from = start;
    const flush = (to: number) => {
      this.#parts.push(file.slice(from, to));
      for (let at = from; at < to; at++) this.#offsets.push(at);
    };
    for (let at = start; at < end; ) {
      const length = isHeredoc || file[at] !== "\\" ? 0 : escapeLength(file, at);
      const isDoubled = file.startsWith("$${", at) || file.startsWith("%%{", at);
      if (length === 0 && !isDoubled) {
        at++;
        continue;
      }
      flush(at);
      if (isDoubled) {
        this.#add(file.slice(at + 1, at + 3), at);
        at += 3;
      } else {
        this.#add(unescaped(file.slice(at, at + length)), at);
        at += length;
      }
      from = at;
    }
    if (from < end) flush(end);
  }

  finish(end: number): TemplateText {
    const text = this.#parts.join("");
    this.#offsets.push(end);
    const hasDirectives = this.#hasDirectives;
    return {
      text: hasDirectives ? withoutTrailingCommas(text) : text,
      offsets: this.#offsets,
      hasDirectives,
    };
  }
}

function escapeLength(file: string, at: number): number {
  const letter = file[at + 1];
  if (letter === "u") return 6;
  if (letter === "U") return 10;
  return 2;
}

function unescaped(written: string): string {
  const letter = written[1] ?? "";
  if (letter !== "u" && letter !== "U") return escapes[letter] ?? letter;
  const code = Number.parseInt(written.slice(2), 16);
  return Number.isInteger(code) && code <= 0x10ffff ? String.fromCodePoint(code) : "";
}

/** What a loop writes ends with a comma too many when its body is read once. */
function withoutTrailingCommas(text: string): string {
  return text.replace(/"(?:[^"\\]|\\.)*(?:"|\\?$)|,(?=\s*[\]}])/gs, (match) =>
    match === "," ? " " : match,
  );
}
