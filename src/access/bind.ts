import { asciiLower } from "../ascii.ts";
import type { Budget } from "./budget.ts";
import type { Literal } from "./literals.ts";
import type { Pattern } from "./patterns.ts";
import type { Variables } from "./read-pattern.ts";
import { barsOf, isRun, isVariable, type Token, takesUnit, tokenMatches } from "./tokens.ts";

type Environment = ReadonlyMap<string, string>;

/** Most ways to bind that are tried for one text. */
const maxBindings = 6;
/** Most places of a pattern and a text that are compared. */
const maxWork = 4_000;
/** The same for all patterns that one text is compared with. */
const maxWorkOfText = 20_000;

/**
 * Values of open variables under which a text meets the literals that ask for something: what stands
 * in the variable's place when the text is matched against its pattern, shortest first.
 */
export function* bindings(
  text: string,
  literals: readonly Literal[],
  environment: Environment,
  variables: Variables,
  budget: Budget,
): Generator<{ readonly text: string; readonly environment: Environment }> {
  const open = literals.filter(
    ({ texts }) => texts && !texts.negated && texts.patterns.some(({ hasVariable }) => hasVariable),
  );
  let environments: Environment[] = [environment];
  let work = 0;
  for (const { texts } of open) {
    const patterns = texts?.patterns ?? [];
    // A text that is written out needs no value; those that a variable may have for it are many.
    const ordered = [
      ...patterns.filter(({ hasVariable }) => !hasVariable),
      ...patterns.filter(({ hasVariable }) => hasVariable),
    ];
    environments = environments.flatMap((known) => {
      const found: Environment[] = [];
      for (const pattern of ordered) {
        budget.spend(1);
        const effort = { work: 0 };
        found.push(...captures(pattern, text, known, variables, budget, effort));
        work += effort.work;
        if (found.length >= maxBindings || work > maxWorkOfText) break;
      }
      return found.slice(0, maxBindings);
    });
    if (environments.length > maxBindings) environments = environments.slice(0, maxBindings);
  }
  for (const bound of environments) yield { text, environment: bound };
}

/** All values of variables under which a text fits a pattern, by key; null: they are too many to know. */
export function valuesThatMake(
  pattern: Pattern,
  text: string,
  variables: Variables,
  budget: Budget,
): readonly Environment[] | null {
  budget.spend(1);
  const effort = { work: 0 };
  const found = captures(pattern, text, new Map(), variables, budget, effort);
  return found.length >= maxBindings || effort.work > maxWork ? null : found;
}

/** Values of variables, the last one first. A copy of all values for each way to match would take most of the time. */
interface Bound {
  readonly key: string;
  readonly value: string;
  readonly before: Bound | null;
}

/** Ways to match a text, variables taking any part of it. */
function captures(
  { tokens }: Pattern,
  text: string,
  known: Environment,
  variables: Variables,
  budget: Budget,
  effort: { work: number },
): readonly Environment[] {
  const found: Environment[] = [];
  const boundTo = (key: string, bound: Bound | null): string | undefined => {
    for (let one = bound; one; one = one.before) if (one.key === key) return one.value;
    return known.get(key);
  };
  const walk = (p: number, t: number, bound: Bound | null): void => {
    if (found.length >= maxBindings || ++effort.work > maxWork) return;
    if (effort.work % 64 === 0) budget.spend(1);
    const token = tokens[p];
    if (token === undefined) {
      if (t === text.length) found.push(withBound(known, bound));
      return;
    }
    if (isRun(token)) {
      for (let end = t; end <= text.length; end++) {
        walk(p + 1, end, bound);
        if (!takesUnit(token & 7, text.charCodeAt(end))) return;
      }
      return;
    }
    if (isVariable(token)) {
      takeVariable(token, p, t, bound);
      return;
    }
    if (t < text.length && tokenMatches(token, text.charCodeAt(t))) walk(p + 1, t + 1, bound);
  };
  const takeVariable = (token: Token, p: number, t: number, bound: Bound | null): void => {
    const { kind, name } = variables.of(token);
    const key = kind === "key" ? name : `@${name}`;
    const value = boundTo(key, bound);
    if (value !== undefined) {
      const part = text.slice(t, t + value.length);
      const isIt = part === value || ((token & 1) === 1 && asciiLower(part) === asciiLower(value));
      if (isIt) walk(p + 1, t + value.length, bound);
      return;
    }
    for (let end = t + 1; end <= text.length; end++) {
      if (!takesUnit(barsOf(token), text.charCodeAt(end - 1))) break;
      walk(p + 1, end, { key, value: text.slice(t, end), before: bound });
    }
    walk(p + 1, t, { key, value: "", before: bound });
  };
  walk(0, 0, null);
  return found;
}

function withBound(known: Environment, bound: Bound | null): Environment {
  const values: [string, string][] = [];
  for (let one = bound; one; one = one.before) values.push([one.key, one.value]);
  return new Map([...known, ...values.reverse()]);
}
