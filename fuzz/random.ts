/** Random values that depend on nothing but what the source was made from. */
export class Random {
  #a: number;
  #b: number;
  #c: number;
  #counter = 1;

  /** @param parts What the values depend on, e.g. seed, target and number of a case. */
  constructor(...parts: readonly (string | number)[]) {
    let hash = 0x811c9dc5;
    for (const char of parts.join("\u0000")) {
      hash = Math.imul(hash ^ (char.codePointAt(0) ?? 0), 0x01000193);
    }
    this.#a = hash;
    this.#b = Math.imul(hash, 0x9e3779b1);
    this.#c = ~hash;
    for (let round = 0; round < 12; round++) this.uint32();
  }

  /** The generator sfc32: small, fast, and good enough for choosing. */
  uint32(): number {
    const sum = (((this.#a + this.#b) | 0) + this.#counter) | 0;
    this.#counter = (this.#counter + 1) | 0;
    this.#a = this.#b ^ (this.#b >>> 9);
    this.#b = (this.#c + (this.#c << 3)) | 0;
    this.#c = (((this.#c << 21) | (this.#c >>> 11)) + sum) | 0;
    return sum >>> 0;
  }

  /** @returns 0 to bound - 1. */
  below(bound: number): number {
    return Math.floor((this.uint32() / 0x1_0000_0000) * bound);
  }

  /** @returns min to max, both included. */
  between(min: number, max: number): number {
    return min + this.below(max - min + 1);
  }

  /** Mostly small, now and then up to the bound. */
  small(bound: number): number {
    return this.below(this.below(bound + 1) + 1);
  }

  chance(probability: number): boolean {
    return this.uint32() < probability * 0x1_0000_0000;
  }

  pick<Item>(items: readonly [Item, ...Item[]] | readonly Item[]): Item {
    const index = this.below(items.length);
    if (index >= items.length) throw new RangeError("There is nothing to pick from.");
    return items[index] as Item;
  }

  /** One of the makers, each as likely as its weight says, called. */
  weighted<Made>(makers: readonly (readonly [weight: number, make: () => Made])[]): Made {
    let at = this.below(makers.reduce((sum, [weight]) => sum + weight, 0));
    for (const [weight, make] of makers) {
      at -= weight;
      if (at < 0) return make();
    }
    throw new RangeError("There is nothing to choose from.");
  }

  list<Item>(length: number, make: () => Item): Item[] {
    return Array.from({ length }, make);
  }
}
