import { Budget, shareOf } from "../admission/budget.ts";

const keepAliveMs = 15_000;
const encoder = new TextEncoder();
const comment = encoder.encode(": keepalive\n\n");

export const eventStreamHeaders = {
  "content-type": "text/event-stream",
  "cache-control": "no-cache, no-transform",
  // Some reverse proxies would collect the stream before passing it on.
  "x-accel-buffering": "no",
};

/** Unread chunks after which a stream gets no more keep-alives. */
const backlog = 4;

interface OpenStream {
  readonly controller: ReadableStreamDefaultController<Uint8Array>;
  /** Sent before the server ends the stream. */
  readonly farewell: string;
  readonly caller: string;
}

/**
 * Event streams that carry nothing but comments: the optional GET channel and accepted
 * subscriptions. They stay open until the client leaves or the server drains.
 */
export class Streams {
  readonly #places: Budget;
  readonly #open = new Set<OpenStream>();
  #timer: NodeJS.Timeout | undefined;
  #ended = false;

  /** @param limit Streams open at once; one caller has three quarters of them at most. */
  constructor(limit: number) {
    this.#places = new Budget({ process: limit, caller: shareOf(limit) });
  }

  get count(): number {
    return this.#open.size;
  }

  /** Whether another stream of this caller would be one too many. */
  isFullFor(caller: string): boolean {
    if (this.#places.take(caller, 1)) return true;
    this.#places.release(caller, 1);
    return false;
  }

  /**
   * While the server drains, streams are opened and ended at once instead of refused: clients reconnect after an end,
   * and reach the next server, but may give up after an error.
   * @param caller The stream counts for the share of this caller.
   * @param greeting Sent at once. Some proxies and tools show headers with the first byte only.
   * @param farewell Sent when the server ends the stream.
   */
  open(caller: string, greeting = ": open\n\n", farewell = ""): Response {
    let stream: OpenStream | undefined;
    const body = new ReadableStream<Uint8Array>(
      {
        start: (controller) => {
          controller.enqueue(encoder.encode(greeting));
          stream = { controller, farewell, caller };
          if (this.#ended) finish(stream);
          else this.#add(stream);
        },
        cancel: () => {
          if (stream) this.#remove(stream);
        },
      },
      { highWaterMark: backlog },
    );
    return new Response(body, { headers: eventStreamHeaders });
  }

  /** Ends every stream, and later ones as soon as they open. */
  end(): void {
    this.#ended = true;
    for (const stream of this.#open) {
      finish(stream);
      this.#remove(stream);
    }
  }

  #add(stream: OpenStream): void {
    this.#open.add(stream);
    this.#places.take(stream.caller, 1);
    this.#timer ??= setInterval(() => this.#keepAlive(), keepAliveMs).unref();
  }

  #remove(stream: OpenStream): void {
    if (!this.#open.delete(stream)) return;
    this.#places.release(stream.caller, 1);
    if (this.#open.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #keepAlive(): void {
    for (const { controller } of this.#open) {
      if ((controller.desiredSize ?? 0) > 0) controller.enqueue(comment);
    }
  }
}

function finish({ controller, farewell }: OpenStream): void {
  if (farewell !== "") controller.enqueue(encoder.encode(farewell));
  controller.close();
}
