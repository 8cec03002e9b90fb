import { existsSync } from "node:fs";
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import type { Piscina } from "piscina";
import { Budget, type Exceeded, shareOf } from "../admission/budget.ts";
import { Displaced, type EndTurn, Turns } from "../admission/turns.ts";
import { ToolError } from "../errors.ts";
import { memoryLimit } from "../memory.ts";
import type {
  AnalysisAnswer,
  DocumentAnswer,
  Envelope,
  LoadAnswer,
  PageAnswer,
  ReadTask,
  RefusedTask,
  ValidateAnswer,
  ValidationPool,
  Work,
  WorkerData,
} from "./types.ts";
import { warmUpCall } from "./warm-up.ts";

/** Bodies that may wait to be taken apart. */
const readerQueueLength = 64;
const warmUpMs = 60_000;
/** Calls after which most of a worker's code is compiled (measured: the tenth takes a twentieth of the first). */
const warmUpCalls = 10;

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

/** The queue of bodies is full; the caller gets a 503 before anything of the body is read. */
export class ReaderBusy extends Error {
  override name = "ReaderBusy";
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

function isOutOfMemory(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ERR_WORKER_OUT_OF_MEMORY";
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

function overloaded(exceeded: Exceeded): ToolError {
  const reason =
    exceeded === "caller"
      ? "Your other large calls are still in progress."
      : "The server is busy with other large requests.";
  return new ToolError(
    "overloaded",
    `${reason} Retry in a few seconds, or send fewer policies per call.`,
  );
}

export interface PoolSize {
  /** Threads that validate; the one that reads bodies comes on top. */
  readonly workers: number;
  /** Calls that may wait for a worker; each holds its request's body in memory. */
  readonly queue: number;
  /** Calls of one caller at most, running and waiting; absent: a share of all. */
  readonly perCaller?: number;
  /** Memory of a worker's objects; absent: what `threadMemoryMb` says. */
  readonly memoryMb?: number;
}

/** @param onThreadError Told of a thread that dies while it has nothing to do. */
export function createPool(
  data: WorkerData,
  { workers, queue, perCaller, memoryMb = threadMemoryMb(workers, memoryLimit()) }: PoolSize,
  onThreadError: (error: unknown) => void = () => {},
): ValidationPool {
  let threads: Promise<{ readers: Piscina; validators: Piscina }> | undefined;
  const open = () => {
    threads ??= import("piscina").then(({ Piscina }) => {
      const shared = {
        minThreads: 0,
        idleTimeout: idleMs,
        workerData: data,
        niceIncrement,
        // By default a thread blocks in `Atomics.wait` between two tasks. V8 collects garbage of an idle thread from its event
        // loop, so that the thread would keep the memory of its largest call until it ends.
        atomics: "disabled" as const,
      };
      const resourceLimits = { maxOldGenerationSizeMb: memoryMb, maxYoungGenerationSizeMb };
      const readers = new Piscina({
        ...shared,
        filename: moduleBeside("reader"),
        maxThreads: 1,
        resourceLimits,
      });
      const validators = new Piscina({
        ...shared,
        filename: moduleBeside("worker"),
        maxThreads: workers,
        resourceLimits,
      });
      // A thread that dies between two tasks; unheard, it would end the process.
      for (const pool of [readers, validators]) pool.on("error", onThreadError);
      return { readers, validators };
    });
    return threads;
  };
  const total = workers + queue;
  const calls = new Budget({
    process: total,
    caller: Math.min(shareOf(total), perCaller ?? total),
  });
  const bodies = new Budget({ process: readerQueueLength, caller: shareOf(readerQueueLength) });
  // The library's own queue stays empty: it does not know callers, and starts no thread for waiting work when one dies.
  const workerTurns = new Turns(workers);
  const readerTurns = new Turns(1);
  let validators: Piscina | undefined;

  /** @param name Of a function that the worker module exports. */
  const runTask = async <Answer extends { readonly kind: string }>(
    name: string,
    task: object,
    { caller, signal }: Work,
    transferList: ArrayBuffer[] = [],
  ): Promise<Exclude<Answer, RefusedTask>> => {
    let exceeded = calls.take(caller, 1);
    // A caller with few calls is not refused because another fills the queue.
    if (exceeded === "process" && workerTurns.displaceFor(caller)) exceeded = calls.take(caller, 1);
    if (exceeded) throw overloaded(exceeded);
    let isCounted = true;
    const release = () => {
      if (isCounted) calls.release(caller, 1);
      isCounted = false;
    };
    let endTurn: EndTurn | undefined;
    try {
      endTurn = await workerTurns.take(caller, signal, release);
      ({ validators } = await open());
      signal.throwIfAborted();
      // What the function of that name returns.
      const answer = (await validators.run(task, { name, signal, transferList })) as
        | Exclude<Answer, RefusedTask>
        | RefusedTask;
      if (!isRefused(answer)) return answer;
      throw new ToolError(answer.error, answer.message);
    } catch (error) {
      if (error instanceof Displaced) throw overloaded("caller");
      if (!isOutOfMemory(error)) throw error;
      throw new ToolError(
        "request_too_large",
        "The result of this request needs more memory than one call may use. Send fewer or smaller policies per call.",
      );
    } finally {
      endTurn?.();
      release();
    }
  };

  const readEnvelope: ValidationPool["readEnvelope"] = async (parts, reading) => {
    const { caller, deferrable, policyTools } = reading;
    if (bodies.take(caller, 1)) throw new ReaderBusy();
    const signal = AbortSignal.timeout(data.settings.request_timeout_s * 1000);
    let endTurn: EndTurn | undefined;
    try {
      endTurn = await readerTurns.take(caller, signal);
      const { readers } = await open();
      const task: ReadTask = { parts, deferrable, policyTools };
      const transferList = parts.flatMap(memoryOf);
      return (await readers.run(task, { name: "readParts", transferList, signal })) as Envelope;
    } catch (error) {
      if (signal.aborted) throw new ReaderBusy();
      if (isOutOfMemory(error)) return { kind: "too_many_values" };
      throw error;
    } finally {
      endTurn?.();
      bodies.release(caller, 1);
    }
  };

  return {
    readEnvelope,
    validate: (task, work) => runTask<ValidateAnswer>("validate", task, work, memoryOf(task.body)),
    async readDocument(task, work) {
      return (await runTask<DocumentAnswer>("readDocument", task, work)).document;
    },
    async analyze(task, work) {
      return (await runTask<AnalysisAnswer>("analyze", task, work)).prepared;
    },
    readAnswerPage: (task, work) =>
      runTask<PageAnswer>("readAnswerPage", task, work, memoryOf(task.body)),
    async writeAnswerPages(task, work) {
      const memory = task.pages.flatMap(memoryOf);
      return (await runTask<AnalysisAnswer>("writeAnswerPages", task, work, memory)).prepared;
    },
    async warmUp() {
      const work = { caller: "", signal: AbortSignal.timeout(warmUpMs) };
      await readEnvelope([warmUpCall()], { caller: "", deferrable: [], policyTools: [] });
      await runTask<LoadAnswer>("loadData", {}, work);
      for (let call = 0; call < warmUpCalls; call++) {
        const task = { body: warmUpCall(), maxResultBytes: 1_048_576 };
        await runTask<ValidateAnswer>("validate", task, work);
      }
    },
    figures: () => ({
      running: calls.used,
      waiting: workerTurns.waiting,
      threads: validators?.threads.length ?? 0,
    }),
    async close() {
      if (!threads) return;
      const { readers, validators } = await threads;
      await Promise.all([readers.destroy(), validators.destroy()]);
    },
  };
}
