import { existsSync } from "node:fs";
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import type { Piscina } from "piscina";
import { ToolError } from "../errors.ts";
import { memoryLimit } from "../memory.ts";
import type {
  AnalysisAnswer,
  DocumentAnswer,
  Envelope,
  RefusedTask,
  ValidateAnswer,
  ValidationPool,
  WorkerData,
} from "./types.ts";

/** Bodies that may wait to be taken apart. */
const readerQueueLength = 64;
/** A worker that nobody needs ends after this long. */
const idleMs = 60_000;
const mostWorkerMemoryMb = 1024;
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

/** The queue of bodies is full; the caller gets a 503 before anything of the body is looked at. */
export class ReaderBusy extends Error {
  override name = "ReaderBusy";
}

type RunOptions = NonNullable<Parameters<Piscina["run"]>[1]>;

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

function isOutOfMemory(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ERR_WORKER_OUT_OF_MEMORY";
}

/**
 * Runs a task. The library starts no thread for waiting tasks when one dies (its work went wrong, or was stopped): they
 * would wait for the next call.
 */
async function runIn(pool: Piscina, task: unknown, options: RunOptions): Promise<unknown> {
  try {
    return await pool.run(task, options);
  } catch (error) {
    if (pool.queueSize > 0 && pool.threads.length < pool.options.maxThreads) {
      // An empty task starts one; the pools have no bound of their own that could refuse it. Should the thread fail,
      // those that wait end with their signals.
      pool.run(undefined, { name: "wake" }).catch(() => undefined);
    }
    throw error;
  }
}

function isRefused(answer: { readonly kind: string }): answer is RefusedTask {
  return answer.kind === "tool_error";
}

/** @returns what can be handed to another thread: memory that nothing else shares. */
function memoryOf(bytes: Uint8Array | undefined): ArrayBuffer[] {
  return bytes?.buffer instanceof ArrayBuffer && bytes.byteLength === bytes.buffer.byteLength
    ? [bytes.buffer]
    : [];
}

function overloaded(): ToolError {
  return new ToolError(
    "overloaded",
    "The server is busy with other large requests. Try again in a little while, or send fewer policies per call.",
  );
}

export interface PoolSize {
  /** Threads that judge; the one that reads bodies comes on top. */
  readonly workers: number;
  /** Calls that may wait for a worker; each holds its request's body in memory. */
  readonly queue: number;
  /** Memory of a worker's objects; absent: what `threadMemoryMb` says. */
  readonly memoryMb?: number;
}

/** @param onThreadError Told of a thread that dies while it has nothing to do. */
export function createPool(
  data: WorkerData,
  { workers, queue, memoryMb = threadMemoryMb(workers, memoryLimit()) }: PoolSize,
  onThreadError: (error: unknown) => void = () => {},
): ValidationPool {
  let threads: Promise<{ readers: Piscina; validators: Piscina }> | undefined;
  const open = () => {
    threads ??= import("piscina").then(({ Piscina }) => {
      const shared = { minThreads: 0, idleTimeout: idleMs, workerData: data };
      const resourceLimits = { maxOldGenerationSizeMb: memoryMb };
      const readers = new Piscina({
        ...shared,
        filename: moduleBeside("reader"),
        maxThreads: 1,
        resourceLimits,
      });
      const judges = new Piscina({
        ...shared,
        filename: moduleBeside("worker"),
        maxThreads: workers,
        resourceLimits,
      });
      // A thread that dies between two tasks; unheard, it would end the process.
      for (const pool of [readers, judges]) pool.on("error", onThreadError);
      return { readers, validators: judges };
    });
    return threads;
  };
  let running = 0;
  let reading = 0;
  let validators: Piscina | undefined;

  /** @param name Of a function that the worker module exports. */
  const judge = async <Answer extends { readonly kind: string }>(
    name: string,
    task: object,
    signal: AbortSignal,
    transferList: ArrayBuffer[] = [],
  ): Promise<Exclude<Answer, RefusedTask>> => {
    // Counted here: the pool's own bound does not hold for tasks that a signal can end.
    if (running >= workers + queue) throw overloaded();
    running++;
    try {
      ({ validators } = await open());
      signal.throwIfAborted();
      // What the function of that name returns.
      const answer = (await runIn(validators, task, { name, signal, transferList })) as
        | Exclude<Answer, RefusedTask>
        | RefusedTask;
      if (!isRefused(answer)) return answer;
      throw new ToolError(answer.error, answer.message);
    } catch (error) {
      if (!isOutOfMemory(error)) throw error;
      throw new ToolError(
        "request_too_large",
        "There is more to say about this request than one call has memory for. Send fewer or smaller policies per call.",
      );
    } finally {
      running--;
    }
  };

  return {
    async readEnvelope(parts) {
      if (reading > readerQueueLength) throw new ReaderBusy();
      reading++;
      const signal = AbortSignal.timeout(data.settings.request_timeout_s * 1000);
      try {
        const { readers } = await open();
        const options = { name: "takeApart", transferList: parts.flatMap(memoryOf), signal };
        return (await runIn(readers, parts, options)) as Envelope;
      } catch (error) {
        if (signal.aborted) throw new ReaderBusy();
        if (isOutOfMemory(error)) return { kind: "too_many_values" };
        throw error;
      } finally {
        reading--;
      }
    },
    validate: (task, signal) =>
      judge<ValidateAnswer>("validate", task, signal, memoryOf(task.body)),
    async readDocument(task, signal) {
      return (await judge<DocumentAnswer>("readDocument", task, signal)).document;
    },
    async analyze(task, signal) {
      return (await judge<AnalysisAnswer>("analyze", task, signal)).findings;
    },
    figures: () => ({
      running,
      waiting: validators?.queueSize ?? 0,
      threads: validators?.threads.length ?? 0,
    }),
    async close() {
      if (!threads) return;
      const { readers, validators: judges } = await threads;
      await Promise.all([readers.destroy(), judges.destroy()]);
    },
  };
}
