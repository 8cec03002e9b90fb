import { setImmediate as nextTurn } from "node:timers/promises";
import type { BodySource } from "./body-source.ts";

/**
 * Makes an answer that is given before the whole body has arrived the last one of its connection, and keeps the
 * connection for a moment after it: closed at once, the rest of the body would be answered with a reset, which may
 * reach the client before the answer does (RFC 9112, 9.6).
 */
export async function closingIfUnread(response: Response, body: BodySource): Promise<Response> {
  // Node reports the end of a body that arrived with its headers one turn later.
  if (!body.isComplete) await nextTurn();
  if (body.isComplete) return response;
  const bytes = new Uint8Array(await response.arrayBuffer());
  const headers = new Headers(response.headers);
  headers.set("connection", "close");
  headers.set("content-length", String(bytes.byteLength));
  const stream = new ReadableStream<Uint8Array>({
    async start(controller) {
      if (bytes.byteLength > 0) controller.enqueue(bytes);
      await body.discard();
      controller.close();
    },
  });
  return new Response(stream, { status: response.status, headers });
}
