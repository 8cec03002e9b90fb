import type { Budget } from "./budget.ts";
import {
  anyCase,
  barsOf,
  colon,
  isRun,
  isSingle,
  isVariable,
  noColon,
  run,
  type Token,
  takesToken,
  tokenMatches,
} from "./tokens.ts";

/** A set of texts: those that fit all tokens in order. Equal patterns are the same object. */
export interface Pattern {
  readonly tokens: readonly Token[];
  readonly key: string;
  /** Units only: the pattern is one text. */
  readonly text: string | null;
  readonly hasVariable: boolean;
  readonly hasAnyCase: boolean;
  /** Number of `?`. */
  readonly singles: number;
  readonly runs: number;
  /** Tokens before the first `*`, and after the last. */
  readonly head: number;
  readonly tail: number;
  /** Everything before the fifth colon is barred from colons: the first five fields are fixed. */
  readonly fielded: boolean;
  readonly colons: number;
  /** Each `*` takes at least what the one before it and all between them take, so only the latest has to give way. */
  readonly greedy: boolean;
}

const interned = new Map<string, Pattern>();
let internedTokens = 0;
/** Bounds the memory: a token takes some 20 bytes with its key, and callers choose the patterns. */
const internedMax = { patterns: 20_000, tokens: 1_000_000 };

/** Most tokens of a pattern that is read; AWS allows 2,048 characters in an ARN. */
export const maxTokens = 4_096;

/** The pattern of these tokens. Equal patterns are one object while the cache has room. */
export function patternOf(tokens: readonly Token[]): Pattern {
  const key = textOf(tokens.map((token) => token + (token >= 0xd800 ? 0x1_0000 : 0)));
  const known = interned.get(key);
  if (known) return known;
  if (interned.size >= internedMax.patterns || internedTokens >= internedMax.tokens) forget();
  const pattern = analyse(tokens, key);
  keep(pattern);
  return pattern;
}

/** In pieces, since a call takes some 100,000 arguments at most. */
function textOf(codePoints: readonly number[]): string {
  let text = "";
  for (let at = 0; at < codePoints.length; at += maxTokens)
    text += String.fromCodePoint(...codePoints.slice(at, at + maxTokens));
  return text;
}

function keep(pattern: Pattern): void {
  interned.set(pattern.key, pattern);
  internedTokens += pattern.tokens.length;
}

/** The pattern of everything stays the one object that others compare with. */
function forget(): void {
  interned.clear();
  internedTokens = 0;
  keep(anything);
}

/** The pattern that matches this text only. */
export function literal(text: string): Pattern {
  return patternOf(unitsOf(text));
}

/** One token for each UTF-16 unit; `*` and `?` are plain characters here. */
export function unitsOf(text: string): Token[] {
  const units: Token[] = [];
  for (let at = 0; at < text.length; at++) units.push(text.charCodeAt(at));
  return units;
}

export const anything: Pattern = patternOf([run]);

function analyse(tokens: readonly Token[], key: string): Pattern {
  let singles = 0;
  let runs = 0;
  let colons = 0;
  let plain = true;
  let hasVariable = false;
  let hasAnyCase = false;
  let firstRun = tokens.length;
  let lastRun = -1;
  let open = false;
  let fielded = false;
  let greedy = true;
  let bars = -1;
  /** Bars that a `?` or a variable after the first `*` does not have. */
  let unbarred = 0;
  for (const [index, token] of tokens.entries()) {
    if (token >= anyCase) plain = false;
    if (token === colon) {
      colons++;
      if (colons === 5 && !open) fielded = true;
    } else if (isRun(token)) {
      runs++;
      firstRun = Math.min(firstRun, index);
      lastRun = index;
      if (bars >= 0 && (token & 7 & (~bars | unbarred)) !== 0) greedy = false;
      bars = token & 7;
      if ((token & noColon) === 0) open = true;
    } else if (isSingle(token)) {
      singles++;
      if (bars >= 0) unbarred |= ~token;
      if ((token & 5) === 0) open = true;
    } else if (isVariable(token)) {
      hasVariable = true;
      if (bars >= 0) unbarred |= ~barsOf(token);
      if ((barsOf(token) & noColon) === 0) open = true;
    } else if (token >= anyCase) hasAnyCase = true;
  }
  return {
    tokens,
    key,
    text: plain ? textOf(tokens) : null,
    hasVariable,
    hasAnyCase,
    singles,
    runs,
    head: firstRun,
    tail: tokens.length - 1 - lastRun,
    fielded,
    colons,
    greedy,
  };
}

