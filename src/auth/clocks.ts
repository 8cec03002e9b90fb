/** Unix time is for what others have dated; it may be set back or forward at any moment. */
export interface Clocks {
  /** Unix time in ms. */
  readonly now: () => number;
  /** ms of a clock that never goes back and that no one sets. Absent: the other one is it (tests). */
  readonly ticks?: (() => number) | undefined;
}

/** @returns the steady clock of the two. */
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
