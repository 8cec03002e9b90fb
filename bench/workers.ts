import { once } from "node:events";
import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";
import type { Done, Stint, Work } from "./children/validate-loop.ts";
import { cpuSeconds, median } from "./measure.ts";
import type { Section } from "./report.ts";

const seconds = 2;
const loop = new URL("./children/validate-loop.ts", import.meta.url);

interface Stretch {
  /** Steps of all threads per second of the clock. */
  readonly rate: number;
  /** Processor time of the working threads per step, in seconds. */
  readonly own: number;
  /** The same of the whole process: collector and compiler have separate threads. */
  readonly whole: number;
  /** Processors that the process had, on average. */
  readonly processors: number;
}

async function stretch(workers: readonly Worker[], work: Work): Promise<Stretch> {
  const before = cpuSeconds();
  const started = performance.now();
  const answers = workers.map(async (worker): Promise<Done> => {
    const stint: Stint = { work, seconds };
    worker.postMessage(stint);
    const [done] = await once(worker, "message");
    return done;
  });
  const done = await Promise.all(answers);
  const clockS = (performance.now() - started) / 1000;
  const cpuS = cpuSeconds() - before;
  const steps = done.reduce((sum, one) => sum + one.steps, 0);
  const ownS = done.reduce((sum, one) => sum + one.cpuS, 0);
  return {
    rate: steps / clockS,
    own: ownS / steps,
    whole: cpuS / steps,
    processors: cpuS / clockS,
  };
}

/**
 * How throughput grows with threads. By the clock two threads can only have what the machine gives
 * them; how much that is, threads tell that count and share nothing. By processor time a policy
 * costs what it costs, whatever else runs on the machine.
 */
export async function workersSection(rounds = 3): Promise<Section> {
  const workers = [new Worker(loop), new Worker(loop)];
  await Promise.all(workers.map((worker) => once(worker, "message")));
  const taken: Record<Work, Record<1 | 2, Stretch[]>> = {
    count: { 1: [], 2: [] },
    validate: { 1: [], 2: [] },
  };
  for (let round = 0; round < rounds; round++) {
    for (const work of ["count", "validate"] as const) {
      taken[work][1].push(await stretch(workers.slice(0, 1), work));
      taken[work][2].push(await stretch(workers, work));
    }
  }
  await Promise.all(workers.map((worker) => worker.terminate()));

  /** Median over the rounds of two threads over one. */
  const ratio = (work: Work, of: keyof Stretch) =>
    median(taken[work][2].map((two, at) => two[of] / (taken[work][1][at]?.[of] ?? Number.NaN)));
  const gain = { count: ratio("count", "rate"), validate: ratio("validate", "rate") };
  const middle = (threads: 1 | 2, of: keyof Stretch) =>
    median(taken.validate[threads].map((one) => one[of]));
  return {
    id: "workers",
    title: "Two threads",
    about: `Managed policies validated by one thread and by two, on a machine with ${availableParallelism()} cores; a counting loop, which shares nothing, beside them.`,
    tables: [
      {
        title: "Two threads over one (goal: 1.8)",
        rows: [
          {
            figure: "by processor time of the working threads",
            ratio: 2 / ratio("validate", "own"),
          },
          { figure: "by processor time of the process", ratio: 2 / ratio("validate", "whole") },
          { figure: "by the clock", ratio: gain.validate },
          { figure: "by the clock, counting loop", ratio: gain.count },
          {
            figure: "by the clock, if the counting loop came to 2",
            ratio: (2 * gain.validate) / gain.count,
          },
        ],
      },
      {
        title: "Validating",
        rows: ([1, 2] as const).map((threads) => ({
          threads,
          "policies/s of the clock": Math.round(middle(threads, "rate")),
          "µs per policy, working threads": middle(threads, "own") * 1e6,
          "µs per policy, whole process": middle(threads, "whole") * 1e6,
          "processors in use": middle(threads, "processors"),
        })),
      },
    ],
  };
}
