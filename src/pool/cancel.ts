import { MessageChannel, type MessagePort } from "node:worker_threads";
import type { Piscina } from "piscina";

/**
 * Time in which a thread must stop a call that is cancelled; then it is killed. Checks stop within milliseconds, parsing or
 * writing a large policy takes up to a third of a second, and a new thread takes a second of a core to load its code and
 * data, after which it stays for the next call. To kill it at once would cost other callers more.
 */
const graceMs = 2_000;

/** What a task brings to the thread beside its data. */
export interface Cancellable {
  /** Gets a message when the task is cancelled. */
  readonly cancel: MessagePort;
}

export interface PoolTask {
  /** Of a function that the module of the thread exports. */
  readonly name: string;
  readonly task: object;
  /** Memory that the thread gets; absent: it gets copies. */
  readonly transferList?: readonly ArrayBuffer[];
}

/**
 * Runs a task in a thread.
 * @throws the reason of the signal when it fires and the thread has stopped or is killed; else what the thread throws.
 */
export async function runCancellable(
  threads: Piscina,
  { name, task, transferList = [] }: PoolTask,
  signal: AbortSignal,
): Promise<unknown> {
  signal.throwIfAborted();
  const { port1, port2: cancel } = new MessageChannel();
  const kill = new AbortController();
  let grace: NodeJS.Timeout | undefined;
  const onAbort = () => {
    port1.postMessage(null);
    grace = setTimeout(() => kill.abort(signal.reason), graceMs);
  };
  signal.addEventListener("abort", onAbort, { once: true });
  try {
    return await threads.run(
      { ...task, cancel },
      { name, signal: kill.signal, transferList: [...transferList, cancel] },
    );
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  } finally {
    clearTimeout(grace);
    signal.removeEventListener("abort", onAbort);
    port1.close();
  }
}

/**
 * Runs work in the thread, with a signal that fires when the task is cancelled: when work yields to the event loop, the
 * message arrives.
 */
export async function untilCancelled<Done>(
  { cancel }: Cancellable,
  work: (signal: AbortSignal) => Promise<Done>,
): Promise<Done> {
  const controller = new AbortController();
  // The error crosses to the main thread, which throws the reason that it knows.
  cancel.once("message", () => controller.abort(new Error("cancelled")));
  try {
    return await work(controller.signal);
  } finally {
    cancel.close();
  }
}
