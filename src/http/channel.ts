import { acceptsEventStream } from "../protocol/accept.ts";
import { modernRevision, olderRevisions } from "../protocol/revisions.ts";
import { rpcCode, rpcError } from "../protocol/rpc-error.ts";
import type { Streams } from "./streams.ts";

/** The optional event stream of `GET /mcp`, for clients of the 2025 revisions. Nothing but comments is sent. */
export function openChannel(streams: Streams, headers: Headers, caller: string): Response {
  const revision = headers.get("mcp-protocol-version");
  if (revision === modernRevision) {
    return rpcError(405, rpcCode.invalidRequest, `Revision ${revision} has no GET channel`, {
      headers: { allow: "POST" },
    });
  }
  if (revision !== null && !olderRevisions.includes(revision)) {
    return rpcError(400, rpcCode.invalidRequest, "Unsupported MCP-Protocol-Version");
  }
  if (!acceptsEventStream(headers.get("accept"))) {
    return rpcError(406, rpcCode.invalidRequest, "Accept must list text/event-stream");
  }
  if (streams.isFullFor(caller)) return noStreamLeft();
  return streams.open(caller);
}

/** @param id Of the request; absent: it has none. */
export function noStreamLeft(id?: string | number | null): Response {
  return rpcError(503, rpcCode.internalError, "Too many open streams", {
    id,
    headers: { "retry-after": "30" },
  });
}
