/** A queue that takes turns among callers: the flood of one costs another a single turn. */
export class RoundRobin<Item> {
  /** A `Map` keeps the order of insertion: the first caller is next. */
  readonly #byCaller = new Map<string, Set<Item>>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  add(caller: string, item: Item): void {
    const items = this.#byCaller.get(caller);
    if (items) items.add(item);
    else this.#byCaller.set(caller, new Set([item]));
    this.#size++;
  }

  /** @returns the oldest item of the caller whose turn it is; undefined: there is none. */
  next(): Item | undefined {
    return this.#take((items) => items.values().next().value);
  }

  /** @returns the newest item of the caller whose turn it is; undefined: there is none. Takes time for each item. */
  nextNewest(): Item | undefined {
    return this.#take((items) => [...items].at(-1));
  }

  #take(choose: (items: ReadonlySet<Item>) => Item | undefined): Item | undefined {
    for (const [caller, items] of this.#byCaller) {
      const item = choose(items);
      if (item === undefined) return undefined;
      this.remove(caller, item);
      // Behind all others.
      if (items.size > 0) {
        this.#byCaller.delete(caller);
        this.#byCaller.set(caller, items);
      }
      return item;
    }
    return undefined;
  }

  remove(caller: string, item: Item): void {
    const items = this.#byCaller.get(caller);
    if (!items?.delete(item)) return;
    this.#size--;
    if (items.size === 0) this.#byCaller.delete(caller);
  }
}
