import { type ParseErrorCode, printParseErrorCode, visit } from "jsonc-parser";
import { closeBrace, closeBracket, colon, openBrace, openBracket, quote } from "./byte-scanner.ts";
import { endOfString } from "./parse.ts";
import type { Span } from "./text-tree.ts";

/** Maximum nesting of arrays and objects in a document, including the outermost. */
export const maxDepth = 100;

/** Error message for a deeper document; the caller adds line and column. */
export const tooDeep = `The policy nests arrays and objects deeper than ${maxDepth} levels`;

/** Ends of the arrays and objects of a text, in the order in which they begin. */
export interface Brackets {
  /** Offsets past the closing brackets. */
  readonly ends: readonly number[];
  /** For each, the index of the first one that begins after its end. */
  readonly next: readonly number[];
}

/** Measures of a text as if it were JSON; it need not be JSON. */
export interface Shape {
  /** Offset of the first bracket past {@link maxDepth}, or -1. */
  readonly tooDeepAt: number;
  /** Colons outside strings: in JSON, as many as there are members. */
  readonly colons: number;
  /** Complete when the text is JSON. */
  readonly brackets: Brackets;
}

/** Measures a text in one pass without recursion, before anything recursive sees it. */
export function measureJson(text: string): Shape {
  const ends: number[] = [];
  const next: number[] = [];
  const open: number[] = [];
  let depth = 0;
  let colons = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === quote) at = endOfString(text, at);
    else if (code === colon) colons++;
    else if (code === openBrace || code === openBracket) {
      if (++depth > maxDepth) return { tooDeepAt: at, colons, brackets: { ends, next } };
      open.push(ends.length);
      ends.push(text.length);
      next.push(0);
    } else if (code === closeBrace || code === closeBracket) {
      depth--;
      const closed = open.pop();
      if (closed === undefined) continue;
      ends[closed] = at + 1;
      next[closed] = ends.length;
    }
  }
  return { tooDeepAt: -1, colons, brackets: { ends, next } };
}

/** @returns the number of members of all objects in a JSON value of bounded depth. */
export function countMembers(value: unknown): number {
  if (typeof value !== "object" || value === null) return 0;
  const parts: readonly unknown[] = Array.isArray(value) ? value : Object.values(value);
  let count = Array.isArray(value) ? 0 : parts.length;
  for (const part of parts) count += countMembers(part);
  return count;
}

/** Replaces the byte-order mark by a space, so that offsets stay those of the submitted text. */
function withoutMark(text: string): string {
  return text.startsWith("\uFEFF") ? ` ${text.slice(1)}` : text;
}

class Stop extends Error {}

/** Whether a text begins like a JSON object or array. */
export function isBracketed(text: string): boolean {
  return /^\uFEFF?[\t\n\r ]*[[{]/.test(text);
}

/**
 * The first syntax error of a JSON text. {@link measureJson} has limited its depth: up to the first
 * error both parsers read the text alike, and nothing after it is read.
 * @returns null if there is no error.
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

/** What editors allow in JSON, and JSON does not. */
interface Extension {
  readonly kind: "comment" | "trailing comma";
  readonly span: Span;
}

/**
 * The first comment or trailing comma of a text that would be JSON without them. YAML would read a comment as a part of the
 * next key or value, and findings would be about keys that the author did not write. YAML accepts a trailing comma, but AWS,
 * which reads JSON only, rejects the policy.
 * @returns null if there is none, or the text is something else.
 */
export function firstExtension(text: string): Extension | null {
  let found: Extension | null = null;
  let afterComma = false;
  let depth = 0;
  const stop = () => {
    throw new Stop();
  };
  // The library reads nested values by recursion.
  const enter = () => {
    afterComma = false;
    if (++depth > maxDepth) stop();
  };
  // The bracket is the first thing that is wrong, and the place that AWS names.
  const leave = (start: number, length: number) => {
    depth--;
    if (afterComma) found ??= { kind: "trailing comma", span: { start, end: start + length } };
    afterComma = false;
  };
  const value = () => {
    afterComma = false;
  };
  try {
    visit(
      withoutMark(text),
      {
        onComment: (start, length) => {
          found ??= { kind: "comment", span: { start, end: start + length } };
        },
        onSeparator: (character) => {
          afterComma = character === ",";
        },
        onError: stop,
        onObjectBegin: enter,
        onArrayBegin: enter,
        onObjectEnd: leave,
        onArrayEnd: leave,
        onObjectProperty: value,
        onLiteralValue: value,
      },
      { disallowComments: false, allowTrailingComma: true },
    );
  } catch (error) {
    if (error instanceof Stop) return null;
    throw error;
  }
  return found;
}
