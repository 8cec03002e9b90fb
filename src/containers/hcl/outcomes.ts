/** Readings of one value. More loops and conditions than this are left as they are in the first reading. */
const maxReadings = 200;

/** A value, and what was chosen for it, as in "`var.is_public` is true". */
export interface Outcome<Value> {
  readonly value: Value;
  readonly choices: readonly string[];
}

/**
 * Chooses outcomes for expressions that have several: conditional expressions, and the entries of a `for_each`. Equal
 * conditions have equal outcomes, so branches that exclude each other are never in one policy.
 */
export class Outcomes {
  /** Null: no value is being read, so expressions with several outcomes are unknown. */
  #chosen: ReadonlyMap<string, number> | null = null;
  #met = new Map<string, readonly string[]>();

  /** Whether another than the first outcome of an expression is read. */
  get isVaried(): boolean {
    return this.#chosen !== null && this.#chosen.size > 0;
  }

  /** The reading under way, as an object that no other reading has. */
  get reading(): object {
    return this.#met;
  }

  /**
   * @param phrases What each outcome is for people.
   * @returns The index of the outcome that is read; null: the expression is unknown here.
   */
  pick(key: string, phrases: readonly string[]): number | null {
    if (this.#chosen === null) return null;
    this.#met.set(key, phrases);
    return Math.min(this.#chosen.get(key) ?? 0, phrases.length - 1);
  }

  /** Reads a value with the first outcome of everything, then with one other outcome at a time, and those within it. */
  *all<Value>(read: () => Value): Generator<Outcome<Value>> {
    const base = this.#read(read, new Map());
    yield base.outcome;
    const queue = [...variations(base.met, new Map(), new Map())];
    for (let count = 1; count < maxReadings; count++) {
      const chosen = queue.shift();
      if (!chosen) return;
      const { outcome, met } = this.#read(read, chosen);
      yield outcome;
      queue.push(...variations(met, base.met, chosen));
    }
  }

  #read<Value>(read: () => Value, chosen: ReadonlyMap<string, number>) {
    const before = { chosen: this.#chosen, met: this.#met };
    this.#chosen = chosen;
    this.#met = new Map();
    try {
      const value = read();
      const met = this.#met;
      const choices = [...met].flatMap(([key, phrases]) => phrases[chosen.get(key) ?? 0] ?? []);
      return { outcome: { value, choices }, met };
    } finally {
      this.#chosen = before.chosen;
      this.#met = before.met;
    }
  }
}

/** The other outcomes of what was met and is not known from before. */
function* variations(
  met: ReadonlyMap<string, readonly string[]>,
  known: ReadonlyMap<string, unknown>,
  chosen: ReadonlyMap<string, number>,
): Generator<ReadonlyMap<string, number>> {
  for (const [key, phrases] of met) {
    if (known.has(key) || chosen.has(key)) continue;
    for (let index = 1; index < phrases.length; index++) yield new Map(chosen).set(key, index);
  }
}

/** A condition as text that is equal for equal conditions, and whether it is the opposite of that text. */
export function conditionKey(written: string): { key: string; isOpposite: boolean } {
  let key = written.replaceAll(/\s+/g, " ").trim();
  let isOpposite = false;
  for (let round = 0; round < 5; round++) {
    const [, inner] = /^\(([^()]*(?:\([^()]*\)[^()]*)*)\)$/.exec(key) ?? [];
    const [, negated] = /^! ?([\w.()[\]"-]+)$/.exec(key) ?? [];
    if (negated !== undefined) isOpposite = !isOpposite;
    const next = inner?.trim() ?? negated;
    if (next === undefined) break;
    key = next;
  }
  const [left, right, ...more] = key.split(" != ");
  if (left === undefined || right === undefined || more.length > 0 || /&&|\|\|/.test(key)) {
    return { key, isOpposite };
  }
  return { key: `${left} == ${right}`, isOpposite: !isOpposite };
}
