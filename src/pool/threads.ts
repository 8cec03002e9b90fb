import { existsSync } from "node:fs";
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import type { Piscina } from "piscina";
import { memoryLimit } from "../memory.ts";
import type { WorkerData } from "./types.ts";

/**
 * Where a worker and the main thread want the same core, the main thread runs three times as much (sched(7)): it answers
 * health checks and small calls, which should not wait for the large calls of others.
 */
const niceIncrement = 5;
/** A worker that is idle ends after this long. */
const idleMs = 600_000;
const mostWorkerMemoryMb = 1024;
/** Three semi-spaces; what V8 takes by default is 48 MB per thread, for the same time per call. */
const maxYoungGenerationSizeMb = 12;
/**
 * Part of a worker's memory that the thread for calls that overtake has: 96 MB unless a worker has less than 256. That is
 * enough for nearly every call of at most 64 KiB. One that needs more is run again in a worker.
 */
const overtakingMemoryShare = 3 / 8;
const mostOvertakingMemoryMb = 96;
/** Lower than for workers: the calls of this thread are short, and wait because a worker is busy. */
const overtakingNiceIncrement = 2;
/** Enough for 8 MiB of real policies with everything said about them. */
const leastWorkerMemoryMb = 256;

/**
 * Memory of one thread; a call that needs more fails alone, and the thread is replaced. Half of what the
 * process may use, for all threads together: a container's limit would end all calls at once.
 * @param limit Bytes the process may use.
 * @returns megabytes.
 */
export function threadMemoryMb(workers: number, limit: number): number {
  const reader = 1;
  const share = Math.floor(limit / 2 / 1_048_576 / (workers + reader));
  return Math.min(mostWorkerMemoryMb, Math.max(leastWorkerMemoryMb, share));
}

/** A module beside this one, as source or as built. */
function moduleBeside(name: string): string {
  const source = fileURLToPath(new URL(`./${name}.ts`, import.meta.url));
  return existsSync(source) ? source : fileURLToPath(new URL(`./${name}.js`, import.meta.url));
}

/**
 * Leaves one core to the event loop, and starts no more threads than half of the memory has room for:
 * a container may have a limit on memory and none on cores.
 * @param limit Bytes the process may use.
 */
export function defaultWorkers(limit = memoryLimit(), cores = availableParallelism()): number {
  const threads = Math.floor(limit / 2 / 1_048_576 / leastWorkerMemoryMb);
  return Math.max(1, Math.min(cores, threads) - 1);
}

/** @returns Whether a worker ended because it reached its memory limit. */
export function isOutOfMemory(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ERR_WORKER_OUT_OF_MEMORY";
}

/** The threads of a pool, each kind with its own queue in front. They start when first needed. */
export interface Threads {
  readonly readers: Piscina;
  readonly validators: Piscina;
  /** One more, for calls that overtake. */
  readonly overtaking: Piscina;
}

/** @param onThreadError Told of a thread that dies while it has nothing to do. */
export async function openThreads(
  data: WorkerData,
  { workers, memoryMb }: { readonly workers: number; readonly memoryMb: number },
  onThreadError: (error: unknown) => void,
): Promise<Threads> {
  const { Piscina } = await import("piscina");
  const shared = {
    minThreads: 0,
    idleTimeout: idleMs,
    workerData: data,
    niceIncrement,
    // Two histograms of 360 KB for each kind of thread, which nothing reads.
    recordTiming: false,
    // By default a thread blocks in `Atomics.wait` between two tasks. V8 collects garbage of an idle thread from its event
    // loop, so that the thread would keep the memory of its largest call until it ends.
    atomics: "disabled" as const,
  };
  const resourceLimits = { maxOldGenerationSizeMb: memoryMb, maxYoungGenerationSizeMb };
  const filename = moduleBeside("worker");
  const readers = new Piscina({
    ...shared,
    filename: moduleBeside("reader"),
    maxThreads: 1,
    resourceLimits,
  });
  const validators = new Piscina({
    ...shared,
    filename,
    maxThreads: workers,
    resourceLimits,
  });
  const overtaking = new Piscina({
    ...shared,
    filename,
    maxThreads: 1,
    niceIncrement: overtakingNiceIncrement,
    resourceLimits: {
      ...resourceLimits,
      maxOldGenerationSizeMb: Math.min(mostOvertakingMemoryMb, memoryMb * overtakingMemoryShare),
    },
  });
  // A thread that dies between two tasks; unheard, it would end the process.
  const opened = { readers, validators, overtaking };
  for (const pool of Object.values(opened)) pool.on("error", onThreadError);
  return opened;
}
