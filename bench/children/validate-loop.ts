/** A thread that works for a while, on the managed policies or on nothing but numbers, and says how far it came. */
import { parentPort } from "node:worker_threads";
import { managedPolicies } from "../../test/support/managed-policies.ts";
import { benchEngine, validate, validateAll } from "../engine.ts";

export type Work = "validate" | "count";

/** What the thread is asked for. */
export interface Stint {
  readonly work: Work;
  readonly seconds: number;
}

/** What it did. */
export interface Done {
  /** Policies, or rounds of counting. */
  readonly steps: number;
  /** Processor time of this thread alone, in seconds. */
  readonly cpuS: number;
}

const engine = benchEngine();
const policies = managedPolicies().map(({ document }) => document);

/** Shares nothing with other threads: no memory but registers, no collector. */
function countOn(from: number): number {
  let at = from;
  for (let step = 0; step < 20_000; step++) at = (Math.imul(at, 1_664_525) + 1_013_904_223) | 0;
  return at;
}

const steps: Readonly<Record<Work, (index: number) => unknown>> = {
  validate: (index) => validate(policies[index % policies.length], engine),
  count: countOn,
};

for (let pass = 0; pass < 3; pass++) await validateAll(policies, engine);
parentPort?.postMessage("ready");

parentPort?.on("message", async ({ work, seconds }: Stint) => {
  const until = performance.now() + seconds * 1000;
  const before = process.threadCpuUsage();
  let done = 0;
  while (performance.now() < until) await steps[work](done++);
  const { user, system } = process.threadCpuUsage(before);
  const answer: Done = { steps: done, cpuS: (user + system) / 1e6 };
  parentPort?.postMessage(answer);
});
