import { childNode, keyNode, type NodeRef, rootNode } from "./node.ts";
import { endOfString } from "./parse.ts";
import type { Brackets } from "./text.ts";
import type { Duplicate, Span, TextMember, TextNode } from "./text-tree.ts";

/** Valid JSON of limited depth, and the ends of its brackets. */
interface Source {
  readonly text: string;
  readonly brackets: Brackets;
}

interface JsonMember extends TextMember {
  readonly value: JsonNode;
}

/** The parts of an array or object. */
interface Parts {
  readonly items: JsonNode[] | null;
  /** By name; of repeated names, the last. */
  readonly members: Map<string, JsonMember> | null;
  /** Of the names that occur again, the values that do not count. */
  readonly repeated: Map<string, Span[]>;
}

/**
 * A value of a JSON text. Its parts are parsed on first use: a finding needs only those on the path to
 * its node, and other brackets are skipped.
 */
export class JsonNode implements TextNode {
  readonly start: number;
  readonly end: number;
  readonly #source: Source;
  /** Number of its opening bracket; -1 for a string, number or word. */
  readonly #bracket: number;
  #parts: Parts | undefined;

  constructor(source: Source, start: number, end: number, bracket: number) {
    this.start = start;
    this.end = end;
    this.#source = source;
    this.#bracket = bracket;
  }

  get items(): readonly TextNode[] | null {
    return this.parts.items;
  }

  get members(): ReadonlyMap<string, TextMember> | null {
    return this.parts.members;
  }

  get parts(): Parts {
    this.#parts ??= this.#bracket < 0 ? noParts : this.#read();
    return this.#parts;
  }

  #read(): Parts {
    const { text, brackets } = this.#source;
    const isObject = text[this.start] === "{";
    const parts: Parts = {
      items: isObject ? null : [],
      members: isObject ? new Map() : null,
      repeated: new Map(),
    };
    let bracket = this.#bracket + 1;
    for (let at = tokenFrom(text, this.start + 1); at < this.end - 1; ) {
      let key: Span | undefined;
      if (isObject) {
        key = { start: at, end: endOfString(text, at) + 1 };
        at = tokenFrom(text, key.end);
      }
      const first = text[at];
      const isNested = first === "{" || first === "[";
      const end = isNested ? (brackets.ends[bracket] ?? at) : endOfScalar(text, at);
      const value = new JsonNode(this.#source, at, end, isNested ? bracket : -1);
      if (isNested) bracket = brackets.next[bracket] ?? bracket;
      parts.items?.push(value);
      if (key) addMember(parts, nameAt(text, key), { key, value });
      at = tokenFrom(text, end);
    }
    return parts;
  }
}

const noParts: Parts = { items: null, members: null, repeated: new Map() };

function addMember({ members, repeated }: Parts, name: string, member: JsonMember): void {
  const before = members?.get(name);
  if (before) {
    const earlier = repeated.get(name);
    if (earlier) earlier.push(before.value);
    else repeated.set(name, [before.value]);
  }
  members?.set(name, member);
}

/** @returns The offset of the next character that belongs to a value or closes its container. */
function tokenFrom(text: string, from: number): number {
  let at = from;
  while (at < text.length && isBetween(text.charCodeAt(at))) at++;
  return at;
}

/** White space, comma and colon: the separators of valid JSON. */
function isBetween(code: number): boolean {
  return (
    code === 0x20 ||
    code === 0x0a ||
    code === 0x0d ||
    code === 0x09 ||
    code === 0x2c ||
    code === 0x3a
  );
}

function endOfScalar(text: string, start: number): number {
  if (text[start] === '"') return endOfString(text, start) + 1;
  let end = start;
  while (
    end < text.length &&
    !isBetween(text.charCodeAt(end)) &&
    !isClosing(text.charCodeAt(end))
  ) {
    end++;
  }
  return end;
}

function isClosing(code: number): boolean {
  return code === 0x5d || code === 0x7d;
}

function nameAt(text: string, { start, end }: Span): string {
  const name = text.slice(start + 1, end - 1);
  // JSON.parse of a JSON string returns text.
  return name.includes("\\") ? (JSON.parse(`"${name}"`) as string) : name;
}

/** @param text Valid JSON; a byte-order mark at its start is skipped. */
export function jsonPositions(text: string, brackets: Brackets): JsonNode {
  const start = tokenFrom(text, text.startsWith("\uFEFF") ? 1 : 0);
  const isNested = text[start] === "{" || text[start] === "[";
  const end = isNested ? (brackets.ends[0] ?? start) : endOfScalar(text, start);
  return new JsonNode({ text, brackets }, start, end, isNested ? 0 : -1);
}

/** @returns The repeated names, each once per object, in the order of the last keys, which count. */
export function repeatedMembers(root: JsonNode, text: string): Duplicate[] {
  const duplicates: Duplicate[] = [];
  collectRepeated(root, text, rootNode, duplicates);
  return duplicates.sort((a, b) => a.span.start - b.span.start);
}

/** Recursion is safe, because depth is limited. Values overridden by a later member of the same name are skipped. */
function collectRepeated(
  { parts }: JsonNode,
  text: string,
  ref: NodeRef,
  duplicates: Duplicate[],
): void {
  for (const [index, item] of parts.items?.entries() ?? []) {
    collectRepeated(item, text, childNode(ref, index), duplicates);
  }
  for (const [name, { key, value }] of parts.members ?? []) {
    const earlier = parts.repeated.get(name);
    if (earlier) {
      const texts = earlier.map(({ start, end }) => text.slice(start, end));
      duplicates.push({ name, span: key, node: keyNode(ref, name), earlier: texts });
    }
    collectRepeated(value, text, childNode(ref, name), duplicates);
  }
}
