import { setImmediate as nextTurn } from "node:timers/promises";
import type { Answer, Asking } from "./questions.ts";

/** Longest stretch of work before the event loop gets a turn, in milliseconds. */
const stretchMs = 5;

/**
 * Runs a question and lets the event loop turn while it does.
 * @throws the signal's reason once it has fired.
 */
export async function runQuestion(asking: Asking, signal?: AbortSignal): Promise<Answer> {
  signal?.throwIfAborted();
  let started = performance.now();
  for (;;) {
    const step = asking.next();
    if (step.done) return step.value;
    if (performance.now() - started < stretchMs) continue;
    await nextTurn();
    signal?.throwIfAborted();
    started = performance.now();
  }
}

/** Runs a question to its end; its budget bounds how long that takes. */
export function runQuestionSync(asking: Asking): Answer {
  for (;;) {
    const step = asking.next();
    if (step.done) return step.value;
  }
}
