/** Requests ahead of their answers that cost a connection nothing. */
const free = 16;
const stepMs = 2;
const mostMs = 250;

/**
 * How long a connection waits between an answer and the next request, which had arrived before it. No common client and no
 * proxy sends requests ahead (RFC 9112, 9.3.2); who does, and goes on, is answered ever more slowly.
 */
export class Rush {
  #ahead = 0;

  /**
   * A request has been answered.
   * @param isAhead Whether the next one was there by then.
   * @returns ms.
   */
  pauseMs(isAhead: boolean): number {
    if (!isAhead) {
      this.#ahead = 0;
      return 0;
    }
    this.#ahead++;
    return Math.min(mostMs, Math.max(0, this.#ahead - free) * stepMs);
  }
}
