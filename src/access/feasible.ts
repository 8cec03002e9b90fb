import { everyAddress } from "./addresses.ts";
import { type Budget, finish, nextOf, type Steps } from "./budget.ts";
import { arnsOf, type Caller, presenceOf, valuesOf } from "./callers.ts";
import { everyRange, intersection, type Ranges } from "./intervals.ts";
import type { QuestionKeys } from "./keys.ts";
import type { Dimension, Literal, Terms } from "./literals.ts";
import { inFields, meetAll, sixFields } from "./meet.ts";
import { anything, literal, type Pattern, patternOf } from "./patterns.ts";
import { colon, noColon, run, type Token } from "./tokens.ts";
import { uncoveredSteps } from "./uncovered.ts";

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

/**
 * @returns Whether a request may lack the key, or may have a value that meets the conditions.
 */
export function isPossible({ absent, present }: Feasible): boolean {
  return absent || present !== "no";
}

/** Resources of requests: an ARN, or `*` for actions that work on no resource. */
const arn: Pattern = patternOf([97, 114, 110, ...sixFields.tokens.slice(1)]);
const resources: readonly Pattern[] = [arn, literal("*")];
/** Service and name, neither of which has a colon. */
const actions: readonly Pattern[] = [patternOf([run + noColon, colon, run + noColon])];
const truths: readonly Pattern[] = [literal("true"), literal("false")];

/** Thrown where a pause is due before a feasibility is decided. */
class Pending extends Error {
  /** What is left to do. */
  readonly steps: Steps<unknown>;

  constructor(steps: Steps<unknown>) {
    super("a feasibility is not decided yet");
    this.steps = steps;
  }
}

/** Answers what one dimension may be, for one kind of caller, and keeps the answers. */
export class Feasibility {
  readonly #terms: Terms;
  readonly #keys: QuestionKeys;
  readonly #caller: Caller;
  readonly #budget: Budget;
  readonly #named: Named;
  readonly #results = new Map<string, Feasible>();
  readonly #common = new Map<string, readonly Pattern[]>();
  #mayPause = false;
  /** Steps spent on feasibilities that were decided in the work under way. */
  #keptSteps = 0;

  constructor(terms: Terms, keys: QuestionKeys, caller: Caller, named: Named, budget: Budget) {
    this.#terms = terms;
    this.#keys = keys;
    this.#caller = caller;
    this.#named = named;
    this.#budget = budget;
  }

  /**
   * @param ids Literals of this dimension, in ascending order.
   * @throws {Pending} In a `whenReady`, where a pause is due meanwhile.
   */
  of(dimension: Dimension, ids: readonly number[]): Feasible {
    const key = `${dimension.index} ${ids.join()}`;
    const known = this.#results.get(key);
    if (known) return known;
    const steps = this.#decided(key, dimension, ids);
    const before = this.#budget.steps;
    try {
      if (!this.#mayPause) return finish(steps);
      const step = steps.next();
      if (!step.done) throw new Pending(steps);
      return step.value;
    } finally {
      this.#keptSteps += this.#budget.steps - before;
    }
  }

  /** {@link of} with pauses. */
  *ofSteps(dimension: Dimension, ids: readonly number[]): Steps<Feasible> {
    const key = `${dimension.index} ${ids.join()}`;
    return this.#results.get(key) ?? (yield* this.#decided(key, dimension, ids));
  }

  /**
   * Does work that asks for feasibilities. Where a pause is due in one, the work is broken off, the
   * feasibility decided with pauses, and the work begun anew; it must change nothing before its end.
   * The count of steps is that of doing the work once.
   */
  *whenReady<Result>(work: () => Result): Steps<Result> {
    for (;;) {
      const before = this.#budget.steps;
      let pending: Pending;
      this.#keptSteps = 0;
      this.#mayPause = true;
      try {
        return work();
      } catch (error) {
        if (!(error instanceof Pending)) throw error;
        pending = error;
      } finally {
        this.#mayPause = false;
      }
      // What was decided meanwhile is kept, and is not decided again.
      this.#budget.refund(this.#budget.steps - before - this.#keptSteps);
      yield null;
      yield* pending.steps;
    }
  }

  *#decided(key: string, dimension: Dimension, ids: readonly number[]): Steps<Feasible> {
    this.#budget.spend(1);
    const result = yield* this.#decide(
      dimension,
      ids.map((id) => this.#terms.get(id)),
    );
    this.#results.set(key, result);
    return result;
  }

  *#decide(dimension: Dimension, literals: readonly Literal[]): Steps<Feasible> {
    const presence = this.presence(dimension);
    const absent = presence !== "always" && literals.every(({ absentOk }) => absentOk);
    if (presence === "never") return { absent, present: "no" };
    return { absent, present: yield* this.#present(dimension, literals) };
  }

