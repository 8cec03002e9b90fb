/** A bound on calls in any 60 seconds, for one process. A guard, not a quota. */
export interface RateLimiter {
  /** Spends one call. @returns false, and spends nothing, when the window is full. */
  take(): boolean;
}

const windowMs = 60_000;

/**
 * @param limit Calls per window; 0: no bound.
 * @param now A clock that never goes back, in ms.
 */
export function createRateLimiter(limit: number, now: () => number): RateLimiter {
  if (limit === 0) return { take: () => true };
  // A ring of the last `limit` calls: the oldest one decides, whatever the limit.
  const calls: number[] = [];
  let oldest = 0;
  return {
    take() {
      const at = now();
      if (calls.length < limit) {
        calls.push(at);
        return true;
      }
      if (at - (calls[oldest] ?? at) < windowMs) return false;
      calls[oldest] = at;
      oldest = (oldest + 1) % limit;
      return true;
    },
  };
}
