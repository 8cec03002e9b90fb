import { randomUUID } from "node:crypto";
import type { Log } from "./log.ts";

/** A line of a stack trace, as V8 writes it. */
const frame = /^ {4}at [^\n]{1,500}:\d+:\d+\)?$/;

/**
 * Logs an exception nobody expected. Its message is left out: messages quote the values they are
 * about, and those may be policy text.
 * @returns a random id that is also in the log line, for the caller to pass on.
 */
export function logDefect(
  log: Log,
  error: unknown,
  where: Readonly<Record<string, string>>,
): string {
  const correlationId = randomUUID();
  log.error({ ...where, correlation_id: correlationId, error: describe(error) }, "Internal error.");
  return correlationId;
}

function describe(error: unknown, depth = 0): object {
  if (!(error instanceof Error)) return { name: typeof error };
  return {
    name: error.name,
    frames: framesOf(error),
    ...(error.cause !== undefined && depth < 3 && { cause: describe(error.cause, depth + 1) }),
  };
}

/** @returns the lines of a stack trace that name places in code, and nothing of the message. */
export function framesOf(error: unknown): string[] {
  if (!(error instanceof Error)) return [];
  const { stack = "", message } = error;
  // The message comes first and may hold lines that look like frames.
  const at = stack.indexOf(message);
  return stack
    .slice(at < 0 ? 0 : at + message.length)
    .split("\n")
    .filter((line) => frame.test(line))
    .map((line) => line.trim());
}