  presence({ name }: Dimension): "always" | "never" | "free" {
    return name.startsWith("@") ? "always" : presenceOf(this.#caller, name);
  }

  *#present(dimension: Dimension, literals: readonly Literal[]): Steps<Feasible["present"]> {
    if (!dimension.isMultivalued) return (yield* this.#has(dimension, literals)) ? "yes" : "no";
    const { every, some, plain } = byQuantifier(literals);
    if (plain.length > 0 && (yield* this.#has(dimension, literals))) return "yes";
    // The same condition has the same outcome, whatever it is.
    if (plain.some((one) => plain.includes(this.#terms.negation(one)))) return "no";
    const needed = some.length === 0 ? [every] : some.map((one) => [...every, one]);
    for (const list of needed) if (!(yield* this.#has(dimension, list))) return "no";
    return plain.length > 0 ? "several" : "yes";
  }

  *#has(dimension: Dimension, literals: readonly Literal[]): Steps<boolean> {
    if (dimension.family === "text" || dimension.family === "opaque") {
      for (const found of this.textSteps(dimension, literals)) {
        if (found) return true;
        yield null;
      }
      return false;
    }
    return this.ranges(dimension, literals).length > 0;
  }

  ranges({ family }: Pick<Dimension, "family">, literals: readonly Literal[]): Ranges {
    this.#budget.spend(literals.length);
    return literals.reduce<Ranges>(
      (left, { ranges }) => (ranges ? intersection(left, ranges) : left),
      family === "address" ? everyAddress : everyRange,
    );
  }

  /** Texts that meet all the literals, at least one for each pattern that has any. */
  *texts(dimension: Dimension, literals: readonly Literal[]): Generator<Found> {
    const steps = this.textSteps(dimension, literals);
    for (let step = nextOf(steps); !step.done; step = nextOf(steps)) {
      if (step.value) yield step.value;
    }
  }

  /** The same, with null where control may be handed back. */
  *textSteps(dimension: Dimension, literals: readonly Literal[]): Generator<Found | null, void> {
    const none: Pattern[] = [...this.excluded(dimension)];
    for (const { texts } of literals) if (texts?.negated) none.push(...texts.patterns);
    if (none.includes(anything)) return;
    for (const pattern of yield* this.#patternSteps(dimension, literals, none)) {
      for (const part of yield* this.#inFields(pattern, none)) {
        const text = yield* uncoveredSteps(part, none, this.#budget);
        if (text) yield { pattern: part, text };
        else if (this.#budget.pauseDue) yield null;
      }
    }
  }

  /** F8: services and federated callers belong to no account that the documents name. */
  excluded({ name }: Dimension): readonly Pattern[] {
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
    return finish(this.#patternSteps(dimension, literals, none));
  }

  *#patternSteps(
    dimension: Dimension,
    literals: readonly Literal[],
    none: readonly Pattern[],
  ): Steps<readonly Pattern[]> {
    const wanted = literals.filter(({ texts }) => texts && !texts.negated);
    let left = "";
    const lists: (readonly Pattern[])[] = [];
    for (const { texts } of wanted) {
      const all = texts?.patterns ?? [];
      if (none.length === 0 || !all.some(({ hasVariable }) => hasVariable)) {
        lists.push(all);
        continue;
      }
      const open: Pattern[] = [];
      for (const pattern of all) {
        const isOpen =
          !pattern.hasVariable || (yield* uncoveredSteps(pattern, none, this.#budget)) !== null;
        if (isOpen) open.push(pattern);
        if (this.#budget.pauseDue) yield null;
      }
      if (open.length < all.length) left += `|${open.map(({ key }) => key).join()}`;
      lists.push(open);
    }
    const key = `${dimension.index} ${wanted.map(({ id }) => id).join()} ${left}`;
    let common = this.#common.get(key);
    if (!common) {
      const universe = this.universe(dimension);
      common = yield* meetAll(universe ? [...lists, universe] : lists, this.#budget);
      this.#common.set(key, common);
    }
    return common;
  }

  /** Patterns that read a text by field need the fields of it: elsewhere a `*` may be a colon. */
  *#inFields(pattern: Pattern, none: readonly Pattern[]): Steps<readonly Pattern[]> {
    const split = pattern.colons >= 5 && !pattern.fielded && none.some(({ fielded }) => fielded);
    return split ? yield* inFields(pattern, this.#budget) : [pattern];
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

/**
 * Literals by what they ask of the values of a key: of every value, of some value, or of the key without a
 * set operator.
 * A key with one value (`one`) counts as `every`.
 */
export function byQuantifier(literals: readonly Literal[]): {
  readonly every: readonly Literal[];
  readonly some: readonly Literal[];
  readonly plain: readonly Literal[];
} {
  const of = (wanted: string) => literals.filter(({ quantifier }) => quantifier === wanted);
  return { every: [...of("every"), ...of("one")], some: of("some"), plain: of("plain") };
}
