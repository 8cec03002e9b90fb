/** Limits the calls in any 60 seconds, for one process. It stops runaway loops; it is not a quota. */
export interface RateLimiter {
  /** Counts one call. @returns false, without counting it, if the limit is reached. */
  take(): boolean;
}

const windowMs = 60_000;

/**
 * @param limit Calls per 60 seconds; 0: no limit.
 * @param now Monotonic clock, in ms.
 */
export function createRateLimiter(limit: number, now: () => number): RateLimiter {
  if (limit === 0) return { take: () => true };
  // A ring buffer with the times of the last `limit` calls: a call is allowed if the oldest has expired.
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
