import type { Ranges } from "./intervals.ts";
import { complement } from "./intervals.ts";
import type { Family } from "./keys.ts";
import { literal, type Pattern } from "./patterns.ts";

/** Where a construct that cannot be read stands. */
export interface Place {
  readonly construct: string;
  readonly path: string;
  readonly side: "policy" | "baseline" | "config";
  readonly text: string;
  /** The condition key, where a condition is meant. */
  readonly key: string | null;
}

/** One dimension of a request: the action, the resource, the caller's ARN, or a condition key. */
export interface Dimension {
  readonly index: number;
  /** `@action`, `@resource`, `@opaque …`, `@owner`, or a folded key. */
  readonly name: string;
  readonly family: Family | "opaque";
  readonly isMultivalued: boolean;
  /** A leaf that tests it proves nothing, for this reason. */
  readonly doubt: Place | null;
}

type TextSet = { readonly negated: boolean; readonly patterns: readonly Pattern[] };

/** `one`: the value; `some`, `every`: of several values; `plain`: a list without set operator. */
export type Quantifier = "one" | "some" | "every" | "plain";

export interface Literal {
  readonly id: number;
  readonly dimension: number;
  /** Holds when the key is absent. */
  readonly absentOk: boolean;
  readonly quantifier: Quantifier;
  /** Of a text dimension; of an opaque one the texts mean true and false. */
  readonly texts: TextSet | null;
  readonly ranges: Ranges | null;
}

type Shape = Omit<Literal, "id">;

const opposite: Readonly<Record<Quantifier, Quantifier>> = {
  one: "one",
  some: "every",
  every: "some",
  plain: "plain",
};

/**
 * The dimensions and literals of one question. Literals with the same meaning are one literal, so
 * results can be kept by number.
 */
export class Terms {
  readonly dimensions: Dimension[] = [];
  readonly literals: Literal[] = [];
  readonly #dimensions = new Map<string, Dimension>();
  readonly #literals = new Map<string, Literal>();
  readonly #negations = new Map<number, Literal>();

  dimension(
    name: string,
    family: Dimension["family"] = "text",
    isMultivalued = false,
    doubt: Place | null = null,
  ): Dimension {
    let dimension = this.#dimensions.get(name);
    if (!dimension) {
      dimension = { index: this.dimensions.length, name, family, isMultivalued, doubt };
      this.dimensions.push(dimension);
      this.#dimensions.set(name, dimension);
    }
    return dimension;
  }

  find(name: string): Dimension | undefined {
    return this.#dimensions.get(name);
  }

  literal(shape: Shape): Literal {
    const key = keyOf(shape);
    let literal = this.#literals.get(key);
    if (!literal) {
      literal = { ...shape, id: this.literals.length };
      this.literals.push(literal);
      this.#literals.set(key, literal);
    }
    return literal;
  }

  get(id: number): Literal {
    const literal = this.literals[id];
    if (!literal) throw new Error("no such literal");
    return literal;
  }

  /** What holds exactly where the literal does not. */
  negation(of: Literal): Literal {
    let negation = this.#negations.get(of.id);
    if (!negation) {
      negation = this.literal({
        dimension: of.dimension,
        absentOk: !of.absentOk,
        quantifier: opposite[of.quantifier],
        texts: of.texts && { negated: !of.texts.negated, patterns: of.texts.patterns },
        ranges: of.ranges && complement(of.ranges),
      });
      this.#negations.set(of.id, negation);
      this.#negations.set(negation.id, of);
    }
    return negation;
  }
}

function keyOf({ dimension, absentOk, quantifier, texts, ranges }: Shape): string {
  const head = `${dimension} ${absentOk ? 1 : 0} ${quantifier} `;
  if (texts) {
    const patterns = [...new Set(texts.patterns.map(({ key }) => key))].sort();
    return `${head}${texts.negated ? "!" : "="}${patterns.map((key) => `${key.length}:${key}`).join("")}`;
  }
  return `${head}${(ranges ?? []).map(({ from, to }) => `${from}~${to}`).join()}`;
}

/** A literal that one text dimension has one of the patterns, and that it is there. */
export function oneOf(
  terms: Terms,
  dimension: Dimension,
  patterns: readonly Pattern[],
  negated = false,
): Literal {
  return terms.literal({
    dimension: dimension.index,
    absentOk: false,
    quantifier: "one",
    texts: { negated, patterns },
    ranges: null,
  });
}

/** By dimension: the numbers of its literals, ascending. Absent: none. */
export type State = readonly (readonly number[] | undefined)[];

/** @returns the numbers of literals as a {@link State} has them. */
export function idsOf(literals: readonly Literal[]): readonly number[] {
  return ascending(literals.map(({ id }) => id));
}

/** Each number once, in ascending order. */
export function ascending(ids: readonly number[]): readonly number[] {
  return [...new Set(ids)].sort((left, right) => left - right);
}

/** What cannot be read, as a literal: true or false, the same wherever it has the same id. */
export function opaque(terms: Terms, id: string, doubt: Place): Literal {
  const dimension = terms.dimension(`@opaque ${id}`, "opaque", false, doubt);
  return oneOf(terms, dimension, [literal("true")]);
}
