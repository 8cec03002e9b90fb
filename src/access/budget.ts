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
  #steps = 0;
  /** Work outside the search. */
  #toil = 0;
  /** Work since the last pause, in steps. */
  #work = 0;
  readonly #max: number;

  constructor(max: number) {
    this.#max = max;
  }

  get steps(): number {
    return this.#steps;
  }

  /** @throws {BudgetExceeded} when the steps are used up. */
  spend(steps: number): void {
    this.#steps += steps;
    this.#work += steps;
    if (this.#steps > this.#max) throw new BudgetExceeded();
  }

  /**
   * Work outside the search, in steps that take as long or less.
   * @throws {BudgetExceeded} when it is more than twice as much as all steps: thousands of equal statements take no step
   * of the search, but each of them is compared with each of the others.
   */
  toil(steps: number): void {
    this.#toil += steps;
    this.#work += steps;
    if (this.#toil > toilPerStep * this.#max) throw new BudgetExceeded();
  }

  /** Takes back steps that were spent on work that will be done again. */
  refund(steps: number): void {
    this.#steps -= steps;
  }

  /** Whether enough work was done since the last pause to hand control back. */
  get pauseDue(): boolean {
    if (unpaused > 0 || this.#work < stepsPerSlice) return false;
    this.#work = 0;
    return true;
  }
}

/** Some 2 ms of work. */
const stepsPerSlice = 250;

/** Work outside the search that a question may take for each step that it may take. */
const toilPerStep = 2;

/** Work in progress: yields null where control may be handed back, returns the result. */
export type Steps<Result> = Generator<null, Result>;

/** Calls under way that take no pause, so that one is still due when they return. */
let unpaused = 0;

/** The next result of work in progress, without a pause. */
export function nextOf<Found, Result>(
  steps: Iterator<Found | null, Result>,
): IteratorResult<Found | null, Result> {
  unpaused++;
  try {
    return steps.next();
  } finally {
    unpaused--;
  }
}

/** Does the work without a pause. */
export function finish<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const step = nextOf(steps);
    if (step.done) return step.value;
  }
}
