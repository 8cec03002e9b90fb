import { Budget, type Exceeded, shareOf } from "../admission/budget.ts";
import { Displaced, type Turn, Turns } from "../admission/turns.ts";
import { ToolError } from "../errors.ts";
import { memoryLimit } from "../memory.ts";
import { type PoolTask, runCancellable } from "./cancel.ts";
import { isOutOfMemory, openThreads, type Threads, threadMemoryMb } from "./threads.ts";
import type {
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
  WrittenAnswer,
} from "./types.ts";
import { warmUpCall } from "./warm-up.ts";

/** The largest call that may overtake a long call of another caller, in a thread beside the workers. */
const mostOvertakingBytes = 65_536;
/** Bodies that may wait to be taken apart. */
const readerQueueLength = 64;
const warmUpMs = 60_000;
/** Calls after which most of a worker's code is compiled (measured: the tenth takes a twentieth of the first). */
const warmUpCalls = 10;

/** The queue of bodies is full; the caller gets a 503 before anything of the body is read. */
export class ReaderBusy extends Error {
  override name = "ReaderBusy";
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
  let threads: Promise<Threads> | undefined;
  const open = () => {
    threads ??= openThreads(data, { workers, memoryMb }, onThreadError);
    return threads;
  };
  const total = workers + queue;
  const calls = new Budget({
    process: total,
    caller: Math.min(shareOf(total), perCaller ?? total),
  });
  const bodies = new Budget({ process: readerQueueLength, caller: shareOf(readerQueueLength) });
  // The library's own queue stays empty: it does not know callers, and starts no thread for waiting work when one dies.
  const workerTurns = new Turns(workers, 1);
  const readerTurns = new Turns(1);
  let opened: Threads | undefined;

  /**
   * Runs a function of the worker module when it is the caller's turn.
   * @throws what the thread throws, also when its memory is used up.
   */
  const runInTurn = async (
    task: PoolTask,
    { caller, signal }: Work,
    options: { readonly onDisplaced: () => void; readonly mayOvertake: boolean },
  ): Promise<unknown> => {
    let turn: Turn | undefined;
    try {
      turn = await workerTurns.take(caller, { signal, ...options });
      opened = await open();
      // What an extra thread has no memory for is run again, so it gets a copy.
      return turn.isExtra
        ? await runCancellable(opened.overtaking, { ...task, transferList: [] }, signal)
        : await runCancellable(opened.validators, task, signal);
    } catch (error) {
      if (!turn?.isExtra || !isOutOfMemory(error)) throw error;
    } finally {
      turn?.end();
    }
    const work = { caller, signal };
    return runInTurn(task, work, { ...options, mayOvertake: false });
  };

  const runTask = async <Answer extends { readonly kind: string }>(
    task: PoolTask,
    work: Work,
  ): Promise<Exclude<Answer, RefusedTask>> => {
    const { caller, bytes } = work;
    let exceeded = calls.take(caller, 1);
    // A caller with few calls is not refused because another fills the queue.
    if (exceeded === "process" && workerTurns.displaceFor(caller)) exceeded = calls.take(caller, 1);
    if (exceeded) throw overloaded(exceeded);
    let isCounted = true;
    const release = () => {
      if (isCounted) calls.release(caller, 1);
      isCounted = false;
    };
    try {
      const mayOvertake = bytes !== undefined && bytes <= mostOvertakingBytes;
      // What the function of that name returns.
      const answer = (await runInTurn(task, work, { onDisplaced: release, mayOvertake })) as
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
      release();
    }
  };

  const readEnvelope: ValidationPool["readEnvelope"] = async (parts, reading) => {
    const { caller, deferrable, policyTools } = reading;
    if (bodies.take(caller, 1)) throw new ReaderBusy();
    const signal = AbortSignal.timeout(data.settings.request_timeout_s * 1000);
    let turn: Turn | undefined;
    try {
      turn = await readerTurns.take(caller, { signal });
      const { readers } = await open();
      const task: ReadTask = { parts, deferrable, policyTools };
      const transferList = parts.flatMap(memoryOf);
      return (await readers.run(task, { name: "readParts", transferList, signal })) as Envelope;
    } catch (error) {
      if (signal.aborted) throw new ReaderBusy();
      if (isOutOfMemory(error)) return { kind: "too_many_values" };
      throw error;
    } finally {
      turn?.end();
      bodies.release(caller, 1);
    }
  };

  return {
    readEnvelope,
    validate: (task, work) =>
      runTask<ValidateAnswer>(
        { name: "validate", task, transferList: memoryOf(task.body) },
        { bytes: task.body.byteLength, ...work },
      ),
    async readDocument(task, work) {
      return (await runTask<DocumentAnswer>({ name: "readDocument", task }, work)).document;
    },
    async analyze(task, work) {
      return (await runTask<WrittenAnswer>({ name: "analyze", task }, work)).prepared;
    },
    readAnswerPage: (task, work) =>
      runTask<PageAnswer>(
        { name: "readAnswerPage", task, transferList: memoryOf(task.body) },
        work,
      ),
    async writeAnswerPages(task, work) {
      const transferList = task.pages.flatMap(memoryOf);
      return (await runTask<WrittenAnswer>({ name: "writeAnswerPages", task, transferList }, work))
        .prepared;
    },
    async query(task, work) {
      return (await runTask<WrittenAnswer>({ name: "query", task }, work)).prepared;
    },
    async warmUp() {
      const work = { caller: "", signal: AbortSignal.timeout(warmUpMs) };
      await readEnvelope([warmUpCall()], { caller: "", deferrable: [], policyTools: [] });
      await runTask<LoadAnswer>({ name: "loadData", task: {} }, work);
      for (let call = 0; call < warmUpCalls; call++) {
        const task = { body: warmUpCall(), maxResultBytes: 1_048_576 };
        await runTask<ValidateAnswer>({ name: "validate", task }, work);
      }
    },
    figures: () => ({
      running: calls.used,
      waiting: workerTurns.waiting,
      threads: opened ? opened.validators.threads.length + opened.overtaking.threads.length : 0,
    }),
    async close() {
      if (!threads) return;
      const all = Object.values(await threads);
      await Promise.all(all.map((pool) => pool.destroy()));
    },
  };
}
