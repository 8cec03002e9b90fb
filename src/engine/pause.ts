import { setImmediate as nextTurn } from "node:timers/promises";

/** Longest stretch of checks without letting the event loop turn, in ms. */
const stretchMs = 8;
/** Steps between looks at the clock, which costs as much as a step that finds nothing to do. */
const stepsPerLook = 4;

/** Keeps long work from holding the event loop, and ends it when nobody waits for it any more. */
export class Pause {
  readonly #signal: AbortSignal | undefined;
  #until: number;
  #steps = 0;

  constructor(signal: AbortSignal | undefined) {
    this.#signal = signal;
    this.#until = performance.now() + stretchMs;
  }

  /** Whether the stretch is over; then `await take()`. To be asked after each step. */
  get due(): boolean {
    this.#steps = (this.#steps + 1) % stepsPerLook;
    return this.#steps === 0 && performance.now() >= this.#until;
  }

  /** @throws the signal's reason once it has fired. */
  async take(): Promise<void> {
    await nextTurn();
    this.#signal?.throwIfAborted();
    this.#until = performance.now() + stretchMs;
  }
}
