/** Thrown inside a search whose budget is used up; caught where the question is asked. */
export class BudgetExceeded extends Error {
  constructor() {
    super("the budget of steps is used up");
  }
}

/**
 * Counts the work of one question. A step is one text tested against one pattern, one meeting of two
 * patterns, one test of a dimension, or one node of the search; long texts count more. The count
 * depends on the input only, so it is the same on every machine.
 */
export class Budget {
  steps = 0;
  readonly #max: number;
  #pauseAt: number;

  constructor(max: number) {
    this.#max = max;
    this.#pauseAt = stepsPerSlice;
  }

  /** @throws {BudgetExceeded} when the steps are used up. */
  spend(steps: number): void {
    this.steps += steps;
    if (this.steps > this.#max) throw new BudgetExceeded();
  }

  /** Whether enough work was done since the last pause to hand control back. */
  get pauseDue(): boolean {
    if (this.steps < this.#pauseAt) return false;
    this.#pauseAt = this.steps + stepsPerSlice;
    return true;
  }
}

const stepsPerSlice = 500;
