const backslash = 0x5c;

/** @param from Index of the opening quote. @returns Index of the closing one; the length of the text if there is none. */
export function endOfString(text: string, from: number): number {
  for (let at = text.indexOf('"', from + 1); at >= 0; at = text.indexOf('"', at + 1)) {
    let escapes = 0;
    while (text.charCodeAt(at - 1 - escapes) === backslash) escapes++;
    if (escapes % 2 === 0) return at;
  }
  return text.length;
}

/**
 * `JSON.parse` for untrusted text. Works around nodejs/node#63785: V8's key cache can return a previously parsed key for
 * one written with an escape, so one caller could change the keys in another's request. If a text has escaped keys, all
 * keys are replaced by placeholders before parsing and restored afterwards. Remove this once no supported Node has the fault.
 * @throws {SyntaxError} If the text is not JSON.
 */
export function parseJson(text: string): unknown {
  if (!text.includes("\\")) return JSON.parse(text);
  const names = memberNames(text);
  const isEscaped = ({ start, end }: Span) => text.slice(start, end).includes("\\");
  if (!names.some(isEscaped)) return JSON.parse(text);

  const parts: string[] = [];
  let from = 0;
  // Every name, also those without an escape: of a name that repeats, the last must still count. Numbers alone would be put
  // in the order of their size.
  for (const [index, { start, end }] of names.entries()) {
    parts.push(text.slice(from, start), `"#${index}"`);
    from = end;
  }
  // Names are parsed as values, which the fault does not affect.
  const meant = names.map(({ start, end }) => JSON.parse(text.slice(start, end)) as string);
  const value: unknown = JSON.parse(parts.join("") + text.slice(from));
  return renamed(value, (placeholder) => meant[Number(placeholder.slice(1))] ?? placeholder);
}

/** @returns the value of JSON text; undefined for any other text. */
export function tryParseJson(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}

/** The text without the mark that some editors put in front. */
export function withoutByteOrderMark(text: string): string {
  return text.startsWith("\uFEFF") ? text.slice(1) : text;
}

interface Span {
  readonly start: number;
  readonly end: number;
}

/** @returns The spans of all member names, with their quotes. */
function memberNames(text: string): Span[] {
  const names: Span[] = [];
  for (let start = text.indexOf('"'); start >= 0; ) {
    const end = endOfString(text, start) + 1;
    let next = end;
    while (isSpace(text.charCodeAt(next))) next++;
    if (text[next] === ":") names.push({ start, end });
    start = text.indexOf('"', next);
  }
  return names;
}

function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;
}

const ordinary = { writable: true, enumerable: true, configurable: true };

/**
 * Restores the names as `JSON.parse` would: the last of several equal members wins, and `__proto__` is an ordinary name.
 * Without recursion: a body may nest deeper than the stack of the thread.
 */
function renamed(value: unknown, nameOf: (placeholder: string) => string): unknown {
  const pending: (readonly [from: object, to: object])[] = [];
  const copyOf = (from: unknown): unknown => {
    if (typeof from !== "object" || from === null) return from;
    const to = Array.isArray(from) ? [] : {};
    pending.push([from, to]);
    return to;
  };
  const copy = copyOf(value);
  for (let next = pending.pop(); next; next = pending.pop()) {
    const [from, to] = next;
    if (Array.isArray(from) && Array.isArray(to)) {
      for (const item of from) to.push(copyOf(item));
      continue;
    }
    const members = to as Record<string, unknown>;
    for (const [placeholder, member] of Object.entries(from)) {
      const name = nameOf(placeholder);
      const part = copyOf(member);
      // An assignment would set the prototype.
      if (name === "__proto__") Object.defineProperty(to, name, { ...ordinary, value: part });
      else members[name] = part;
    }
  }
  return copy;
}
