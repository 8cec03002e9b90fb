/**
 * Leaves that no value of a variable makes real. The search takes a variable that faces characters for `*`;
 * here its value is what must stand there, and that has to be a value that its key may have.
 */
import { valuesThatMake } from "./bind.ts";
import type { Steps } from "./budget.ts";
import { accountArns, userArns } from "./callers.ts";
import type { Leaf } from "./leaf.ts";
import { arnPart, isPartOfArn, nameOf } from "./leaf-variables.ts";
import { ascending, type Dimension, oneOf } from "./literals.ts";
import { literal, type Pattern, patternOf } from "./patterns.ts";
import { barred, splitFields } from "./read-pattern.ts";
import { anyCase, isRun, isSingle, isVariable, noColon, run, type Token } from "./tokens.ts";

/** Most patterns that are put in for a variable, and that are compared with its pattern. */
const most = 8;

/** Whether no request of the leaf can exist, whatever the values of its variables are. */
export function* isRefuted(leaf: Leaf): Steps<boolean> {
  const { dimensions } = leaf.scope.terms;
  for (const dimension of dimensions) {
    if (yield* leaf.scope.feasibility.whenReady(() => isRefutedIn(leaf, dimension))) return true;
  }
  return false;
}

function isRefutedIn(leaf: Leaf, dimension: Dimension): boolean {
  const { scope, state } = leaf;
  const ids = state[dimension.index];
  if (!ids || dimension.isMultivalued) return false;
  const wanted = ids.flatMap((id) => {
    const { texts } = scope.terms.get(id);
    return texts && !texts.negated ? [texts.patterns] : [];
  });
  if (!wanted.some((patterns) => patterns.some(({ hasVariable }) => hasVariable))) return false;
  if (scope.feasibility.of(dimension, ids).absent) return false;
  return (
    wanted.some(
      (one) => hasImpossibleValue(leaf, one, wanted) || hasImpossibleText(leaf, one, wanted),
    ) || isCovered(leaf, dimension, ids)
  );
}

/** What one literal asks for: one of some patterns. */
type Wanted = readonly Pattern[];

/** Whether what must stand in a variable's place is a value that its key cannot have. */
function hasImpossibleValue(leaf: Leaf, own: Wanted, wanted: readonly Wanted[]): boolean {
  const [first] = own;
  const key = first && keyIn(leaf, first);
  // Each pattern has to say something of the same key.
  if (!key || !own.every((pattern) => keyIn(leaf, pattern) === key)) return false;
  return wanted.some((other) => {
    if (other === own || other.length > most || own.length > most) return false;
    const values = own.flatMap((pattern) => other.map((one) => valuesIn(pattern, one)));
    return (
      !values.includes(null) &&
      !mayBe(
        leaf,
        key,
        values.flatMap((some) => some ?? []),
      )
    );
  });
}

/** Whether variables would need values that their keys cannot have, to make one of a few texts. */
function hasImpossibleText(leaf: Leaf, own: Wanted, wanted: readonly Wanted[]): boolean {
  if (!own.some(({ hasVariable }) => hasVariable) || own.length > most) return false;
  if (own.some(({ tokens }) => tokens.some((one) => isVariable(one) && (one & 1) === 1))) {
    return false;
  }
  return wanted.some((other) => {
    if (other === own || other.length > most) return false;
    return other.every(
      ({ text }) => text !== null && own.every((pattern) => !mayMake(leaf, pattern, text)),
    );
  });
}

/** Whether a pattern may be the text: with values that the keys of its variables may have. */
function mayMake(leaf: Leaf, pattern: Pattern, text: string): boolean {
  const environments = valuesThatMake(pattern, text, leaf.variables, leaf.scope.budget);
  return (
    environments === null ||
    environments.some((environment) =>
      [...environment].every(([key, value]) => mayBe(leaf, key, [literal(value)])),
    )
  );
}

/** The name of the only variable of a pattern; null: there are several, or it has a default or ignores letter case. */
function keyIn({ variables }: Leaf, { tokens }: Pattern): string | null {
  const [token, ...others] = tokens.filter(isVariable);
  if (token === undefined || others.length > 0 || (token & 1) === 1) return null;
  const found = variables.of(token);
  return found.fallback === null ? nameOf(found) : null;
}

