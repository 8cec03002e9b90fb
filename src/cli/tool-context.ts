import { onlyCaller } from "../admission/call-pass.ts";
import type { Session } from "../local/session.ts";
import type { ToolContext } from "../tools/tool.ts";

/** What a tool works with when a command runs it: nothing is cut, and nobody goes away. */
export function contextOf({ runtime }: Session): ToolContext {
  return {
    runtime,
    signal: new AbortController().signal,
    toolNames: [],
    ...onlyCaller,
    maxResultBytes: Number.POSITIVE_INFINITY,
  };
}
