import { setTimeout as after } from "node:timers/promises";
import { lruCache } from "../lru-cache.ts";

/** Senders that were refused recently. */
const mostRemembered = 4_096;

export interface ThrottleBounds {
  /** Time between two refusals of one sender, in ms. */
  readonly everyMs: number;
  /** The longest that one waits, in ms. */
  readonly mostMs: number;
}

/**
 * Throttles refusals per sender. The first is sent at once, and each further one waits longer, up to a bound. Without
 * it, a sender that retries at once would occupy a processor with refusals alone.
 */
export class Throttle {
  readonly #bounds: ThrottleBounds;
  readonly #now: () => number;
  /** When the next refusal is due, by sender. */
  readonly #due = lruCache<number>(mostRemembered);

  /** @param now Monotonic clock, in ms. */
  constructor(bounds: ThrottleBounds, now: () => number = () => performance.now()) {
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

  /**
   * Waits until this refusal may be answered.
   * @param leastMs The least that it waits, for a request that cost more than a refusal usually does.
   */
  async hold(sender: string, leastMs = 0): Promise<void> {
    const ms = Math.max(leastMs, this.delayMs(sender));
    if (ms >= 1) await after(ms);
  }
}
