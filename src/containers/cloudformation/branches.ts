import { isRecord } from "../../record.ts";

/** Which branches of `Fn::If` the readings of a policy have taken. */
export class Branches {
  /** By the argument of `Fn::If`. */
  readonly #taken = new Map<unknown, Set<boolean>>();

  take(argument: unknown, isTrue: boolean): void {
    const taken = this.#taken.get(argument) ?? new Set();
    this.#taken.set(argument, taken.add(isTrue));
  }

  /** @returns Whether both branches of each condition in a value were taken. */
  areAllTaken(value: unknown): boolean {
    if (Array.isArray(value)) return value.every((item) => this.areAllTaken(item));
    if (!isRecord(value)) return true;
    return Object.entries(value).every(
      ([name, member]) =>
        (name !== "Fn::If" || this.#taken.get(member)?.size === 2) && this.areAllTaken(member),
    );
  }
}
