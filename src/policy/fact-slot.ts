/** An object with room for what is worked out about it, one place for each slot. */
export interface HasFacts {
  readonly facts: unknown[];
}

let slots = 0;

/** @returns room for all kinds of facts: a list that grows as facts come is copied, and reading behind its end is slow. */
export function roomForFacts(): unknown[] {
  return new Array(slots).fill(undefined);
}

/**
 * One kind of fact about policies or statements, worked out once and stored in the object itself. A `WeakMap`
 * would do the same, but V8's collector of young objects holds the values of one whether the keys live or not,
 * and facts lead back to their statements: all of them would wait for the next full collection.
 */
export class FactSlot<Subject extends HasFacts, Fact> {
  readonly #index = slots++;

  get(subject: Subject): Fact | undefined {
    // Only `set` writes at this index.
    return subject.facts[this.#index] as Fact | undefined;
  }

  set(subject: Subject, fact: Fact): void {
    subject.facts[this.#index] = fact;
  }
}
