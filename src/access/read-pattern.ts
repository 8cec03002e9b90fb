import { maxTokens, type Pattern, patternOf, unitsOf } from "./patterns.ts";
import {
  anyCase,
  barsOf,
  colon,
  foldUnit,
  isLetter,
  isRun,
  isSingle,
  isUnit,
  isVariable,
  noColon,
  noSlash,
  run,
  slash,
  type Token,
  takesUnit,
  variable,
  variableNumber,
  wildcardToken,
  withBars,
  withoutRepeatedRuns,
} from "./tokens.ts";

/** A policy variable or a placeholder of a template, and the text in its place when it is absent. */
export interface Variable {
  readonly kind: "key" | "placeholder";
  /** Of a key: folded. Of a placeholder: as written, with its braces. */
  readonly name: string;
  readonly fallback: string | null;
}

/** The variables of one question, by number. */
export class Variables {
  readonly list: Variable[] = [];
  readonly #numbers = new Map<string, number>();

  token(found: Variable): Token {
    const id = `${found.kind} ${found.name} ${found.fallback === null ? "" : `'${found.fallback}`}`;
    let number = this.#numbers.get(id);
    if (number === undefined) {
      number = this.list.length;
      this.list.push(found);
      this.#numbers.set(id, number);
    }
    return variable + number * 8;
  }

  of(token: Token): Variable {
    return this.list[variableNumber(token)] ?? { kind: "placeholder", name: "", fallback: null };
  }
}

export interface Reading {
  readonly wildcards: boolean;
  /** Policy variables; placeholders of templates are read either way. */
  readonly variables: boolean;
  readonly ignoreCase?: boolean;
}

/** Names of the language: `${*}`, `${?}`, `${$}` are these characters. */
const escapes = new Set(["*", "?", "$"]);
const opening = /\$\{([^}]*)\}|\{\{([^{}]*)\}\}/y;
const quoted = /^\s*'([^']*)'\s*$/;

/**
 * Reads a text of a policy.
 * @returns null when it is longer than any text that AWS takes.
 */
export function readTokens(
  text: string,
  reading: Reading,
  variables: Variables,
): readonly Token[] | null {
  if (text.length > maxTokens) return null;
  const tokens: Token[] = [];
  let at = 0;
  while (at < text.length) {
    const unit = text.charCodeAt(at);
    const found = unit === 36 || unit === 123 ? openingAt(text, at) : null;
    const token = found && specialToken(found, reading, variables);
    if (found && token !== null) {
      tokens.push(token);
      at += found[0].length;
    } else {
      tokens.push(unitToken(unit, reading));
      at++;
    }
  }
  return withoutRepeatedRuns(tokens);
}

function openingAt(text: string, at: number): RegExpExecArray | null {
  opening.lastIndex = at;
  return opening.exec(text);
}

function specialToken(
  [whole, body, template]: RegExpExecArray,
  reading: Reading,
  variables: Variables,
): Token | null {
  const ignored = reading.ignoreCase === true ? 1 : 0;
  if (template === undefined && body !== undefined) {
    if (escapes.has(body)) return reading.variables ? body.charCodeAt(0) : null;
    const variable = variableIn(body);
    if (variable && !body.includes("::")) {
      if (!reading.variables) return null;
      const name = variable.key.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
      return variables.token({ kind: "key", name, fallback: variable.fallback }) + ignored;
    }
  }
  return variables.token({ kind: "placeholder", name: whole, fallback: null }) + ignored;
}

/** @returns the key of a variable, with its default: `aws:PrincipalTag/team, 'none'`. Null: the text is none. */
function variableIn(body: string): { key: string; fallback: string | null } | null {
  const comma = body.indexOf(",");
  const key = (comma < 0 ? body : body.slice(0, comma)).trim();
  if (key.includes("'") || key.indexOf(":", 1) < 0 || key.startsWith(":")) return null;
  if (comma < 0) return { key, fallback: null };
  const [, fallback] = quoted.exec(body.slice(comma + 1)) ?? [];
  return fallback === undefined ? null : { key, fallback };
}

