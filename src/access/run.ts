import { Yielder } from "../yielder.ts";
import type { Answer, Asking } from "./answers.ts";

/**
 * Runs a question and lets the event loop turn while it does.
 * @throws the signal's reason once it has fired.
 */
export async function runQuestion(asking: Asking, signal?: AbortSignal): Promise<Answer> {
  signal?.throwIfAborted();
  const yielder = new Yielder(signal);
  for (;;) {
    const step = asking.next();
    if (step.done) return step.value;
    if (yielder.isDue) await yielder.yieldNow();
  }
}

/** Runs a question to its end; its budget bounds how long that takes. */
export function runQuestionSync(asking: Asking): Answer {
  for (;;) {
    const step = asking.next();
    if (step.done) return step.value;
  }
}
