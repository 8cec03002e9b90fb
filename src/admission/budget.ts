export interface Bounds {
  /** For all callers together. */
  readonly process: number;
  /** For one caller. */
  readonly caller: number;
}

/** Whose share is used up. */
export type Exceeded = "process" | "caller";

/**
 * What is accepted and not yet answered, of one kind: bytes, calls, requests. Counted per process and per caller, so
 * that one caller's flood is refused before it takes what others need.
 */
export class Budget {
  readonly #bounds: Bounds;
  readonly #byCaller = new Map<string, number>();
  #used = 0;

  constructor(bounds: Bounds) {
    this.#bounds = bounds;
  }

  get used(): number {
    return this.#used;
  }

  /** @returns the share that does not suffice, and takes nothing; undefined: the amount is taken. */
  take(caller: string, amount: number): Exceeded | undefined {
    const own = this.#byCaller.get(caller) ?? 0;
    if (own + amount > this.#bounds.caller) return "caller";
    if (this.#used + amount > this.#bounds.process) return "process";
    this.#used += amount;
    this.#byCaller.set(caller, own + amount);
    return undefined;
  }

  release(caller: string, amount: number): void {
    this.#used -= amount;
    const left = (this.#byCaller.get(caller) ?? 0) - amount;
    if (left > 0) this.#byCaller.set(caller, left);
    else this.#byCaller.delete(caller);
  }
}

/** What one request has taken of a budget. Grows while its body arrives; released once. */
export class Reservation {
  readonly #budget: Budget;
  readonly #caller: string;
  #amount = 0;

  constructor(budget: Budget, caller: string) {
    this.#budget = budget;
    this.#caller = caller;
  }

  get amount(): number {
    return this.#amount;
  }

  /** Takes the difference to the amount. @returns false, and takes nothing, if a share does not suffice. */
  growTo(amount: number): boolean {
    const more = amount - this.#amount;
    if (more <= 0) return true;
    if (this.#budget.take(this.#caller, more)) return false;
    this.#amount = amount;
    return true;
  }

  shrinkTo(amount: number): void {
    const over = this.#amount - amount;
    if (over <= 0) return;
    this.#budget.release(this.#caller, over);
    this.#amount = amount;
  }

  release(): void {
    this.shrinkTo(0);
  }
}

/** @returns what one caller may take so that something is left for others: three quarters, or all of very little. */
export function shareOf(process: number): number {
  return process <= 3 ? process : Math.floor((process * 3) / 4);
}
