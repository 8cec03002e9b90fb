import { setImmediate as nextTurn } from "node:timers/promises";

/** Maximum time of work per turn of the event loop, in ms. */
const sliceMs = 8;
/** Steps between reads of the clock. Reading it costs as much as a step without work. */
const stepsPerRead = 4;

/** End of the time slice of this turn of the event loop; null: no work has been done in it yet. */
let sliceEnd: number | null = null;

function isSliceOver(): boolean {
  const now = performance.now();
  if (sliceEnd === null) {
    sliceEnd = now + sliceMs;
    // Scheduled before anyone waits for the next turn, so it runs before they continue.
    setImmediate(() => {
      sliceEnd = null;
    });
  }
  return now >= sliceEnd;
}

/**
 * Makes long work yield to the event loop, and stops it when its signal fires. All work of a thread
 * shares one time slice per turn: with a slice each, sixteen calls would block the loop sixteen times
 * as long.
 */
export class Yielder {
  readonly #signal: AbortSignal | undefined;
  /** The first step reads the clock. */
  #steps = stepsPerRead - 1;

  constructor(signal: AbortSignal | undefined) {
    this.#signal = signal;
  }

  /** Whether the time slice is over. Read it at each step; if true, `await yieldNow()`. */
  get shouldYield(): boolean {
    this.#steps = (this.#steps + 1) % stepsPerRead;
    return this.#steps === 0 && isSliceOver();
  }

  /** The same for steps that are long beside a read of the clock. */
  get isDue(): boolean {
    return isSliceOver();
  }

  /**
   * Resolves in a turn with time left, in the order of the calls.
   * @throws The signal's reason once it has fired.
   */
  async yieldNow(): Promise<void> {
    do {
      await nextTurn();
      this.#signal?.throwIfAborted();
    } while (isSliceOver());
  }
}
