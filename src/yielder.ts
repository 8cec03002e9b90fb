import { TurnQueue } from "./turn-queue.ts";

/**
 * Maximum time of work per turn of the event loop, in ms. A new connection needs some five turns from its start to its
 * answer, and a flood adds as much again for what connections send.
 */
const sliceMs = 4;
/**
 * Steps between reads of the clock. On virtual machines a read costs half a microsecond, more than a step
 * without work. After long steps the clock is read at each of them.
 */
const mostSteps = 16;
/** Steps between two reads that together took longer than this, in ms, are long. */
const longMs = 0.25;

/** End of the time slice of this turn of the event loop; null: no work has been done in it yet. */
let sliceEnd: number | null = null;

function isSliceOver(now: number): boolean {
  if (sliceEnd === null) {
    sliceEnd = now + sliceMs;
    // Scheduled before anyone waits for the next turn, so it runs before they continue.
    setImmediate(() => {
      sliceEnd = null;
    });
  }
  return now >= sliceEnd;
}

const queue = new TurnQueue(() => !isSliceOver(performance.now()));

/**
 * Makes long work yield to the event loop, and stops it when its signal fires. All work of a thread
 * shares one time slice per turn: with a slice each, sixteen calls would block the loop sixteen times
 * as long. Pieces of work with one signal are one call.
 */
export class Yielder {
  readonly #signal: AbortSignal | undefined;
  /** Steps until the next read of the clock; the first step reads it. */
  #left = 1;
  #stepsPerRead = 4;
  #lastRead = Number.NEGATIVE_INFINITY;

  constructor(signal: AbortSignal | undefined) {
    this.#signal = signal;
  }

  /** Whether the time slice is over. Read it at each step; if true, `await yieldNow()`. */
  get shouldYield(): boolean {
    return --this.#left === 0 && this.#read();
  }

  /** The same for steps that are long beside a read of the clock. */
  get isDue(): boolean {
    return isSliceOver(performance.now());
  }

  #read(): boolean {
    const now = performance.now();
    const isLong = now - this.#lastRead > longMs;
    this.#stepsPerRead = isLong ? 1 : Math.min(mostSteps, this.#stepsPerRead * 2);
    this.#left = this.#stepsPerRead;
    this.#lastRead = now;
    return isSliceOver(now);
  }

  /**
   * Resolves in a turn with time left.
   * @throws The signal's reason once it has fired.
   */
  async yieldNow(): Promise<void> {
    await queue.wait(this.#signal);
    this.#signal?.throwIfAborted();
  }
}
