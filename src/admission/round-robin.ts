/** A queue that takes turns among callers: the flood of one costs another a single turn. */
export class RoundRobin<Item> {
  /** A `Map` keeps the order of insertion: the first caller is next. */
  readonly #byCaller = new Map<string, Set<Item>>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** Those with items. */
  get callers(): string[] {
    return [...this.#byCaller.keys()];
  }

  /** @returns the newest item of a caller, which stays. Takes time for each of its items. */
  newestOf(caller: string): Item | undefined {
    return [...(this.#byCaller.get(caller) ?? [])].at(-1);
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

  /**
   * @param isFit Whether an item can be taken.
   * @returns the oldest fit item of the caller with the least cost; of several, of the one whose turn it is. Undefined: none,
   * or the cost is infinite.
   */
  nextOf(
    cost: (caller: string) => number,
    isFit: (item: Item) => boolean = () => true,
  ): Item | undefined {
    let cheapest: { caller: string; items: Set<Item>; item: Item; cost: number } | undefined;
    for (const [caller, items] of this.#byCaller) {
      const its = cost(caller);
      if (its >= (cheapest?.cost ?? Number.POSITIVE_INFINITY)) continue;
      const item = items.values().find(isFit);
      if (item !== undefined) cheapest = { caller, items, item, cost: its };
    }
    if (!cheapest) return undefined;
    this.#moveOn(cheapest.caller, cheapest.items, cheapest.item);
    return cheapest.item;
  }

  #take(choose: (items: ReadonlySet<Item>) => Item | undefined): Item | undefined {
    for (const [caller, items] of this.#byCaller) {
      const item = choose(items);
      if (item === undefined) return undefined;
      this.#moveOn(caller, items, item);
      return item;
    }
    return undefined;
  }

  /** Takes an item out; its caller is behind all others then. */
  #moveOn(caller: string, items: Set<Item>, item: Item): void {
    this.remove(caller, item);
    if (items.size === 0) return;
    this.#byCaller.delete(caller);
    this.#byCaller.set(caller, items);
  }

  remove(caller: string, item: Item): void {
    const items = this.#byCaller.get(caller);
    if (!items?.delete(item)) return;
    this.#size--;
    if (items.size === 0) this.#byCaller.delete(caller);
  }
}
