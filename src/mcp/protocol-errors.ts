import { ProtocolError, ProtocolErrorCode } from "@modelcontextprotocol/server";
import { logDefect } from "../defect.ts";
import type { Runtime } from "../runtime.ts";

/** JSON-RPC error -32602. */
export function invalidParams(message: string, data?: unknown): ProtocolError {
  return new ProtocolError(ProtocolErrorCode.InvalidParams, message, data);
}

/** Logs a defect. @returns the error that names its log line and says nothing else. */
export function internalError(
  { runtime }: { readonly runtime: Pick<Runtime, "log"> },
  error: unknown,
  where: Readonly<Record<string, string>>,
): ProtocolError {
  const id = logDefect(runtime.log, error, where);
  return new ProtocolError(ProtocolErrorCode.InternalError, `Internal error; see ${id} in the log`);
}
