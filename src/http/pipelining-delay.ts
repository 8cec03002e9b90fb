/** Requests that a connection may send ahead of their answers without a delay. */
const freeAhead = 16;
const stepMs = 2;
const mostMs = 250;

/**
 * Delay between an answer and the next request of a connection, if that request arrived before the answer. No common
 * client or proxy pipelines requests (RFC 9112, 9.3.2). The longer a connection does, the longer the delay.
 */
export class PipeliningDelay {
  #ahead = 0;

  /**
   * A request has been answered.
   * @param isAhead Whether the next one had arrived by then.
   * @returns ms.
   */
  pauseMs(isAhead: boolean): number {
    if (!isAhead) {
      this.#ahead = 0;
      return 0;
    }
    this.#ahead++;
    return Math.min(mostMs, Math.max(0, this.#ahead - freeAhead) * stepMs);
  }
}
