import { everyAddress } from "./addresses.ts";
import type { Budget } from "./budget.ts";
import { arnsOf, type Caller, presenceOf, valuesOf } from "./callers.ts";
import { everyRange, intersection, type Ranges } from "./intervals.ts";
import type { QuestionKeys } from "./keys.ts";
import type { Dimension, Literal, Terms } from "./literals.ts";
import { inFields, meetAll, sixFields } from "./meet.ts";
import { anything, literal, type Pattern, patternOf, uncovered } from "./patterns.ts";
import type { Token } from "./tokens.ts";

/** What a dimension may be under some literals. */
export interface Feasible {
  readonly absent: boolean;
  /** `several`: only with several values under a condition that lacks its set operator. */
  readonly present: "yes" | "no" | "several";
}

/** What the documents name. */
export interface Named {
  /** ARNs of roles. */
  readonly roles: readonly string[];
  readonly accounts: readonly string[];
}

/** A text that meets some literals, and the pattern it was found in. */
export interface Found {
  readonly pattern: Pattern;
  readonly text: readonly Token[];
}

export function isPossible({ absent, present }: Feasible): boolean {
  return absent || present !== "no";
}

/** Resources of requests: an ARN, or `*` for actions that work on no resource. */
const arn: Pattern = patternOf([97, 114, 110, ...sixFields.tokens.slice(1)]);
const resources: readonly Pattern[] = [arn, literal("*")];
const actions: readonly Pattern[] = [patternOf([0x3_0001, 58, 0x3_0000])];
const truths: readonly Pattern[] = [literal("true"), literal("false")];

/** Answers what one dimension may be, for one kind of caller, and keeps the answers. */
export class Feasibility {
  readonly #terms: Terms;
  readonly #keys: QuestionKeys;
  readonly #caller: Caller;
  readonly #budget: Budget;
  readonly #named: Named;
  readonly #results = new Map<string, Feasible>();
  readonly #common = new Map<string, readonly Pattern[]>();

  constructor(terms: Terms, keys: QuestionKeys, caller: Caller, named: Named, budget: Budget) {
    this.#terms = terms;
    this.#keys = keys;
    this.#caller = caller;
    this.#named = named;
    this.#budget = budget;
  }

  /** @param ids Literals of this dimension, in ascending order. */
  of(dimension: Dimension, ids: readonly number[]): Feasible {
    const key = `${dimension.index} ${ids.join()}`;
    let result = this.#results.get(key);
    if (!result) {
      this.#budget.spend(1);
      result = this.#decide(
        dimension,
        ids.map((id) => this.#terms.get(id)),
      );
      this.#results.set(key, result);
    }
    return result;
  }

  #decide(dimension: Dimension, literals: readonly Literal[]): Feasible {
    const presence = this.presence(dimension);
    const absent = presence !== "always" && literals.every(({ absentOk }) => absentOk);
    if (presence === "never") return { absent, present: "no" };
    return { absent, present: this.#present(dimension, literals) };
  }

