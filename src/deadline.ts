/** Why work was stopped before it was done. */
export type Stop = "cancelled" | "deadline";

export class Stopped extends Error {
  override name = "Stopped";
  readonly reason: Stop;
  constructor(reason: Stop) {
    super(reason);
    this.reason = reason;
  }
}

/**
 * Runs work until it is done, the signal fires or the time is up, whichever is first. Work that
 * ignores its signal is left behind: its outcome is dropped.
 * @param limitMs Absent: no limit.
 * @throws {Stopped} When stopped first; else whatever the work throws.
 */
export async function withDeadline<T>(
  work: (signal: AbortSignal) => Promise<T>,
  signal: AbortSignal,
  limitMs?: number,
): Promise<T> {
  const controller = new AbortController();
  const { promise: stopped, reject } = Promise.withResolvers<never>();
  const stop = (reason: Stop) => {
    const error = new Stopped(reason);
    // First, so that the outcome is ours and not the error that the work makes of the signal.
    reject(error);
    controller.abort(error);
  };
  const onAbort = () => stop("cancelled");
  const timer = limitMs === undefined ? undefined : setTimeout(stop, limitMs, "deadline");
  signal.addEventListener("abort", onAbort);
  if (signal.aborted) onAbort();
  try {
    const outcome = signal.aborted ? stopped : work(controller.signal);
    return await Promise.race([stopped, outcome]);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", onAbort);
    stopped.catch(() => undefined);
  }
}

/**
 * Waits for work that takes no signal. The work continues; its outcome is dropped.
 * @throws the signal's reason when it fires first; else whatever the work throws.
 */
export async function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const onAbort = () => reject(signal.reason);
  signal.addEventListener("abort", onAbort, { once: true });
  if (signal.aborted) onAbort();
  try {
    return await Promise.race([aborted, work]);
  } finally {
    signal.removeEventListener("abort", onAbort);
    // Whichever of the two lost the race may still reject.
    aborted.catch(() => undefined);
    work.catch(() => undefined);
  }
}
