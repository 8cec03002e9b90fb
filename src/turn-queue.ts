/** A call that shares the event loop with others. */
interface Call {
  /** How many calls had begun before it. */
  readonly begun: number;
  /** Turns that it has had after waiting. */
  turns: number;
}

interface Waiting {
  readonly call: Call;
  readonly signal: AbortSignal | undefined;
  readonly resume: () => void;
}

/**
 * Calls that wait for time on the event loop. It goes in turn to the call that has had least of it, so that a short call
 * does not wait for long ones to end, and to the oldest, which no number of short ones holds up.
 */
export class TurnQueue {
  readonly #hasTime: () => boolean;
  readonly #waiting = new Set<Waiting>();
  readonly #calls = new WeakMap<AbortSignal, Call>();
  #begun = 0;
  #isOldestNext = false;

  /** @param hasTime Whether this turn of the event loop has time left. */
  constructor(hasTime: () => boolean) {
    this.#hasTime = hasTime;
  }

  /**
   * Resolves when it is the call's turn, or its signal has fired.
   * @param signal Of the call; absent: the work is a call by itself.
   */
  wait(signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resume) => {
      this.#waiting.add({ call: this.#callOf(signal), signal, resume });
      this.#schedule();
    });
  }

  #callOf(signal: AbortSignal | undefined): Call {
    const known = signal && this.#calls.get(signal);
    if (known) return known;
    const call = { begun: this.#begun++, turns: 0 };
    if (signal) this.#calls.set(signal, call);
    return call;
  }

  /** One callback for each that waits: what it resumes runs before the next callback of the same turn. */
  #schedule(): void {
    setImmediate(() => {
      const next = this.#next();
      if (!next) {
        if (this.#waiting.size > 0) this.#schedule();
        return;
      }
      this.#waiting.delete(next);
      next.call.turns++;
      next.resume();
    });
  }

  #next(): Waiting | undefined {
    const waiting = [...this.#waiting];
    const stopped = waiting.find(({ signal }) => signal?.aborted);
    if (stopped) return stopped;
    if (!this.#hasTime()) return undefined;
    const key = this.#isOldestNext ? "begun" : "turns";
    this.#isOldestNext = !this.#isOldestNext;
    let [first] = waiting;
    for (const one of waiting) if (first && one.call[key] < first.call[key]) first = one;
    return first;
  }
}
