import { setImmediate as nextTurn } from "node:timers/promises";

/** Longest stretch of checks without letting the event loop turn, in ms. */
const stretchMs = 8;

/** Keeps long work from holding the event loop, and ends it when nobody waits for it any more. */
export class Pause {
  readonly #signal: AbortSignal | undefined;
  #until: number;

  constructor(signal: AbortSignal | undefined) {
    this.#signal = signal;
    this.#until = performance.now() + stretchMs;
  }

  /** Whether the stretch is over; then `await take()`. */
  get due(): boolean {
    return performance.now() >= this.#until;
  }

  /** @throws the signal's reason once it has fired. */
  async take(): Promise<void> {
    await nextTurn();
    this.#signal?.throwIfAborted();
    this.#until = performance.now() + stretchMs;
  }
}
