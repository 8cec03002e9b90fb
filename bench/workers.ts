import { once } from "node:events";
import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";
import { median } from "./measure.ts";
import type { Section } from "./report.ts";

const seconds = 2;

async function policiesPerSecond(threads: number): Promise<number> {
  const workers = Array.from(
    { length: threads },
    () => new Worker(new URL("./children/judge-loop.ts", import.meta.url)),
  );
  await Promise.all(workers.map((worker) => once(worker, "message")));
  const counts = workers.map(async (worker) => {
    worker.postMessage(seconds);
    const [judged] = await once(worker, "message");
    return Number(judged);
  });
  const total = (await Promise.all(counts)).reduce((sum, judged) => sum + judged, 0);
  await Promise.all(workers.map((worker) => worker.terminate()));
  return total / seconds;
}

/** How throughput grows with threads. By the clock, so that it needs a machine with nothing else to do. */
export async function workersSection(rounds = 3): Promise<Section> {
  const ones: number[] = [];
  const twos: number[] = [];
  for (let round = 0; round < rounds; round++) {
    ones.push(await policiesPerSecond(1));
    twos.push(await policiesPerSecond(2));
  }
  return {
    id: "workers",
    title: "Two threads",
    about: `Managed policies per second of the clock, on a machine with ${availableParallelism()} cores.`,
    tables: [
      {
        title: "Goal: twice the threads, at least 1.8 times the policies",
        rows: [
          { threads: 1, "policies/s": Math.round(median(ones)), ratio: 1 },
          {
            threads: 2,
            "policies/s": Math.round(median(twos)),
            ratio: median(twos.map((two, at) => two / (ones[at] ?? Number.NaN))),
          },
        ],
      },
    ],
  };
}
