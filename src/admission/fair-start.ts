import { RoundRobin } from "./round-robin.ts";

/** Longest stretch of starting requests without letting the event loop turn, in ms. */
const stretchMs = 5;
/** Callers remembered as known. */
const mostKnown = 4_096;

/**
 * Starts requests as they come while the event loop has time for them, and past that round robin by whoever sends
 * them. It knows no more of a sender than the head of the request tells; those who have been authenticated before
 * take every other turn, so that a flood under invented names does not keep them waiting.
 */
export class FairStart {
  readonly #known = new RoundRobin<() => void>();
  readonly #strangers = new RoundRobin<() => void>();
  readonly #remembered = new Set<string>();
  #turnOfStranger = false;
  /** When this turn of the event loop began to start requests; undefined: not yet. */
  #began: number | undefined;
  #scheduled = 0;

  get waiting(): number {
    return this.#known.size + this.#strangers.size;
  }

  /**
   * @param senderOf Asked only when the request has to wait.
   * @param isKnown Whether the sender counts as known, remembered or not.
   */
  start(senderOf: () => string, run: () => void, isKnown = false): void {
    if (this.waiting === 0 && this.#hasTime()) {
      run();
      return;
    }
    const sender = senderOf();
    const queue = isKnown || this.#remembered.has(sender) ? this.#known : this.#strangers;
    queue.add(sender, run);
    this.#schedule();
  }

  /** From now on the sender counts as known. */
  remember(sender: string): void {
    // The one used last is the last to be forgotten.
    this.#remembered.delete(sender);
    this.#remembered.add(sender);
    if (this.#remembered.size <= mostKnown) return;
    for (const oldest of this.#remembered) {
      this.#remembered.delete(oldest);
      return;
    }
  }

  #hasTime(): boolean {
    const now = performance.now();
    if (this.#began === undefined) {
      this.#began = now;
      setImmediate(() => {
        this.#began = undefined;
      });
    }
    return now - this.#began < stretchMs;
  }

  /** One callback for each request, since what a start leads to runs between two of them and counts too. */
  #schedule(): void {
    if (this.#scheduled >= Math.min(this.waiting, 64)) return;
    this.#scheduled++;
    setImmediate(() => {
      this.#scheduled--;
      if (this.#hasTime()) this.#next()?.();
      if (this.waiting > 0) this.#schedule();
    });
  }

  #next(): (() => void) | undefined {
    const [first, second] = this.#turnOfStranger
      ? [this.#strangers, this.#known]
      : [this.#known, this.#strangers];
    this.#turnOfStranger = !this.#turnOfStranger;
    return first.next() ?? second.next();
  }
}
