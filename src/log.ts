import { type Logger, pino } from "pino";
import { lineWriter } from "./line-writer.ts";

/** The log of everything that is not an audit record: JSON lines on standard error. */
export type Log = Logger;

/** A line that cannot be written is lost: a full disk must not fail calls or end the process. */
function standardError(): { write(line: string): void } {
  const write = lineWriter(2);
  return {
    write(line) {
      try {
        write(line);
      } catch {
        // There is no other place to report this.
      }
    },
  };
}

/** @returns A log whose lines have `logger`. Never pass it content of a request. */
export function createLog(level: string): Log {
  return pino(
    {
      level,
      base: null,
      timestamp: () => `,"timestamp":"${new Date().toISOString()}"`,
      formatters: { level: (label) => ({ level: label }) },
      // Fields of a line win, so that a part of the server may name itself.
      mixin: () => ({ logger: "validator.mcp" }),
    },
    standardError(),
  );
}
