/**
 * Ways to measure that hold on a busy machine: processor time in place of the clock, medians in place
 * of means, and rounds that take all subjects in turn, so that a bad moment hits all of them.
 */

/** Processor time of this process, all threads, in seconds. */
export function cpuSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}

export function median(values: readonly number[]): number {
  return percentile(values, 50);
}

/** @param p 0 to 100. */
export function percentile(values: readonly number[], p: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  const at = Math.min(sorted.length - 1, Math.floor((p / 100) * sorted.length));
  return sorted[at] ?? Number.NaN;
}

/** Work done once; may be asynchronous. */
export type Work = () => unknown;

/** Processor seconds of one run, from as many runs as make up `atLeastS`. */
export async function costOf(work: Work, atLeastS = 0.03): Promise<number> {
  const started = cpuSeconds();
  let runs = 0;
  let spent = 0;
  do {
    await work();
    runs++;
    spent = cpuSeconds() - started;
  } while (spent < atLeastS);
  return spent / runs;
}

/**
 * Median cost of each subject, the subjects taken in turn.
 * @param rounds Of which the median counts; one more goes before, for the compiler.
 */
export async function costsOf<Name extends string>(
  subjects: Readonly<Record<Name, Work>>,
  { rounds = 5, atLeastS = 0.03 }: { readonly rounds?: number; readonly atLeastS?: number } = {},
): Promise<Record<Name, number>> {
  const names = Object.keys(subjects) as Name[];
  const taken = new Map<Name, number[]>(names.map((name) => [name, []]));
  for (let round = -1; round < rounds; round++) {
    for (const name of names) {
      const cost = await costOf(subjects[name], round < 0 ? 0 : atLeastS);
      if (round >= 0) taken.get(name)?.push(cost);
    }
  }
  return Object.fromEntries(names.map((name) => [name, median(taken.get(name) ?? [])])) as Record<
    Name,
    number
  >;
}

/** Slope of the straight line through the logarithms: 1 is linear growth, 2 quadratic. */
export function exponent(points: readonly (readonly [size: number, cost: number])[]): number {
  const logs = points.map(([size, cost]) => [Math.log(size), Math.log(cost)] as const);
  const meanX = logs.reduce((sum, [x]) => sum + x, 0) / logs.length;
  const meanY = logs.reduce((sum, [, y]) => sum + y, 0) / logs.length;
  const covariance = logs.reduce((sum, [x, y]) => sum + (x - meanX) * (y - meanY), 0);
  return covariance / logs.reduce((sum, [x]) => sum + (x - meanX) ** 2, 0);
}
