import { destination, type Logger, pino } from "pino";

/** The log of everything that is not an audit record: JSON lines on standard error. */
export type Log = Logger;

/** @returns a log whose lines carry `logger`; nothing of a request's content may be passed to it. */
export function createLog(level: string): Log {
  return pino(
    {
      level,
      base: null,
      timestamp: () => `,"timestamp":"${new Date().toISOString()}"`,
      formatters: { level: (label) => ({ level: label }) },
    },
    destination({ dest: 2, sync: true }),
  ).child({ logger: "validator.mcp" });
}
