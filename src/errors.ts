import type { StartupErrorKind, ToolErrorKind } from "../spec/errors.ts";

/** An error that the operator must fix before the server can start. The message is one line without secrets. */
export class StartupError extends Error {
  override name = "StartupError";
  readonly kind: StartupErrorKind;
  constructor(kind: StartupErrorKind, message: string) {
    super(message);
    this.kind = kind;
  }
}

/** An error that the calling model can correct. It becomes a tool result with `isError: true`. */
export class ToolError extends Error {
  override name = "ToolError";
  readonly kind: ToolErrorKind;
  constructor(kind: ToolErrorKind, message: string) {
    super(message);
    this.kind = kind;
  }
}

/** @returns The reason on one line, for a log. Library errors have the real reason in their `cause`. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { cause } = error;
  const inner = cause instanceof Error ? `: ${cause.message}` : "";
  return `${error.message}${inner}`.replaceAll(/\s+/g, " ").slice(0, 300);
}
