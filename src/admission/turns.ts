import { RoundRobin } from "./round-robin.ts";

/** Gives the turn back; a second time does nothing. */
export type EndTurn = () => void;

/** A number of turns at something scarce, a thread or the main thread, taken round robin by caller. */
export class Turns {
  readonly #waiting = new RoundRobin<() => void>();
  #free: number;

  constructor(turns: number) {
    this.#free = turns;
  }

  get waiting(): number {
    return this.#waiting.size;
  }

  /**
   * Waits for a turn.
   * @throws the signal's reason when it fires first.
   */
  async take(caller: string, signal?: AbortSignal): Promise<EndTurn> {
    signal?.throwIfAborted();
    if (this.#free > 0) this.#free--;
    else await this.#wait(caller, signal);
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      const next = this.#waiting.next();
      if (next) next();
      else this.#free++;
    };
  }

  #wait(caller: string, signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const onAbort = () => {
        this.#waiting.remove(caller, start);
        reject(signal?.reason);
      };
      const start = () => {
        signal?.removeEventListener("abort", onAbort);
        resolve();
      };
      signal?.addEventListener("abort", onAbort, { once: true });
      this.#waiting.add(caller, start);
    });
  }
}
