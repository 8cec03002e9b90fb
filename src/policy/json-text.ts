import { type ParseErrorCode, printParseErrorCode, visit } from "jsonc-parser";
import { maxDepth } from "./limits.ts";
import { childNode, keyNode, type NodeRef, rootNode } from "./node.ts";
import { type Span, spanOf, type TextMember, type TextNode } from "./text-tree.ts";

/** A member name that an object repeats. */
export interface Duplicate {
  readonly name: string;
  /** The repeated key. */
  readonly node: NodeRef;
  /** Of the last key of that name, the one that counts. */
  readonly span: Span;
}

/** Depth and number of members of a text read as JSON; tells nothing about whether it is JSON. */
export interface Shape {
  /** Offset of the first bracket past {@link maxDepth}, or -1. */
  readonly tooDeepAt: number;
  /** Colons outside strings: in JSON, as many as there are members. */
  readonly colons: number;
}

/** Measures a text in one pass without recursion, before anything recursive sees it. */
export function measureJson(text: string): Shape {
  let depth = 0;
  let colons = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 0x22) at = endOfString(text, at);
    else if (code === 0x3a) colons++;
    else if (code === 0x7b || code === 0x5b) {
      if (++depth > maxDepth) return { tooDeepAt: at, colons };
    } else if (code === 0x7d || code === 0x5d) depth--;
  }
  return { tooDeepAt: -1, colons };
}

/** @returns the offset of the quote that closes the string opened at `from`, or the text's length. */
function endOfString(text: string, from: number): number {
  for (let at = text.indexOf('"', from + 1); at >= 0; at = text.indexOf('"', at + 1)) {
    let escapes = 0;
    while (text.charCodeAt(at - 1 - escapes) === 0x5c) escapes++;
    if (escapes % 2 === 0) return at;
  }
  return text.length;
}

/** @returns the number of members of all objects in a JSON value of bounded depth. */
export function countMembers(value: unknown): number {
  if (typeof value !== "object" || value === null) return 0;
  const parts: readonly unknown[] = Array.isArray(value) ? value : Object.values(value);
  let count = Array.isArray(value) ? 0 : parts.length;
  for (const part of parts) count += countMembers(part);
  return count;
}

/** An object or array that is being read. */
interface Frame {
  readonly ref: NodeRef;
  readonly node: OpenNode;
  /** The member whose value comes next. */
  key: { readonly name: string; readonly span: Span };
  readonly repeated: Map<string, Duplicate>;
}

interface OpenNode {
  readonly start: number;
  end: number;
  readonly members: Map<string, TextMember> | null;
  readonly items: TextNode[] | null;
}

/**
 * Positions of every value of a JSON text.
 * @param text Valid JSON of bounded depth; a byte-order mark at its start is passed over.
 */
export function readPositions(text: string): { root: TextNode; duplicates: Duplicate[] } {
  const duplicates: Duplicate[] = [];
  const frames: Frame[] = [];
  let root: TextNode = { start: 0, end: text.length, members: null, items: null };

  function place(node: TextNode): NodeRef {
    const frame = frames.at(-1);
    if (!frame) {
      root = node;
      return rootNode;
    }
    if (frame.node.items) return childNode(frame.ref, frame.node.items.push(node) - 1);
    const { name, span } = frame.key;
    if (frame.node.members?.has(name)) {
      frame.repeated.set(name, { name, span, node: keyNode(frame.ref, name) });
    }
    frame.node.members?.set(name, { key: span, value: node });
    return childNode(frame.ref, name);
  }
  function open(node: OpenNode): void {
    const key = { name: "", span: { start: node.start, end: node.start } };
    frames.push({ ref: place(node), node, key, repeated: new Map() });
  }
  function close(offset: number, length: number): void {
    const frame = frames.pop();
    if (!frame) return;
    frame.node.end = offset + length;
    for (const duplicate of frame.repeated.values()) duplicates.push(duplicate);
  }

  visit(withoutMark(text), {
    onObjectBegin: (start) => open({ start, end: start, members: new Map(), items: null }),
    onArrayBegin: (start) => open({ start, end: start, members: null, items: [] }),
    onObjectProperty: (name, start, length) => {
      const frame = frames.at(-1);
      if (frame) frame.key = { name, span: { start, end: start + length } };
    },
    onLiteralValue: (_value, start, length) => {
      place({ start, end: start + length, members: null, items: null });
    },
    onObjectEnd: close,
    onArrayEnd: close,
  });
  duplicates.sort((a, b) => a.span.start - b.span.start);
  return { root, duplicates: duplicatesIn(root, duplicates) };
}

/**
 * @returns those that stand in the document's value. What is within a member that a later one of its
 * name hides has no place there, and the later one is reported.
 */
export function duplicatesIn(root: TextNode, duplicates: readonly Duplicate[]): Duplicate[] {
  return duplicates.filter(({ node, span }) => spanOf(root, node).start === span.start);
}

/** Blanks the byte-order mark out, so that offsets stay those of the text as submitted. */
export function withoutMark(text: string): string {
  return text.startsWith("\uFEFF") ? ` ${text.slice(1)}` : text;
}

class Stop extends Error {}

/**
 * The first place where a text is no JSON. Depth is bounded by {@link measureJson}: up to the first
 * error both read the text alike, and nothing is read past it.
 * @returns null when no error was found.
 */
export function firstJsonError(text: string): { span: Span; problem: string } | null {
  let found: { span: Span; problem: string } | null = null;
  try {
    visit(
      withoutMark(text),
      {
        onError: (code: ParseErrorCode, start, length) => {
          const words = printParseErrorCode(code).replace(/(?!^)[A-Z]/g, (letter) => ` ${letter}`);
          found = { span: { start, end: start + length }, problem: words.toLowerCase() };
          throw new Stop();
        },
      },
      { disallowComments: true, allowTrailingComma: false },
    );
  } catch (error) {
    if (!(error instanceof Stop)) throw error;
  }
  return found;
}
