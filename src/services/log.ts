/** Where a source of service data says what went wrong; a pino logger fits. */
export interface ServiceLog {
  warn(fields: object, message: string): void;
  info(fields: object, message: string): void;
}

/** @returns the reason in one line, for a log; library errors hide the real one in their cause. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { cause } = error;
  const inner = cause instanceof Error ? `: ${cause.message}` : "";
  return `${error.message}${inner}`.replaceAll(/\s+/g, " ").slice(0, 300);
}