function unitToken(unit: number, reading: Reading): Token {
  const token = reading.wildcards ? wildcardToken(unit) : unit;
  if (token !== unit) return token;
  return reading.ignoreCase === true && isLetter(unit) ? anyCase + foldUnit(unit) : unit;
}

/** Splits at the first five colons; variables are single tokens, so colons inside them do not count. */
export function splitFields(tokens: readonly Token[]): readonly (readonly Token[])[] {
  const fields: Token[][] = [[]];
  for (const token of tokens) {
    if (token === colon && fields.length < 6) fields.push([]);
    else fields.at(-1)?.push(token);
  }
  return fields;
}

/** Wildcards and variables of the first five fields stay inside their field. */
export function fieldPattern(fields: readonly (readonly Token[])[]): Pattern {
  return patternOf(
    fields.flatMap((field, index) => [
      ...(index > 0 ? [colon] : []),
      ...(index < 5 ? barred(field, noColon) : field),
    ]),
  );
}

/**
 * The tokens, with wildcards and variables barred from more characters; see {@link withBars}.
 */
export function barred(tokens: readonly Token[], bars: number): readonly Token[] {
  return tokens.map((token) => (isUnit(token) ? token : withBars(token, bars)));
}

/** Pattern of a `Resource` entry: by field where it has the form of an ARN, else as text. */
export function resourcePattern(tokens: readonly Token[]): Pattern {
  const fields = splitFields(tokens);
  const [head = [], , , region = [], account = []] = fields;
  const isArn =
    fields.length === 6 &&
    head.length === 3 &&
    String.fromCharCode(...head) === "arn" &&
    (region.some(isVariable) || region.every(isRegionToken)) &&
    (account.some(isVariable) || account.every(isAccountToken) || isAws(account));
  return isArn ? fieldPattern(fields) : patternOf(tokens);
}

function isRegionToken(token: Token): boolean {
  const isName = (token >= 97 && token <= 122) || (token >= 48 && token <= 57) || token === 45;
  return isName || isRun(token) || isSingle(token);
}

function isAccountToken(token: Token): boolean {
  return (token >= 48 && token <= 57) || isRun(token) || isSingle(token);
}

function isAws(tokens: readonly Token[]): boolean {
  return tokens.length === 3 && tokens[0] === 97 && tokens[1] === 119 && tokens[2] === 115;
}

/** Pattern of an ARN operator; null when it does not have six fields. */
export function arnPattern(tokens: readonly Token[]): Pattern | null {
  if (tokens.length === 1 && tokens[0] === run) return patternOf(tokens);
  const fields = splitFields(tokens);
  return fields.length === 6 ? fieldPattern(fields) : null;
}

/** The first part of an organisation path, which is the organisation's id. */
export function pathOf(tokens: readonly Token[]): Pattern {
  return patternOf([...barred(tokens, noSlash), slash, run]);
}

function takesText(bars: number, text: string): boolean {
  return unitsOf(text).every((unit) => takesUnit(bars, unit));
}

/**
 * Puts texts in the place of variables.
 * @param textOf Null: leave the variable; false: the pattern matches nothing.
 */
export function substitute(
  pattern: Pattern,
  variables: Variables,
  textOf: (found: Variable) => string | null | false,
): Pattern | null {
  if (!pattern.hasVariable) return pattern;
  const tokens: Token[] = [];
  for (const token of pattern.tokens) {
    if (!isVariable(token)) {
      tokens.push(token);
      continue;
    }
    const found = variables.of(token);
    const text = textOf(found);
    if (text === false) return null;
    // A value with a colon is in no field of an ARN.
    if (text !== null && !takesText(barsOf(token), text)) return null;
    if (text === null) {
      const plain = variables.token({ ...found, fallback: null });
      tokens.push(plain + (token & 7));
    } else {
      for (let at = 0; at < text.length; at++) {
        tokens.push(
          unitToken(text.charCodeAt(at), {
            wildcards: false,
            variables: false,
            ignoreCase: (token & 1) === 1,
          }),
        );
      }
    }
  }
  return patternOf(tokens);
}
