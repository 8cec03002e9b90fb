const keepAliveMs = 15_000;
const encoder = new TextEncoder();
const comment = encoder.encode(": keepalive\n\n");

export const eventStreamHeaders = {
  "content-type": "text/event-stream",
  "cache-control": "no-cache, no-transform",
  // Some reverse proxies would collect the stream before passing it on.
  "x-accel-buffering": "no",
};

/** Chunks a slow reader may owe us before keep-alives are left out. */
const backlog = 4;

interface OpenStream {
  readonly controller: ReadableStreamDefaultController<Uint8Array>;
  /** Sent before the server ends the stream. */
  readonly farewell: string;
}

/**
 * Event streams that carry nothing but comments: the optional GET channel and accepted
 * subscriptions. They stay open until the client leaves or the server drains.
 */
export class Streams {
  readonly #limit: number;
  readonly #open = new Set<OpenStream>();
  #timer: NodeJS.Timeout | undefined;
  #ended = false;

  /** @param limit Streams open at once. */
  constructor(limit: number) {
    this.#limit = limit;
  }

  get count(): number {
    return this.#open.size;
  }

  /** Whether another stream would be one too many. */
  get full(): boolean {
    return this.#open.size >= this.#limit;
  }

  /**
   * Once the server drains, a stream ends as soon as it has begun: a client that hears a refusal may never ask again,
   * one whose stream ends opens another, and finds the server that takes over.
   * @param greeting Sent at once. Some proxies and tools show headers with the first byte only.
   * @param farewell Sent when the server ends the stream.
   */
  open(greeting = ": open\n\n", farewell = ""): Response {
    let stream: OpenStream | undefined;
    const body = new ReadableStream<Uint8Array>(
      {
        start: (controller) => {
          controller.enqueue(encoder.encode(greeting));
          stream = { controller, farewell };
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

  /** Ends every stream, and at once those that open after that. */
  end(): void {
    this.#ended = true;
    for (const stream of this.#open) {
      finish(stream);
      this.#remove(stream);
    }
  }

  #add(stream: OpenStream): void {
    this.#open.add(stream);
    this.#timer ??= setInterval(() => this.#keepAlive(), keepAliveMs).unref();
  }

  #remove(stream: OpenStream): void {
    this.#open.delete(stream);
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
