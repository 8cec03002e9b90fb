/** Has room for what is worked out about it. */
export interface Keeper {
  readonly kept: unknown[];
}

let places = 0;

/**
 * One kind of fact about policies or statements, worked out once and kept on each. What a `WeakMap`
 * would do, but V8's collector of young objects holds the values of one whether the keys live or not,
 * and facts lead back to their statements: all of them would wait for the next full collection.
 */
export class Kept<Subject extends Keeper, Fact> {
  readonly #place = places++;

  get(subject: Subject): Fact | undefined {
    // Only `set` writes to this place.
    return subject.kept[this.#place] as Fact | undefined;
  }

  set(subject: Subject, fact: Fact): void {
    subject.kept[this.#place] = fact;
  }
}
