import { randomUUID } from "node:crypto";
import type { Log } from "./log.ts";

/** A line of a stack trace, as V8 writes it. */
const frame = /^ {4}at [^\n]{1,500}:\d+:\d+\)?$/;

/**
 * Logs an unexpected exception without its message, because messages can quote policy text.
 * @returns A random id, also in the log line, to be returned to the caller.
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

/** @returns The lines of a stack trace that are frames, without the message. */
export function framesOf(error: unknown): string[] {
  if (!(error instanceof Error)) return [];
  const { stack = "", message } = error;
  // The message comes first and may contain lines that look like frames.
  const at = stack.indexOf(message);
  return stack
    .slice(at < 0 ? 0 : at + message.length)
    .split("\n")
    .filter((line) => frame.test(line))
    .map((line) => line.trim());
}
