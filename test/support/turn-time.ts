/**
 * Begins to measure this thread. @returns a function for the processor time since then, in ms. Linux brings that up to date only every
 * 4 ms while a thread runs, so 13 ms may count as 16; the clock, which never shows less, corrects that.
 */
export function startTurn(): () => number {
  const cpu = process.threadCpuUsage();
  const began = performance.now();
  return () => {
    const tookMs = performance.now() - began;
    const { user, system } = process.threadCpuUsage(cpu);
    return Math.min(tookMs, (user + system) / 1_000);
  };
}
