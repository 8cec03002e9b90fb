import { noStreamLeft } from "../http/channel.ts";
import type { Streams } from "../http/streams.ts";

/**
 * Keeps an accepted `subscriptions/listen` open. The SDK checks the request, acknowledges an empty
 * subscription and ends it immediately, because nothing can change. The client gets the acknowledgement
 * now and the end when the server drains.
 * @param answer Lets the SDK answer the request.
 * @param caller The stream counts for the share of this caller.
 */
export async function holdSubscription(
  streams: Streams,
  answer: () => Promise<Response>,
  caller: string,
  id: string | number | null,
): Promise<Response> {
  if (streams.isFullFor(caller)) return noStreamLeft(id);
  const response = await answer();
  if (!response.headers.get("content-type")?.startsWith("text/event-stream")) return response;
  const frames = await response.text();
  const firstEnd = frames.indexOf("\n\n") + 2;
  return streams.open(caller, frames.slice(0, firstEnd), frames.slice(firstEnd));
}
