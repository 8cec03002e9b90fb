import { setTimeout as after } from "node:timers/promises";
import { recentlyUsed } from "../auth/recently-used.ts";

/** Senders of late; the others have had no refusal for a while. */
const mostRemembered = 4_096;

export interface PaceBounds {
  /** Time between two refusals of one sender, in ms. */
  readonly everyMs: number;
  /** The longest that one waits, in ms. */
  readonly mostMs: number;
}

/**
 * Refusals of one sender are answered one after the other. The first comes at once; who goes on asking waits ever longer,
 * up to a bound: a sender that is refused and asks again at once would take a processor with refusals alone.
 */
export class Pace {
  readonly #bounds: PaceBounds;
  readonly #now: () => number;
  /** When the next refusal is due, by sender. */
  readonly #due = recentlyUsed<number>(mostRemembered);

  /** @param now Milliseconds of a clock that never goes back. */
  constructor(bounds: PaceBounds, now: () => number = () => performance.now()) {
    this.#bounds = bounds;
    this.#now = now;
  }

  /** @returns how long this refusal waits, in ms. */
  delayMs(sender: string): number {
    const { everyMs, mostMs } = this.#bounds;
    const now = this.#now();
    const due = Math.max(now, this.#due.get(sender) ?? 0);
    this.#due.set(sender, Math.min(due + everyMs, now + mostMs));
    return due - now;
  }

  /** Waits until this refusal may be answered. */
  async hold(sender: string): Promise<void> {
    const ms = this.delayMs(sender);
    if (ms >= 1) await after(ms);
  }
}
