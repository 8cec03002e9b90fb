/** Unix time is for what others have dated; it may be set back or forward at any moment. */
export interface Clocks {
  /** Unix time in ms. */
  readonly now: () => number;
  /** Monotonic clock, in ms. Default: `now`, so that a test fakes one clock. */
  readonly ticks?: (() => number) | undefined;
}

/** @returns the monotonic clock of the two. */
export function steady({ now, ticks = now }: Clocks): () => number {
  return ticks;
}

/**
 * Starts to measure an age.
 * @returns ms since then, by the clock that says more: a clock set back makes nothing younger, and a machine that slept
 * makes it older.
 */
export function ageFrom(clocks: Clocks): () => number {
  const ticks = steady(clocks);
  const [wallStart, start] = [clocks.now(), ticks()];
  return () => Math.max(clocks.now() - wallStart, ticks() - start);
}
