import { Composer, Lexer, type ParsedNode, Parser } from "yaml";
import { maxDepth, tooDeep } from "../json/text.ts";
import type { Span } from "../json/text-tree.ts";
import { escapeInvisible } from "./escape-invisible.ts";

/** Why a YAML text is refused; carries it out of the recursion. */
export class Refusal extends Error {
  readonly kind: "syntax" | "depth";
  readonly span: Span;
  constructor(kind: "syntax" | "depth", problem: string, span: Span) {
    super(problem);
    this.kind = kind;
    this.span = span;
  }
}

/**
 * Reads the one document of a YAML text into nodes, aliases unresolved. Bounded in depth.
 * @throws {Refusal}
 */
export function compose(text: string): ParsedNode {
  const composer = new Composer({
    version: "1.2",
    schema: "core",
    merge: false,
    // The library compares each key with all before it; the reader finds repeated ones itself.
    uniqueKeys: false,
    logLevel: "silent",
  });
  stopAtFirstError(composer);
  const [document, second] = composer.compose(tokens(text), true, text.length).take(2);
  const [fault] = document?.errors ?? [];
  if (fault) {
    const [start, end] = fault.pos;
    throw new Refusal("syntax", shown(fault.message), { start, end });
  }
  if (!document?.contents) {
    throw new Refusal("syntax", "The text is empty", { start: 0, end: text.length });
  }
  if (second) {
    const [start, end] = second.range;
    throw new Refusal("syntax", "The text holds more than one document", { start, end });
  }
  return document.contents;
}

/**
 * The library (2.9) continues and creates an exception with a stack for each error: 200,000 commas take
 * it 1.5 s. The handler is a property of the instance. If a later version changes that, `compose` finds
 * the first error in the list.
 */
function stopAtFirstError(composer: Composer): void {
  let first: Refusal | undefined;
  const onError = (source: ErrorSource, _code: string, message: string, warning?: boolean) => {
    if (warning) return;
    const { offset, length } = placeOf(source);
    // What is thrown inside a collection comes back as an error of that collection.
    first ??= new Refusal("syntax", shown(message), { start: offset, end: offset + length });
    throw first;
  };
  Object.assign(composer, { onError });
}

type ErrorSource =
  | number
  | readonly number[]
  | { readonly offset: number; readonly source?: string };

function placeOf(source: ErrorSource): { offset: number; length: number } {
  if (typeof source === "number") return { offset: source, length: 1 };
  if ("offset" in source) return { offset: source.offset, length: source.source?.length ?? 1 };
  const [start = 0, end = start + 1] = source;
  return { offset: start, length: end - start };
}

/** Some messages quote the text, whatever it holds. */
function shown(message: string): string {
  return escapeInvisible(message.length > 200 ? `${message.slice(0, 200)}...` : message);
}

/** What the two methods below of the library's lexer read and write. */
interface LexerState {
  indentNext: number;
}
type LexerStep = (this: LexerState) => Generator<string, unknown>;

/**
 * Lines inside `{…}`, `[…]` and quotes may begin anywhere, as the parsers of CloudFormation, SAM and Kubernetes
 * take them; the library (2.9) wants them indented. The methods are private there: without one of them the
 * library's own rule holds.
 */
function lexerFreeOfIndents(): Lexer {
  const lexer = new Lexer();
  for (const name of ["parseFlowCollection", "parseQuotedScalar"]) {
    const step: unknown = Reflect.get(lexer, name);
    if (typeof step === "function")
      Object.assign(lexer, { [name]: withoutIndent(step as LexerStep) });
  }
  return lexer;
}

function withoutIndent(strict: LexerStep): LexerStep {
  return function* free(this: LexerState): Generator<string, unknown> {
    const { indentNext } = this;
    this.indentNext = 0;
    try {
      return yield* strict.call(this);
    } finally {
      this.indentNext = indentNext;
    }
  };
}

const collections = new Set(["block-map", "block-seq", "flow-collection"]);

/** The library's parser keeps a stack, but what follows it recurses: watch the stack. */
function* tokens(text: string) {
  const parser = new Parser();
  for (const lexeme of lexerFreeOfIndents().lex(text)) {
    for (const token of parser.next(lexeme)) {
      if (token.type === "error") {
        const end = token.offset + token.source.length;
        throw new Refusal("syntax", shown(token.message), { start: token.offset, end });
      }
      yield token;
    }
    if (parser.stack.length <= maxDepth) continue;
    if (parser.stack.filter(({ type }) => collections.has(type)).length > maxDepth) {
      throw new Refusal("depth", tooDeep, { start: parser.offset - 1, end: parser.offset });
    }
  }
  yield* parser.end();
}
