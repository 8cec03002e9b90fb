import { type Budget, BudgetExceeded, finish, type Steps } from "./budget.ts";
import { anything, endsClash, matches, type Pattern, patternOf } from "./patterns.ts";
import { splitFields } from "./read-pattern.ts";
import {
  anyCase,
  colon,
  foreign,
  foreignOrSlash,
  isLetter,
  isRun,
  isSingle,
  noSlash,
  single,
  type Token,
} from "./tokens.ts";

/** Most texts tried for one pattern. */
const maxTexts = 20_000;

/**
 * Looks for a text of the pattern that none of the others takes. Every wildcard becomes foreign
 * characters: what takes those takes every text of the same lengths, since only a wildcard takes
 * them, and past the number of `?` in the others only a `*` can take them. The foreign character of a
 * wildcard that may take a slash is one that wildcards barred from slashes do not take.
 * @returns the text, or null when the others cover the pattern.
 * @throws {BudgetExceeded} when there are too many texts to try.
 */
export function* uncoveredSteps(
  pattern: Pattern,
  others: readonly Pattern[],
  budget: Budget,
): Steps<readonly Token[] | null> {
  const near: Pattern[] = [];
  for (const other of others) {
    if (other === pattern || other === anything) return null;
    // A text with fewer than five colons is not an ARN, and in one with more a `*` may be a colon:
    // patterns of six fields cover only patterns of six fields.
    if (other.fielded && !pattern.fielded) continue;
    if (!endsClash(pattern, other)) near.push(other);
  }
  const longest = longestOf(pattern, near);
  const plain = fill(pattern, (index) => (longest[index] ?? 0) + 1);
  const taking: Pattern[] = [];
  for (const other of near) {
    if (matches(other, plain, budget)) taking.push(other);
    if (budget.pauseDue) yield null;
  }
  // Where only wildcards take the foreign characters, and no `?` does, any lengths fit.
  const anyLength = ({ singles }: Pattern) => singles === 0;
  if (taking.some(anyLength)) return null;
  if (taking.length === 0) {
    const text = yield* spelled(pattern, plain, near, budget);
    if (text !== null) return text;
    // Each spelling of this text is taken; those of shorter ones may not be.
    if ((yield* spelled(pattern, plain, near.filter(anyLength), budget)) === null) return null;
  }
  if (pattern.runs === 0) return null;
  return yield* tryLengths(pattern, near, longest, budget);
}

/**
 * The number of characters, for each `*` of the pattern, that the `?` of one other pattern may take. Where all have six
 * fields, a `?` takes characters of one field only: the twelve of an account, none of a name.
 */
function longestOf(pattern: Pattern, near: readonly Pattern[]): readonly number[] {
  const isByField = pattern.fielded && near.every(({ fielded }) => fielded);
  if (!isByField) {
    const most = near.reduce((longest, { singles }) => Math.max(longest, singles), 0);
    return new Array<number>(pattern.runs).fill(most);
  }
  const most = [0, 0, 0, 0, 0, 0];
  for (const { tokens } of near) {
    for (const [field, count] of countByField(tokens, isSingle).entries()) {
      most[field] = Math.max(most[field] ?? 0, count);
    }
  }
  return countByField(pattern.tokens, isRun).flatMap((runs, field) =>
    new Array<number>(runs).fill(most[field] ?? 0),
  );
}

function countByField(
  tokens: readonly Token[],
  isCounted: (token: Token) => boolean,
): readonly number[] {
  const counts = [0, 0, 0, 0, 0, 0];
  let field = 0;
  for (const token of tokens) {
    if (token === colon && field < 5) field++;
    else if (isCounted(token)) counts[field] = (counts[field] ?? 0) + 1;
  }
  return counts;
}

function* tryLengths(
  pattern: Pattern,
  near: readonly Pattern[],
  longest: readonly number[],
  budget: Budget,
): Steps<readonly Token[] | null> {
  const total = longest.reduce((product, most) => product * (most + 2), 1);
  const lengths = longest.map((most) => most + 1);
  const attempt = function* (): Steps<readonly Token[] | null> {
    const text = fill(pattern, (index) => lengths[index] ?? 0);
    budget.toil(text.length >> 6);
    for (const other of near) {
      if (matches(other, text, budget)) return null;
      if (budget.pauseDue) yield null;
    }
    return yield* spelled(pattern, text, near, budget);
  };
  // One `*` at a time first: most gaps show there.
  for (const [index, most] of longest.entries()) {
    for (let length = 0; length <= most; length++) {
      lengths[index] = length;
      const text = yield* attempt();
      if (text) return text;
      if (budget.pauseDue) yield null;
    }
    lengths[index] = most + 1;
  }
  if (pattern.runs === 1) return null;
  if (total > maxTexts) throw new BudgetExceeded();
  for (let number = 0; number < total; number++) {
    let rest = number;
    for (const [index, most] of longest.entries()) {
      lengths[index] = rest % (most + 2);
      rest = Math.floor(rest / (most + 2));
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
      for (let left = length(index); left > 0; left--) text.push(foreignFor(token));
      index++;
    } else text.push(isSingle(token) ? foreignFor(token) : token);
  }
  return text;
}

function foreignFor(wildcard: Token): Token {
  return (wildcard & noSlash) === 0 ? foreignOrSlash : foreign;
}

/** Most letters whose cases are all tried. */
const maxLetters = 10;

/**
 * A text that none takes as long as its letters may have any case, with the cases settled.
 * @returns null when every spelling is taken.
 * @throws {BudgetExceeded} when it has too many letters to know.
 */
function* spelled(
  pattern: Pattern,
  text: readonly Token[],
  near: readonly Pattern[],
  budget: Budget,
): Steps<readonly Token[] | null> {
  if (!pattern.hasAnyCase) return text;
  const open = text.flatMap((token, index) => (isLetter(token - anyCase) ? [index] : []));
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
    if (budget.pauseDue) yield null;
  }
  if (all) return null;
  throw new BudgetExceeded();
}

/**
 * @returns Whether the outer pattern matches every text that the inner one matches.
 * @throws {BudgetExceeded} When the question takes more steps than it may.
 */
export function contains(outer: Pattern, inner: Pattern, budget: Budget): boolean {
  return finish(containsSteps(outer, inner, budget));
}

/** {@link contains} with pauses. */
export function* containsSteps(outer: Pattern, inner: Pattern, budget: Budget): Steps<boolean> {
  if (outer === inner || outer === anything) return true;
  if (outer.text !== null) return false;
  // Each `?` makes more lengths to try for each `*`, also for those of other fields.
  if (outer.singles > 0 && outer.fielded && inner.fielded) {
    const fields = splitFields(inner.tokens);
    for (const [index, field] of splitFields(outer.tokens).entries()) {
      if (!(yield* containsSteps(patternOf(field), patternOf(fields[index] ?? []), budget))) {
        return false;
      }
    }
    return true;
  }
  return (yield* uncoveredSteps(inner, [outer], budget)) === null;
}
