import { type Budget, BudgetExceeded, finish, type Steps } from "./budget.ts";
import {
  anyCase,
  colon,
  foreign,
  isLetter,
  isRun,
  isSingle,
  isVariable,
  noColon,
  run,
  single,
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
  /** Each `*` takes at least what the one before it takes, so only the latest has to give way. */
  readonly greedy: boolean;
}

const interned = new Map<string, Pattern>();
const internedMax = 20_000;

/** Most tokens of a pattern that is read; AWS allows 2,048 characters in an ARN. */
export const maxTokens = 4_096;

export function patternOf(tokens: readonly Token[]): Pattern {
  const key = String.fromCodePoint(
    ...tokens.map((token) => token + (token >= 0xd800 ? 0x1_0000 : 0)),
  );
  const known = interned.get(key);
  if (known) return known;
  if (interned.size >= internedMax) interned.clear();
  const pattern = analyse(tokens, key);
  interned.set(key, pattern);
  return pattern;
}

export function literal(text: string): Pattern {
  return patternOf(unitsOf(text));
}

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
  for (const [index, token] of tokens.entries()) {
    if (token >= anyCase) plain = false;
    if (token === colon) {
      colons++;
      if (colons === 5 && !open) fielded = true;
    } else if (isRun(token)) {
      runs++;
      firstRun = Math.min(firstRun, index);
      lastRun = index;
      if (bars >= 0 && (token & 7 & ~bars) !== 0) greedy = false;
      bars = token & 7;
      if ((token & noColon) === 0) open = true;
    } else if (isSingle(token)) {
      singles++;
      if ((token & 5) === 0) open = true;
    } else if (isVariable(token)) hasVariable = true;
    else if (token >= anyCase) hasAnyCase = true;
  }
  return {
    tokens,
    key,
    text: plain ? String.fromCharCode(...tokens) : null,
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

/** Most texts tried for one pattern. */
const maxTexts = 20_000;

/**
 * Looks for a text of the pattern that none of the others takes. Every wildcard becomes foreign
 * characters: what takes those takes every text of the same lengths, since only a wildcard takes
 * them, and past the number of `?` in the others only a `*` can take them.
 * @returns the text, or null when the others cover the pattern.
 * @throws {BudgetExceeded} when there are too many texts to try.
 */
export function uncovered(
  pattern: Pattern,
  others: readonly Pattern[],
  budget: Budget,
): readonly Token[] | null {
  return finish(uncoveredSteps(pattern, others, budget));
}

/** {@link uncovered} with pauses. */
export function* uncoveredSteps(
  pattern: Pattern,
  others: readonly Pattern[],
  budget: Budget,
): Steps<readonly Token[] | null> {
  const near: Pattern[] = [];
  for (const other of others) {
    if (other === pattern || other === anything) return null;
    // A text with fewer than five colons is no ARN, and in one with more a `*` may be a colon:
    // patterns of six fields cover only patterns of six fields.
    if (other.fielded && !pattern.fielded) continue;
    if (!endsClash(pattern, other)) near.push(other);
  }
  const longest = near.reduce((most, { singles }) => Math.max(most, singles), 0);
  const plain = fill(pattern, () => longest + 1);
  const taking: Pattern[] = [];
  for (const other of near) {
    if (matches(other, plain, budget)) taking.push(other);
    if (budget.pauseDue) yield null;
  }
  if (taking.length === 0) return spelled(pattern, plain, near, budget);
  // Only wildcards took the foreign characters, and no `?` did: any lengths fit.
  if (taking.some(({ singles }) => singles === 0)) return null;
  if (pattern.runs === 0) return null;
  return yield* tryLengths(pattern, near, longest, budget);
}

function* tryLengths(
  pattern: Pattern,
  near: readonly Pattern[],
  longest: number,
  budget: Budget,
): Steps<readonly Token[] | null> {
  const choices = longest + 2;
  const total = choices ** pattern.runs;
  const lengths = new Array<number>(pattern.runs).fill(longest + 1);
  const attempt = function* (): Steps<readonly Token[] | null> {
    const text = fill(pattern, (index) => lengths[index] ?? 0);
    budget.toil(text.length >> 6);
    for (const other of near) {
      if (matches(other, text, budget)) return null;
      if (budget.pauseDue) yield null;
    }
    return spelled(pattern, text, near, budget);
  };
  // One `*` at a time first: most gaps show there.
  for (let index = 0; index < lengths.length; index++) {
    for (let length = 0; length <= longest; length++) {
      lengths[index] = length;
      const text = yield* attempt();
      if (text) return text;
      if (budget.pauseDue) yield null;
    }
    lengths[index] = longest + 1;
  }
  if (pattern.runs === 1) return null;
  if (total > maxTexts) throw new BudgetExceeded();
  for (let number = 0; number < total; number++) {
    let rest = number;
    for (let index = 0; index < lengths.length; index++) {
      lengths[index] = rest % choices;
      rest = Math.floor(rest / choices);
    }
    const text = yield* attempt();
    if (text) return text;
    if (budget.pauseDue) yield null;
  }
  return null;
}

function fill(pattern: Pattern, length: (run: number) => number): Token[] {
  const text: Token[] = [];
  let index = 0;
  for (const token of pattern.tokens) {
    if (isRun(token)) {
      for (let left = length(index); left > 0; left--) text.push(foreign);
      index++;
    } else text.push(isSingle(token) ? foreign : token);
  }
  return text;
}

/** Most letters whose cases are all tried. */
const maxLetters = 10;

/**
 * A text that none takes as long as its letters may have any case, with the cases settled.
 * @returns null when every spelling is taken.
 * @throws {BudgetExceeded} when it has too many letters to know.
 */
function spelled(
  pattern: Pattern,
  text: readonly Token[],
  near: readonly Pattern[],
  budget: Budget,
): readonly Token[] | null {
  if (!pattern.hasAnyCase) return text;
  const open = text.flatMap((token, index) =>
    token >= anyCase && token < single && isLetter(token - anyCase) ? [index] : [],
  );
  const settle = (upper: (index: number) => boolean): Token[] => {
    const copy = text.map((token) =>
      token >= anyCase && token < single ? token - anyCase : token,
    );
    for (const [number, index] of open.entries()) {
      if (upper(number)) copy[index] = (copy[index] ?? 0) - 32;
    }
    return copy;
  };
  const all = open.length <= maxLetters;
  const shapes = all
    ? Array.from({ length: 2 ** open.length }, (_, bits) => (n: number) => ((bits >> n) & 1) === 1)
    : [() => false, () => true, (n: number) => n === 0, (n: number) => n % 2 === 1];
  for (const shape of shapes) {
    const candidate = settle(shape);
    if (!near.some((other) => matches(other, candidate, budget))) return candidate;
  }
  if (all) return null;
  throw new BudgetExceeded();
}

export function contains(outer: Pattern, inner: Pattern, budget: Budget): boolean {
  return finish(containsSteps(outer, inner, budget));
}

/** {@link contains} with pauses. */
export function* containsSteps(outer: Pattern, inner: Pattern, budget: Budget): Steps<boolean> {
  if (outer === inner || outer === anything) return true;
  if (outer.text !== null) return false;
  return (yield* uncoveredSteps(inner, [outer], budget)) === null;
}
