import { existsSync } from "node:fs";
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import type { Piscina } from "piscina";
import { ToolError } from "../errors.ts";
import type {
  DocumentAnswer,
  DocumentTask,
  Envelope,
  RefusedTask,
  ValidateAnswer,
  ValidateTask,
  WorkerData,
} from "./messages.ts";

/** Bodies that may wait to be taken apart. */
const readerQueueLength = 64;
/** A worker that nobody needs ends after this long. */
const idleMs = 60_000;
/** Memory of one worker; a call that needs more fails alone, and the worker is replaced. */
const workerMemoryMb = 1024;

/** The queue of bodies is full; the caller gets a 503 before anything of the body is looked at. */
export class ReaderBusy extends Error {
  override name = "ReaderBusy";
}

/** Threads for large calls. They start when first needed. */
export interface ValidationPool {
  /**
   * @param body Is handed over and cannot be used afterwards.
   * @throws {ReaderBusy}
   */
  readEnvelope(body: Uint8Array): Promise<Envelope>;
  /**
   * @param signal Ends the work at once: the thread is killed and replaced.
   * @throws {ToolError} what the tool says, or `overloaded` when the queue is full.
   */
  validate(
    task: ValidateTask,
    signal: AbortSignal,
  ): Promise<Extract<ValidateAnswer, { kind: "done" }>>;
  /**
   * @returns what `documentToSend` makes of a long text.
   * @throws {ToolError} as it does, or `overloaded` when the queue is full.
   */
  readDocument(task: DocumentTask, signal: AbortSignal): Promise<string>;
  /** For metrics. */
  figures(): { readonly running: number; readonly waiting: number; readonly threads: number };
  close(): Promise<void>;
}

/** A module beside this one, as source or as built. */
function moduleBeside(name: string): string {
  const source = fileURLToPath(new URL(`./${name}.ts`, import.meta.url));
  return existsSync(source) ? source : fileURLToPath(new URL(`./${name}.js`, import.meta.url));
}

/** Leaves one core to the event loop. */
export function defaultWorkers(): number {
  return Math.max(1, availableParallelism() - 1);
}

function isQueueFull(error: unknown): boolean {
  return error instanceof Error && /queue is at limit/i.test(error.message);
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
  /** Memory of a worker's objects; absent: 1,024 MB. */
  readonly memoryMb?: number;
}

export function createPool(
  data: WorkerData,
  { workers, queue, memoryMb = workerMemoryMb }: PoolSize,
): ValidationPool {
  let threads: Promise<{ readers: Piscina; validators: Piscina }> | undefined;
  const open = () => {
    threads ??= import("piscina").then(({ Piscina }) => {
      const shared = { minThreads: 0, idleTimeout: idleMs, workerData: data };
      const resourceLimits = { maxOldGenerationSizeMb: memoryMb };
      return {
        readers: new Piscina({
          ...shared,
          filename: moduleBeside("reader"),
          maxThreads: 1,
          maxQueue: readerQueueLength,
          resourceLimits,
        }),
        validators: new Piscina({
          ...shared,
          filename: moduleBeside("worker"),
          maxThreads: workers,
          resourceLimits,
        }),
      };
    });
    return threads;
  };
  let running = 0;
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
      const answer: Exclude<Answer, RefusedTask> | RefusedTask = await validators.run(task, {
        name,
        signal,
        transferList,
      });
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
    async readEnvelope(body) {
      const { readers } = await open();
      try {
        return await readers.run(body, { name: "takeApart", transferList: memoryOf(body) });
      } catch (error) {
        if (isQueueFull(error)) throw new ReaderBusy();
        throw error;
      }
    },
    validate: (task, signal) =>
      judge<ValidateAnswer>("validate", task, signal, memoryOf(task.body)),
    async readDocument(task, signal) {
      return (await judge<DocumentAnswer>("readDocument", task, signal)).document;
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
