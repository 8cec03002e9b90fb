import { type Budget, BudgetExceeded, type Steps } from "./budget.ts";
import { anything, endsClash, matches, type Pattern, patternOf } from "./patterns.ts";
import {
  barsOf,
  colon,
  isRun,
  isSingle,
  isUnit,
  isVariable,
  noColon,
  plainVariable,
  run,
  single,
  type Token,
  takesToken,
  tokenMatches,
  withBars,
  withoutRepeatedRuns,
} from "./tokens.ts";
import { containsSteps } from "./uncovered.ts";

/** Most patterns of one meeting, and of one list. */
const maxPatterns = 5_000;

/** Texts of six fields: at least five colons. */
const barred = run + noColon;
export const sixFields: Pattern = patternOf([
  ...[0, 1, 2, 3, 4].flatMap(() => [barred, colon]),
  run,
]);

/**
 * The texts that two patterns share, as patterns. Where a variable of one faces characters of the
 * other the result is wider than that: the variable counts as `*` there. Such loose results come last.
 */
export function* meetSteps(a: Pattern, b: Pattern, budget: Budget): Steps<readonly Pattern[]> {
  budget.spend(1);
  if (a === b || b === anything) return [a];
  if (a === anything) return [b];
  if (endsClash(a, b)) return [];
  if (!a.hasVariable && !b.hasVariable) {
    if (a.text !== null) return matches(b, a.tokens, budget) ? [a] : [];
    if (b.text !== null) return matches(a, b.tokens, budget) ? [b] : [];
  }
  if (yield* containsSteps(a, b, budget)) return [b];
  if (yield* containsSteps(b, a, budget)) return [a];
  const byFields = a.fielded && b.fielded;
  const linked = yield* byFields ? byField(a, b, budget) : wholly(a, b, budget);
  if (!a.hasVariable && !b.hasVariable) return linked;
  return unique([...linked, ...(yield* loosely(a, b, budget))]);
}

/** The pattern as patterns of six fields; only for one that has at least five colons. */
export function* inFields(pattern: Pattern, budget: Budget): Steps<readonly Pattern[]> {
  const linked = yield* wholly(pattern, sixFields, budget);
  if (!pattern.hasVariable) return linked;
  // The value of a variable may hold colons that separate fields.
  return unique([...linked, ...(yield* wholly(loose(pattern, 0), sixFields, budget))]);
}

/** Variables that face characters count as `*`; by field, only fields where that happens. */
function* loosely(a: Pattern, b: Pattern, budget: Budget): Steps<readonly Pattern[]> {
  if (!(a.fielded && b.fielded)) return yield* wholly(loose(a, 0), loose(b, 0), budget);
  const lefts = fieldsOf(a);
  const rights = fieldsOf(b);
  const fields: (readonly Pattern[])[] = [];
  for (const [index, left] of lefts.entries()) {
    const right = rights[index] ?? left;
    if (left === right) {
      fields.push([left]);
      continue;
    }
    const exact = yield* wholly(left, right, budget);
    if (!left.hasVariable && !right.hasVariable) {
      fields.push(exact);
      continue;
    }
    const bars = index < 5 ? noColon : 0;
    const wider = yield* wholly(loose(left, bars), loose(right, bars), budget);
    fields.push(unique([...exact, ...wider]));
  }
  return yield* joined(fields, budget);
}

function loose(pattern: Pattern, bars: number): Pattern {
  if (!pattern.hasVariable) return pattern;
  return squeezed(
    pattern.tokens.map((token) => (isVariable(token) ? run + (bars | barsOf(token)) : token)),
  );
}

/** Without runs of equal `*`. */
function squeezed(tokens: readonly Token[]): Pattern {
  return patternOf(withoutRepeatedRuns(tokens));
}

function* byField(a: Pattern, b: Pattern, budget: Budget): Steps<readonly Pattern[]> {
  const rights = fieldsOf(b);
  const fields: (readonly Pattern[])[] = [];
  for (const [index, left] of fieldsOf(a).entries()) {
    const met = yield* wholly(left, rights[index] ?? left, budget);
    if (met.length === 0) return [];
    fields.push(met);
  }
  return yield* joined(fields, budget);
}

function fieldsOf(pattern: Pattern): readonly Pattern[] {
  const fields: Pattern[] = [];
  let from = 0;
  for (const [at, token] of pattern.tokens.entries()) {
    if (token === colon && fields.length < 5) {
      fields.push(patternOf(pattern.tokens.slice(from, at)));
      from = at + 1;
    }
  }
  fields.push(patternOf(pattern.tokens.slice(from)));
  return fields;
}

function* joined(
  fields: readonly (readonly Pattern[])[],
  budget: Budget,
): Steps<readonly Pattern[]> {
  let lists: Token[][] = [[]];
  for (const [index, field] of fields.entries()) {
    if (lists.length * field.length > maxPatterns) throw new BudgetExceeded();
    const longer: Token[][] = [];
    for (const { tokens } of field) {
      for (const list of lists) {
        budget.spend(1);
        longer.push([...list, ...(index > 0 ? [colon] : []), ...tokens]);
        if (budget.pauseDue) yield null;
      }
    }
    lists = longer;
  }
  return yield* patternsOf(lists, budget);
}

/** Long lists of long patterns take long to intern. */
function* patternsOf(
  lists: readonly (readonly Token[])[],
  budget: Budget,
): Steps<readonly Pattern[]> {
  const found = new Set<Pattern>();
  for (const tokens of lists) {
    found.add(patternOf(tokens));
    budget.toil(1 + (tokens.length >> 4));
    if (budget.pauseDue) yield null;
  }
  return [...found];
}