/** What the variable of a pattern may be in texts that the other one takes, or more; null: not known. */
function valuesIn(own: Pattern, other: Pattern): readonly Pattern[] | null {
  if (own.fielded !== other.fielded) return null;
  if (!own.fielded) return residual(own.tokens, other.tokens);
  const others = splitFields(other.tokens);
  const fields = splitFields(own.tokens);
  const at = fields.findIndex((field) => field.some(isVariable));
  return residual(fields[at] ?? [], others[at] ?? []);
}

const isPlain = (token: Token) => token < anyCase;

function residual(own: readonly Token[], other: readonly Token[]): readonly Pattern[] | null {
  const at = own.findIndex(isVariable);
  const before = own.slice(0, at);
  const after = own.slice(at + 1);
  if (!before.every(isPlain)) return null;
  for (const [index, unit] of before.entries()) {
    const facing = other[index];
    if (facing === undefined) return [];
    if (isSingle(facing)) continue;
    if (!isPlain(facing)) return null;
    if (facing !== unit) return [];
  }
  const rest = other.slice(before.length);
  if (!rest.every((token) => isPlain(token) || isRun(token) || isSingle(token))) return null;
  if (after.length === 0) return [patternOf(rest)];
  const wild = rest.findIndex((token) => !isPlain(token));
  const fixed = wild < 0 ? rest : rest.slice(0, wild);
  const [next = run] = after;
  const values: Pattern[] = [];
  // The value ends where the text after it may begin, or continues after what is fixed.
  for (const [index, unit] of fixed.entries()) {
    if (!isPlain(next) || next === unit) values.push(patternOf(fixed.slice(0, index)));
  }
  values.push(wild < 0 ? patternOf(fixed) : patternOf([...fixed, run]));
  return values;
}

/** Whether the key may have one of the values in requests of the leaf. */
function mayBe({ scope, state, caller }: Leaf, key: string, values: readonly Pattern[]): boolean {
  let dimension = scope.terms.find(key);
  let patterns = values;
  if (isPartOfArn(caller, key)) {
    dimension = scope.terms.dimension("aws:principalarn");
    patterns = values.flatMap(({ tokens }) =>
      key === "aws:username" ? userArns(tokens) : accountArns(tokens),
    );
  }
  if (!dimension) return true;
  const ids = [...(state[dimension.index] ?? []), oneOf(scope.terms, dimension, patterns).id];
  return scope.feasibility.of(dimension, ascending(ids)).present !== "no";
}

/** Whether the literals leave no text when each variable is as wide as its key allows. */
function isCovered(leaf: Leaf, dimension: Dimension, ids: readonly number[]): boolean {
  const { scope } = leaf;
  const widened = ids.map((id) => {
    const literal = scope.terms.get(id);
    const { texts } = literal;
    if (!texts || texts.negated) return id;
    const patterns = texts.patterns.flatMap((pattern) => {
      const key = pattern.hasVariable ? keyIn(leaf, pattern) : null;
      const values = key === null ? null : formsOf(leaf, key);
      if (!values) return [pattern];
      return values.map((value) => filled(pattern, value));
    });
    return scope.terms.literal({ ...literal, texts: { ...texts, patterns } }).id;
  });
  return scope.feasibility.of(dimension, ascending(widened)).present === "no";
}

/** Forms of the values that a key has in requests of the leaf; null: any, or not known. */
function formsOf(
  { scope, state, caller }: Leaf,
  key: string,
): readonly (readonly Token[])[] | null {
  const isArnPart = isPartOfArn(caller, key);
  const dimension = isArnPart ? scope.terms.dimension("aws:principalarn") : scope.terms.find(key);
  const ids = dimension && (state[dimension.index] ?? (isArnPart ? [] : undefined));
  if (!ids) return null;
  const patterns = scope.feasibility.patterns(
    dimension,
    ids.map((id) => scope.terms.get(id)),
  );
  const forms = patterns.map(({ tokens }) => (isArnPart ? arnPart(tokens, key) : tokens));
  const isKnown = forms.every((tokens) => !tokens.some(isVariable));
  return isKnown && forms.length <= most ? forms : null;
}

function filled(pattern: Pattern, value: readonly Token[]): Pattern {
  const at = pattern.tokens.findIndex(isVariable);
  const before = pattern.tokens.slice(0, at);
  const isField = pattern.fielded && splitFields(before).length < 6;
  return patternOf([
    ...before,
    ...(isField ? barred(value, noColon) : value),
    ...pattern.tokens.slice(at + 1),
  ]);
}
