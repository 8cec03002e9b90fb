/** Characters and entries that the references of a file give together: some 200,000 references to texts of usual length. */
const mostUnits = 32 * 1_048_576;

/** A reference to an empty text takes time, too. */
const unitsOfReference = 64;

/**
 * Bounds what references copy: ten locals that name each other a hundred times each, in 10 KB, would give a text that no memory
 * holds. Texts that are written out are as long as the file.
 */
export class ReferenceBudget {
  #left = mostUnits;
  readonly #sizes = new WeakMap<object, number>();

  get isSpent(): boolean {
    return this.#left <= 0;
  }

  /** Takes the size of a value that a reference gives. */
  spend(value: unknown): void {
    this.#left -= unitsOfReference + this.#sizeOf(value);
  }

  /** Characters and entries, each as often as the value has it: lists may be the same object in many places. */
  #sizeOf(value: unknown): number {
    if (typeof value === "string") return value.length;
    if (typeof value !== "object" || value === null) return 1;
    const known = this.#sizes.get(value);
    if (known !== undefined) return known;
    const size = Object.entries(value).reduce(
      (sum, [name, member]) => sum + name.length + this.#sizeOf(member),
      1,
    );
    this.#sizes.set(value, size);
    return size;
  }
}
