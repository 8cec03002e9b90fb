import type { Location } from "../../spec/finding.ts";
import { isTooDeep } from "../json/depth.ts";
import type { NodeRef } from "../json/node.ts";
import { tryParseJson, withoutByteOrderMark } from "../json/parse.ts";
import { jsonPositions, repeatedMembers } from "../json/positions.ts";
import { firstWrongQuote, repairedJson } from "../json/repair.ts";
import {
  countMembers,
  firstExtension,
  firstJsonError,
  isBracketed,
  maxDepth,
  measureJson,
  tooDeep,
} from "../json/text.ts";
import {
  type Duplicate,
  Lines,
  type Origin,
  type Span,
  spanOf,
  type TextNode,
} from "../json/text-tree.ts";
import type { PolicyDocument, TextFault } from "./model.ts";

/** A text of JSON may begin with a comment before its bracket. */
const startsWithComment = /^\uFEFF?\s*\/[/*]/;

/**
 * Parses a policy: a string is its JSON or YAML text, anything else the JSON value itself. Never throws
 * because of its input: faults of a text are in `faults` of the document.
 * @param origin Position of the text in its file; positions are given within the file.
 */
export async function parseDocument(input: unknown, origin?: Origin): Promise<PolicyDocument> {
  if (typeof input !== "string") return objectDocument(input);
  const bracketed = isBracketed(input);
  const json = bracketed ? bracketedDocument(input, origin) : scalarDocument(input, origin);
  if (json) return json;
  const extension = bracketed || startsWithComment.test(input) ? firstExtension(input) : null;
  if (extension) {
    const { kind, span } = extension;
    const problem = `The policy is not valid JSON: ${kind}s are not allowed in JSON`;
    return faultyDocument("syntax", input, problem, span, origin);
  }
  const quote = bracketed && repairedJson(input) !== null ? firstWrongQuote(input) : null;
  if (quote) {
    const problem = `The policy is not valid JSON: texts take straight double quotes (") and not ${quote.kind} ones`;
    return faultyDocument("syntax", input, problem, quote.span, origin);
  }
  // Loaded with the first YAML text, because it slows the cold start of a function.
  const { readYaml } = await import("./yaml-text.ts");
  const yaml = readYaml(input);
  if (!("refused" in yaml)) {
    return new ReadDocument({
      ...yaml,
      raw: yaml.value,
      text: input,
      root: yaml.root,
      origin,
    });
  }
  if (yaml.refused === "depth") {
    return faultyDocument("depth", input, yaml.problem, yaml.span, origin);
  }
  // A text that begins with a bracket is meant to be JSON.
  const error = bracketed ? firstJsonError(input) : null;
  const problem = error
    ? `The policy is not valid JSON: ${error.problem}`
    : `The policy is neither JSON nor YAML: ${yaml.problem}`;
  return faultyDocument("syntax", input, problem, error?.span ?? yaml.span, origin);
}

/** A document for a JSON value, without text and locations. */
export function objectDocument(value: unknown): PolicyDocument {
  if (!isTooDeep(value, maxDepth - 1)) return new ReadDocument({ raw: value, text: null });
  const faults: TextFault[] = [{ kind: "depth", message: `${tooDeep}.`, location: null }];
  return new ReadDocument({ raw: undefined, text: null, faults });
}

/** @returns null if the text is not JSON. */
function bracketedDocument(text: string, origin: Origin | undefined): PolicyDocument | null {
  const { tooDeepAt, colons, brackets } = measureJson(text);
  if (tooDeepAt >= 0) {
    const span = { start: tooDeepAt, end: tooDeepAt + 1 };
    return faultyDocument("depth", text, tooDeep, span, origin);
  }
  const raw = jsonIn(text);
  if (raw === undefined) return null;
  const root = jsonPositions(text, brackets);
  // JSON.parse drops repeated members, so there are some if it has fewer members than the text colons.
  const duplicates = countMembers(raw) < colons ? repeatedMembers(root, text) : [];
  return new ReadDocument({ raw, text, isJsonText: true, duplicates, root, origin });
}

/** @returns null when the text is not JSON. */
function scalarDocument(text: string, origin: Origin | undefined): PolicyDocument | null {
  const raw = jsonIn(text);
  if (raw === undefined) return null;
  const root = jsonPositions(text, { ends: [], next: [] });
  return new ReadDocument({ raw, text, isJsonText: true, root, origin });
}

/** @returns undefined when the text is not JSON. */
function jsonIn(text: string): unknown {
  return tryParseJson(withoutByteOrderMark(text));
}

function faultyDocument(
  kind: "syntax" | "depth",
  text: string,
  problem: string,
  span: Span,
  origin: Origin | undefined,
): PolicyDocument {
  const location = new Lines(text, origin).location(span);
  const { line, column } = location.start;
  // Sentences count columns from 1, as editors and the reports do; locations count them from 0.
  const message = `${problem} (line ${line}, column ${column + 1}).`;
  return new ReadDocument({ raw: undefined, text, faults: [{ kind, message, location }] });
}

interface Parts {
  readonly raw: unknown;
  readonly text: string | null;
  readonly isJsonText?: boolean;
  readonly faults?: readonly TextFault[];
  readonly duplicates?: readonly Duplicate[];
  /** Positions of the text's values. */
  readonly root?: TextNode;
  readonly origin?: Origin | undefined;
}

/**
 * A class, not a literal: V8 creates a hidden class for every object literal with a getter, which keeps
 * the document, its text and its positions in memory until the next major GC.
 */
class ReadDocument implements PolicyDocument {
  readonly raw: unknown;
  readonly text: string | null;
  readonly isJsonText: boolean;
  readonly faults: readonly TextFault[];
  readonly #root: TextNode | undefined;
  readonly #origin: Origin | undefined;
  #lines: Lines | undefined;
  #compactBytes: number | undefined;

  constructor(parts: Parts) {
    const { raw, text, isJsonText = false, faults = [], duplicates = [], root, origin } = parts;
    this.raw = raw;
    this.text = text;
    this.isJsonText = isJsonText;
    this.#root = root;
    this.#origin = origin;
    const repeated = duplicates.map(
      ({ name, node, span, earlier }): TextFault => ({
        kind: "duplicate",
        name,
        node,
        ...(earlier ? { earlier } : {}),
        location: this.#locationOf(span),
      }),
    );
    this.faults = repeated.length > 0 ? [...faults, ...repeated] : faults;
  }

  get compactBytes(): number {
    this.#compactBytes ??= this.raw === undefined ? 0 : Buffer.byteLength(JSON.stringify(this.raw));
    return this.#compactBytes;
  }

  locate(node: NodeRef): Location | null {
    // For a text that cannot be parsed, every location is that of its fault.
    if (!this.#root) return this.faults[0]?.location ?? null;
    return this.#locationOf(spanOf(this.#root, node));
  }

  #locationOf(span: Span): Location {
    this.#lines ??= new Lines(this.text ?? "", this.#origin);
    return this.#lines.location(span);
  }
}
