import { onlyCaller } from "../admission/call-pass.ts";
import type { Session } from "../local/session.ts";
import type { ToolContext } from "../tools/tool.ts";

/** The tool context of a command: the output is not shortened and the call is never cancelled. */
export function contextOf({ runtime }: Session): ToolContext {
  return {
    runtime,
    signal: new AbortController().signal,
    toolNames: [],
    ...onlyCaller,
    maxResultBytes: Number.POSITIVE_INFINITY,
  };
}