  presence({ name }: Dimension): "always" | "never" | "free" {
    return name.startsWith("@") ? "always" : presenceOf(this.#caller, name);
  }

  #present(dimension: Dimension, literals: readonly Literal[]): Feasible["present"] {
    if (!dimension.isMultivalued) return this.#has(dimension, literals) ? "yes" : "no";
    const { every, some, plain } = byQuantifier(literals);
    if (plain.length > 0 && this.#has(dimension, literals)) return "yes";
    // The same condition has the same outcome, whatever it is.
    if (plain.some((one) => plain.includes(this.#terms.negation(one)))) return "no";
    const needed = some.length === 0 ? [every] : some.map((one) => [...every, one]);
    if (!needed.every((list) => this.#has(dimension, list))) return "no";
    return plain.length > 0 ? "several" : "yes";
  }

  #has(dimension: Dimension, literals: readonly Literal[]): boolean {
    if (dimension.family === "text" || dimension.family === "opaque") {
      for (const _ of this.texts(dimension, literals)) return true;
      return false;
    }
    return this.ranges(dimension, literals).length > 0;
  }

  ranges(dimension: Dimension, literals: readonly Literal[]): Ranges {
    this.#budget.spend(literals.length);
    return literals.reduce<Ranges>(
      (left, { ranges }) => (ranges ? intersection(left, ranges) : left),
      dimension.family === "address" ? everyAddress : everyRange,
    );
  }

  /** Texts that meet all the literals, at least one for each pattern that has any. */
  *texts(dimension: Dimension, literals: readonly Literal[]): Generator<Found> {
    const none: Pattern[] = [...this.#excluded(dimension)];
    for (const { texts } of literals) if (texts?.negated) none.push(...texts.patterns);
    if (none.includes(anything)) return;
    for (const pattern of this.patterns(dimension, literals, none)) {
      for (const part of this.#inFields(pattern, none)) {
        const text = uncovered(part, none, this.#budget);
        if (text) yield { pattern: part, text };
      }
    }
  }

  /** F8: services and federated callers belong to no account that the documents name. */
  #excluded({ name }: Dimension): readonly Pattern[] {
    const { kind } = this.#caller;
    const isOutside = kind === "service" || kind === "federated";
    return isOutside && name === "aws:principalaccount" ? this.#named.accounts.map(literal) : [];
  }

  /**
   * Patterns that the literals which ask for something have in common.
   * @param none Patterns that are excluded. One with a variable that they cover is left out here:
   * where the variable counts as `*` in a meeting, it would no longer be seen.
   */
  patterns(
    dimension: Dimension,
    literals: readonly Literal[],
    none: readonly Pattern[] = [],
  ): readonly Pattern[] {
    const wanted = literals.filter(({ texts }) => texts && !texts.negated);
    let left = "";
    const lists = wanted.map(({ texts }) => {
      const all = texts?.patterns ?? [];
      if (none.length === 0 || !all.some(({ hasVariable }) => hasVariable)) return all;
      const open = all.filter(
        (pattern) => !pattern.hasVariable || uncovered(pattern, none, this.#budget) !== null,
      );
      if (open.length < all.length) left += `|${open.map(({ key }) => key).join()}`;
      return open;
    });
    const key = `${dimension.index} ${wanted.map(({ id }) => id).join()} ${left}`;
    let common = this.#common.get(key);
    if (!common) {
      const universe = this.universe(dimension);
      common = meetAll(universe ? [...lists, universe] : lists, this.#budget);
      this.#common.set(key, common);
    }
    return common;
  }

  /** Patterns that read a text by field need the fields of it: elsewhere a `*` may be a colon. */
  #inFields(pattern: Pattern, none: readonly Pattern[]): readonly Pattern[] {
    const split = pattern.colons >= 5 && !pattern.fielded && none.some(({ fielded }) => fielded);
    return split ? inFields(pattern, this.#budget) : [pattern];
  }

  /** What a text of the dimension is at most; null: anything. */
  universe({ name, index }: Dimension): readonly Pattern[] | null {
    if (name === "@resource") return resources;
    if (name === "@action") return actions;
    if (name.startsWith("@opaque")) return truths;
    if (name === "aws:principalarn") return arnsOf(this.#caller, this.#named.roles);
    if (name.startsWith("@")) return null;
    const values = valuesOf(this.#caller, name);
    if (values) return values;
    const isBool =
      this.#terms.dimensions[index]?.family === "text" && this.#keys.get(name).type === "Bool";
    return isBool ? truths : null;
  }
}

export function byQuantifier(literals: readonly Literal[]): {
  readonly every: readonly Literal[];
  readonly some: readonly Literal[];
  readonly plain: readonly Literal[];
} {
  const of = (wanted: string) => literals.filter(({ quantifier }) => quantifier === wanted);
  return { every: [...of("every"), ...of("one")], some: of("some"), plain: of("plain") };
}
