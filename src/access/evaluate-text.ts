import { upToLastBrace } from "../closed-braces.ts";

/**
 * Matching for the evaluator. It shares nothing with the patterns of the search on purpose: two
 * programs that share a matcher share its faults.
 */

/** A character to find, or what a wildcard takes. */
type Piece = { readonly char: string } | "one" | "many";

/** What a policy's text is with its variables put in; null: it matches nothing. */
export type Pieces = readonly Piece[];

export interface TextRules {
  readonly wildcards: boolean;
  /** Policy variables are read. */
  readonly variables: boolean;
}

export interface Values {
  /** Value of a variable's key, folded name; undefined: absent or several. */
  key(name: string): string | undefined;
  /** Text of a placeholder; undefined: not known. */
  placeholder(whole: string): string | undefined;
}

/** A placeholder of a template has no known text. */
export class UnknownPlaceholder extends Error {}

const insertion = /\$\{[^}]*\}|\{\{[^{}]*\}\}/g;

interface Part {
  readonly text: string;
  readonly isInsertion: boolean;
}

function partsOf(text: string): Part[] {
  const parts: Part[] = [];
  let from = 0;
  for (const match of upToLastBrace(text).matchAll(insertion)) {
    if (match.index > from) parts.push({ text: text.slice(from, match.index), isInsertion: false });
    parts.push({ text: match[0], isInsertion: true });
    from = match.index + match[0].length;
  }
  if (from < text.length) parts.push({ text: text.slice(from), isInsertion: false });
  return parts;
}

/**
 * Puts values in the place of variables.
 * @throws {UnknownPlaceholder} when the request says nothing about a placeholder.
 */
export function expand(text: string, rules: TextRules, values: Values): Pieces | null {
  const pieces: Piece[] = [];
  for (const part of partsOf(text)) {
    const value = part.isInsertion ? insertedText(part.text, rules, values) : undefined;
    if (value === null) return null;
    if (value !== undefined) for (const char of units(value)) pieces.push({ char });
    else for (const char of units(part.text)) pieces.push(wild(char, rules));
  }
  return pieces;
}

function units(text: string): readonly string[] {
  return text.split("");
}

function wild(char: string, { wildcards }: Pick<TextRules, "wildcards">): Piece {
  if (wildcards && char === "*") return "many";
  return wildcards && char === "?" ? "one" : { char };
}

/** Undefined: plain text; null: nothing matches. */
function insertedText(whole: string, rules: TextRules, values: Values): string | null | undefined {
  if (whole.startsWith("${")) {
    const body = whole.slice(2, -1);
    if (body === "*" || body === "?" || body === "$") return rules.variables ? body : undefined;
    const variable = readVariable(body);
    if (variable) {
      if (!rules.variables) return undefined;
      return values.key(variable.key) ?? variable.fallback;
    }
  }
  const text = values.placeholder(whole);
  if (text === undefined) throw new UnknownPlaceholder(whole);
  return text;
}

function readVariable(body: string): { key: string; fallback: string | null } | null {
  if (body.includes("::")) return null;
  const comma = body.indexOf(",");
  const key = (comma < 0 ? body : body.slice(0, comma)).trim();
  const colon = key.indexOf(":");
  if (colon < 1 || key.includes("'")) return null;
  if (comma < 0) return { key: lower(key), fallback: null };
  const rest = body.slice(comma + 1).trim();
  if (rest.length < 2 || !rest.startsWith("'") || !rest.endsWith("'")) return null;
  const fallback = rest.slice(1, -1);
  return fallback.includes("'") ? null : { key: lower(key), fallback };
}

