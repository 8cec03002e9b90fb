import type { StartupErrorKind, ToolErrorKind } from "../spec/errors.ts";

/** Something the operator must mend before the server can start. The message is one line and holds no secret. */
export class StartupError extends Error {
  override name = "StartupError";
  readonly kind: StartupErrorKind;
  constructor(kind: StartupErrorKind, message: string) {
    super(message);
    this.kind = kind;
  }
}

/** Something the calling model can act on: becomes a tool result with `isError: true`. */
export class ToolError extends Error {
  override name = "ToolError";
  readonly kind: ToolErrorKind;
  constructor(kind: ToolErrorKind, message: string) {
    super(message);
    this.kind = kind;
  }
}

/** @returns the reason in one line, for a log; library errors hide the real one in their cause. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { cause } = error;
  const inner = cause instanceof Error ? `: ${cause.message}` : "";
  return `${error.message}${inner}`.replaceAll(/\s+/g, " ").slice(0, 300);
}