/** The meeting of two patterns, token by token; exact when no variable faces characters. */
function* wholly(a: Pattern, b: Pattern, budget: Budget): Steps<readonly Pattern[]> {
  if (a === b) return [a];
  if (endsClash(a, b)) return [];
  if (a.text !== null && !b.hasVariable) return matches(b, a.tokens, budget) ? [a] : [];
  if (b.text !== null && !a.hasVariable) return matches(a, b.tokens, budget) ? [b] : [];
  const memo = new Map<number, readonly (readonly Token[])[]>();
  const left = a.tokens;
  const right = b.tokens;
  // From the ends to the beginning, so that no recursion grows with the length of a policy's text.
  for (let i = left.length; i >= 0; i--) {
    for (let j = right.length; j >= 0; j--) {
      budget.spend(1);
      const results = restOf(left, i, right, j, memo);
      if (results.length > maxPatterns) throw new BudgetExceeded();
      // Each result is a copy of its tokens.
      if (results.length > 1) budget.spend(results.length * (1 + ((left.length - i) >> 2)));
      memo.set(i * (right.length + 1) + j, results);
      if (budget.pauseDue) yield null;
    }
  }
  return yield* patternsOf((memo.get(0) ?? []).map(withoutRepeatedRuns), budget);
}

type Rests = readonly (readonly Token[])[];

function restOf(
  left: readonly Token[],
  i: number,
  right: readonly Token[],
  j: number,
  memo: ReadonlyMap<number, Rests>,
): Rests {
  const at = (x: number, y: number): Rests => memo.get(x * (right.length + 1) + y) ?? [];
  const x = left[i];
  const y = right[j];
  if (x === undefined && y === undefined) return [[]];
  if (x === undefined) return y !== undefined && isRun(y) ? at(i, j + 1) : [];
  if (y === undefined) return isRun(x) ? at(i + 1, j) : [];
  if (isRun(x) && isRun(y)) {
    const both = run + ((x | y) & 7);
    return distinct([
      ...prefixed(
        both,
        at(i + 1, j).filter((rest) => rest[0] !== both),
      ),
      ...prefixed(
        both,
        at(i, j + 1).filter((rest) => rest[0] !== both),
      ),
      ...at(i + 1, j).filter((rest) => rest[0] === both),
      ...at(i, j + 1).filter((rest) => rest[0] === both),
    ]);
  }
  if (isRun(x)) {
    const taken = takenBy(x & 7, y);
    return distinct([...at(i + 1, j), ...(taken === null ? [] : prefixed(taken, at(i, j + 1)))]);
  }
  if (isRun(y)) {
    const taken = takenBy(y & 7, x);
    return distinct([...at(i, j + 1), ...(taken === null ? [] : prefixed(taken, at(i + 1, j)))]);
  }
  const both = shared(x, y);
  return both === null ? [] : prefixed(both, at(i + 1, j + 1));
}

function prefixed(token: Token, rests: Rests): Rests {
  return rests.map((rest) => [token, ...rest]);
}

function distinct(rests: Rests): Rests {
  if (rests.length < 2) return rests;
  const seen = new Map<string, readonly Token[]>();
  for (const rest of rests) seen.set(rest.join(), rest);
  return [...seen.values()];
}

/** What is left of a token when it must pass a `*` with these bars; null: nothing. */
function takenBy(bars: number, token: Token): Token | null {
  if (isUnit(token)) return takesToken(bars, token) ? token : null;
  return withBars(token, bars);
}

/** The token that both take, neither being `*`. */
function shared(x: Token, y: Token): Token | null {
  if (x === y) return x;
  if (isSingle(x) && isSingle(y)) return single + ((x | y) & 7);
  if (isVariable(x) && isVariable(y)) {
    const isSame = plainVariable(x) === plainVariable(y);
    return isSame ? withBars(plainVariable(x), barsOf(x) | barsOf(y)) + (x & y & 1) : null;
  }
  if (tokenMatches(x, y)) return y;
  return tokenMatches(y, x) ? x : null;
}

function unique(patterns: readonly Pattern[]): readonly Pattern[] {
  // By key: equal patterns are two objects where the table of patterns was full in between, and was cleared.
  return patterns.length < 2
    ? patterns
    : [...new Map(patterns.map((pattern) => [pattern.key, pattern])).values()];
}

/**
 * The texts that each of the lists has in common.
 * @throws {BudgetExceeded} when they are too many patterns.
 */
export function* meetAll(
  lists: readonly (readonly Pattern[])[],
  budget: Budget,
): Steps<readonly Pattern[]> {
  let common: readonly Pattern[] = [anything];
  for (const list of lists) {
    const next: Pattern[] = [];
    for (const left of common) {
      if (yield* isInside(left, list, budget)) {
        next.push(left);
        continue;
      }
      for (const right of list) next.push(...(yield* meetSteps(left, right, budget)));
      if (next.length > maxPatterns) throw new BudgetExceeded();
    }
    common = linkedFirst(unique(next));
    if (common.length === 0) return common;
  }
  return common;
}

function* isInside(pattern: Pattern, list: readonly Pattern[], budget: Budget): Steps<boolean> {
  for (const outer of list) {
    if (yield* containsSteps(outer, pattern, budget)) return true;
    if (budget.pauseDue) yield null;
  }
  return false;
}

function linkedFirst(patterns: readonly Pattern[]): readonly Pattern[] {
  if (!patterns.some(({ hasVariable }) => hasVariable)) return patterns;
  return [
    ...patterns.filter(({ hasVariable }) => hasVariable),
    ...patterns.filter(({ hasVariable }) => !hasVariable),
  ];
}