/** A to Z only. */
export function lower(text: string): string {
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

/** The same text or pattern with A to Z in lower case. */
export function foldPieces(pieces: Pieces): Pieces {
  return pieces.map((piece) => (typeof piece === "object" ? { char: lower(piece.char) } : piece));
}

/**
 * Looks for the pieces between two `*` one after the other, each as early as it fits: what an early fit leaves is all that a
 * later one would leave, and more.
 */
export function takes(pieces: Pieces, text: string): boolean {
  const runs = runsOf(pieces);
  const [first = [], ...others] = runs;
  const last = others.pop();
  if (!last) return first.length === text.length && fits(first, text, 0);
  const end = text.length - last.length;
  let at = first.length;
  if (at > end || !fits(first, text, 0) || !fits(last, text, end)) return false;
  for (const run of others) {
    at = placeOf(run, text, at, end);
    if (at < 0) return false;
    at += run.length;
  }
  return true;
}

/** Pieces of which each takes one character. */
type Run = Exclude<Piece, "many">[];

/** The pieces before, between and after those that take many characters. */
function runsOf(pieces: Pieces): Run[] {
  const runs: Run[] = [[]];
  for (const piece of pieces) {
    if (piece === "many") runs.push([]);
    else runs.at(-1)?.push(piece);
  }
  return runs;
}

function fits(run: Run, text: string, from: number): boolean {
  return run.every((piece, index) => piece === "one" || piece.char === text[from + index]);
}

/** @returns the first place at or after `from` where the run fits and ends at or before `end`; -1 if there is none. */
function placeOf(run: Run, text: string, from: number, end: number): number {
  if (run.every((piece) => piece !== "one")) {
    const at = text.indexOf(run.map(({ char }) => char).join(""), from);
    return at + run.length > end ? -1 : at;
  }
  for (let at = from; at + run.length <= end; at++) if (fits(run, text, at)) return at;
  return -1;
}

/** Whether a text begins with a placeholder of a template, which may hold fields of an ARN. */
export function isFilledIn(text: string): boolean {
  const [first] = partsOf(text);
  if (!first?.isInsertion) return false;
  if (first.text.startsWith("{{")) return true;
  const body = first.text.slice(2, -1);
  return !["*", "?", "$"].includes(body) && readVariable(body) === null;
}

/** Splits at the first five colons that stand outside variables; null: fewer than six fields. */
export function sixFields(text: string): readonly string[] | null {
  const fields: string[] = [];
  let field = "";
  for (const part of partsOf(text)) {
    if (part.isInsertion) {
      field += part.text;
      continue;
    }
    for (const char of units(part.text)) {
      if (char === ":" && fields.length < 5) {
        fields.push(field);
        field = "";
      } else field += char;
    }
  }
  fields.push(field);
  return fields.length === 6 ? fields : null;
}

/** The same split of a value, in which nothing is a variable. */
function valueFields(value: string): readonly string[] | null {
  const parts = value.split(":");
  return parts.length < 6 ? null : [...parts.slice(0, 5), parts.slice(5).join(":")];
}

/** Whether each field of an ARN is taken by its field of the pattern. */
export function fieldsTake(
  fields: readonly string[],
  value: string,
  rules: TextRules,
  values: Values,
): boolean {
  const found = valueFields(value);
  if (!found) return false;
  return fields.every((field, index) => {
    const pieces = expand(field, rules, values);
    return pieces !== null && takes(pieces, found[index] ?? "");
  });
}

/** Whether a resource pattern has the form of an ARN and is read by field. */
export function isFieldPattern(fields: readonly string[]): boolean {
  const [head, , , region = "", account = ""] = fields;
  return (
    head === "arn" &&
    (region.includes("${") || region.includes("{{") || /^[a-z0-9*?-]*$/.test(region)) &&
    (account === "aws" ||
      account.includes("${") ||
      account.includes("{{") ||
      /^[\d*?]*$/.test(account))
  );
}

/** Whether a pattern without variables takes a text. */
export function wildcardTakes(pattern: string, text: string): boolean {
  const wildcard = pattern.search(/[*?]/);
  if (wildcard < 0) return pattern === text;
  if (!text.startsWith(pattern.slice(0, wildcard))) return false;
  const pieces = units(pattern.slice(wildcard)).map((char) => wild(char, { wildcards: true }));
  return takes(pieces, text.slice(wildcard));
}
