import { setImmediate as nextTurn } from "node:timers/promises";

/** Longest stretch of work without letting the event loop turn, in ms. */
const stretchMs = 8;
/** Steps between looks at the clock, which costs as much as a step that finds nothing to do. */
const stepsPerLook = 4;

/** When the stretch of this turn of the event loop ends; null: no work has been done in it yet. */
let stretchEnd: number | null = null;

function isStretchOver(): boolean {
  const now = performance.now();
  if (stretchEnd === null) {
    stretchEnd = now + stretchMs;
    // Set before anyone waits for the next turn, so it runs before they go on.
    setImmediate(() => {
      stretchEnd = null;
    });
  }
  return now >= stretchEnd;
}

/**
 * Keeps long work from holding the event loop, and ends it when nobody waits for it any more. All
 * work of a thread shares one stretch per turn: sixteen calls with a stretch each would still hold
 * the loop sixteen times as long.
 */
export class Yielder {
  readonly #signal: AbortSignal | undefined;
  /** So that the first step looks. */
  #steps = stepsPerLook - 1;

  constructor(signal: AbortSignal | undefined) {
    this.#signal = signal;
  }

  /** Whether the stretch is over; then `await yieldNow()`. To be asked after, or before, each step. */
  get shouldYield(): boolean {
    this.#steps = (this.#steps + 1) % stepsPerLook;
    return this.#steps === 0 && isStretchOver();
  }

  /**
   * Resolves in a turn that has time left; who waits longest goes first.
   * @throws the signal's reason once it has fired.
   */
  async yieldNow(): Promise<void> {
    do {
      await nextTurn();
      this.#signal?.throwIfAborted();
    } while (isStretchOver());
  }
}