/** Whether the pattern takes the text, whose tokens are units, letters in any case and variables. */
export function matches(pattern: Pattern, text: readonly Token[], budget: Budget): boolean {
  budget.spend(1);
  const { tokens } = pattern;
  if (pattern.runs === 0) {
    if (tokens.length !== text.length) return false;
    for (const [index, token] of tokens.entries()) {
      if (!tokenMatches(token, text[index] ?? 0)) return false;
    }
    return true;
  }
  if (text.length < tokens.length - pattern.runs) return false;
  return pattern.greedy ? walk(tokens, text, budget) : simulate(tokens, text, budget);
}

/** Iterations that count as one more step. */
const iterationsPerStep = 16;

function walk(tokens: readonly Token[], text: readonly Token[], budget: Budget): boolean {
  let p = 0;
  let t = 0;
  let runAt = -1;
  let resumeAt = 0;
  let iterations = 0;
  while (t < text.length) {
    if (++iterations % iterationsPerStep === 0) budget.spend(1);
    const wanted = p < tokens.length ? (tokens[p] ?? 0) : -1;
    const found = text[t] ?? 0;
    if (wanted >= 0 && isRun(wanted)) {
      runAt = p++;
      resumeAt = t;
    } else if (wanted >= 0 && tokenMatches(wanted, found)) {
      p++;
      t++;
    } else if (runAt >= 0 && takesToken((tokens[runAt] ?? 0) & 7, text[resumeAt] ?? 0)) {
      t = ++resumeAt;
      p = runAt + 1;
    } else return false;
  }
  while (p < tokens.length && isRun(tokens[p] ?? 0)) p++;
  return p === tokens.length;
}

/** Follows all ways to match at once; for patterns where an earlier `*` may have to give way. */
function simulate(tokens: readonly Token[], text: readonly Token[], budget: Budget): boolean {
  let at = closure(new Set([0]), tokens);
  for (const found of text) {
    budget.spend(1);
    budget.toil(at.size >> 3);
    const next = new Set<number>();
    for (const p of at) {
      const token = tokens[p];
      if (token === undefined) continue;
      if (isRun(token)) {
        if (takesToken(token & 7, found)) next.add(p);
      } else if (tokenMatches(token, found)) next.add(p + 1);
    }
    if (next.size === 0) return false;
    at = closure(next, tokens);
  }
  return at.has(tokens.length);
}

function closure(at: Set<number>, tokens: readonly Token[]): Set<number> {
  for (const p of at) if (p < tokens.length && isRun(tokens[p] ?? 0)) at.add(p + 1);
  return at;
}

/** Whether two patterns cannot share a text because their fixed beginnings or ends differ. */
export function endsClash(a: Pattern, b: Pattern): boolean {
  const head = Math.min(a.head, b.head);
  for (let at = 0; at < head; at++) {
    const left = a.tokens[at] ?? 0;
    const right = b.tokens[at] ?? 0;
    if (!mayAgree(left, right)) return true;
    // Past a variable the positions no longer face each other.
    if (isVariable(left) || isVariable(right)) break;
  }
  const tail = Math.min(a.tail, b.tail);
  for (let at = 1; at <= tail; at++) {
    const left = a.tokens[a.tokens.length - at] ?? 0;
    const right = b.tokens[b.tokens.length - at] ?? 0;
    if (!mayAgree(left, right)) return true;
    if (isVariable(left) || isVariable(right)) break;
  }
  return a.runs === 0 && b.runs === 0 && !a.hasVariable && !b.hasVariable
    ? a.tokens.length !== b.tokens.length
    : false;
}

function mayAgree(left: Token, right: Token): boolean {
  if (left === right || isVariable(left) || isVariable(right)) return true;
  if (isSingle(left)) return isSingle(right) || takesToken(left & 7, right);
  if (isSingle(right)) return takesToken(right & 7, left);
  return (left & 0xffff) === (right & 0xffff)
    ? true
    : (left >= anyCase && tokenMatches(left, right)) ||
        (right >= anyCase && tokenMatches(right, left));
}
