import type { IncomingMessage } from "node:http";
import type { Reservation } from "../admission/budget.ts";
import { type BodyRefusal, type BodySource, unreservedBytes } from "./body-source.ts";
import { ChunkBuffer, type Collected } from "./chunk-buffer.ts";

/** Bodies with more chunks than this are refused when these have fewer bytes than that on average. */
const chunksOfAnySize = 1_024;
const leastChunkBytes = 16;
/** Bytes that are read before the app asks for the body, besides those that arrived with the headers. */
const unaskedBytes = 16 * 1024;
/** What is read and dropped of a refused body, so that its client sees the answer and not a reset. */
const discardedBytes = 1_000_000;
const discardMs = 1_000;

/**
 * The body of a request on a socket. Bytes are copied and counted the moment they arrive: left in the stream, each
 * chunk is an object, and chunks of one byte fill the heap with a thousandth of the traffic that its buffer allows.
 */
export class IncomingBody implements BodySource {
  readonly #incoming: IncomingMessage;
  readonly #onFull: () => void;
  #buffer = new ChunkBuffer();
  #chunks = 0;
  #isOver = false;
  #refusal: BodyRefusal | undefined;
  #asked: { readonly limit: number; readonly reservation: Reservation } | undefined;
  #settle: (() => void) | undefined;
  #discarded: number | undefined;
  #hasTinyChunks = false;
  #isForgotten = false;

  /** @param onFull `isFull` has changed. */
  constructor(incoming: IncomingMessage, onFull: () => void) {
    this.#incoming = incoming;
    this.#onFull = onFull;
    incoming.on("data", (chunk: Buffer) => this.#take(chunk));
    incoming.on("end", () => {
      this.#finish(incoming.complete ? undefined : "invalid");
    });
    incoming.on("error", () => this.#finish("invalid"));
    incoming.on("close", () => this.#finish("invalid"));
  }

  /** Whether nothing more should be read until the app asks for it. */
  get isFull(): boolean {
    if (this.#isForgotten) return this.#discarded === undefined;
    return (
      !this.#isOver &&
      this.#asked === undefined &&
      this.#discarded === undefined &&
      this.#buffer.size >= unaskedBytes
    );
  }

  /** Whether it was refused because of the number of its chunks. */
  get hasTinyChunks(): boolean {
    return this.#hasTinyChunks;
  }

  get isComplete(): boolean {
    return this.#incoming.complete;
  }

  head(): Uint8Array {
    return this.#buffer.head(unreservedBytes);
  }

  /** Frees the memory of a refused body, and reads no more of it until it is discarded. */
  forget(): void {
    this.#finish("invalid");
    this.#buffer = new ChunkBuffer();
    this.#isForgotten = true;
    this.#onFull();
  }

  async read(limit: number, reservation: Reservation): Promise<Collected | BodyRefusal> {
    const declared = Number(this.#incoming.headers["content-length"] ?? 0);
    if (!(declared <= limit)) return this.#readHead(reservation);
    this.#asked = { limit, reservation };
    if (this.#buffer.size > limit) this.#finish("too_large");
    else if (!this.#reserve(this.#buffer.size)) this.#finish("busy");
    this.#onFull();
    await this.#over();
    if (this.#refusal) return this.#refusal;
    const collected = this.#buffer.end();
    reservation.shrinkTo(collected.size > unreservedBytes ? collected.size : 0);
    return collected;
  }

  async discard(): Promise<void> {
    // Each chunk costs time, even one that is dropped.
    if (this.isComplete || this.#incoming.destroyed || this.#hasTinyChunks) return;
    this.#finish("invalid");
    this.#discarded = 0;
    this.#onFull();
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, discardMs);
    this.#settle = resolve;
    this.#incoming.once("close", resolve);
    await promise;
    clearTimeout(timer);
  }

  /** Reads the beginning of a body that is declared too large, which may have the id of the request. */
  async #readHead(reservation: Reservation): Promise<BodyRefusal> {
    this.#asked = { limit: unreservedBytes, reservation };
    if (this.#buffer.size >= unreservedBytes) this.#finish("too_large");
    this.#onFull();
    const timer = setTimeout(() => this.#finish("too_large"), discardMs);
    await this.#over();
    clearTimeout(timer);
    return "too_large";
  }

  #over(): Promise<void> {
    if (this.#isOver) return Promise.resolve();
    return new Promise((resolve) => {
      this.#settle = resolve;
    });
  }

  #take(chunk: Buffer): void {
    if (this.#discarded !== undefined) {
      this.#discarded += chunk.byteLength;
      if (this.#discarded > discardedBytes) this.#settle?.();
      return;
    }
    if (this.#isOver) return;
    const { size } = this.#buffer;
    const end = size + chunk.byteLength;
    const { limit = Number.POSITIVE_INFINITY } = this.#asked ?? {};
    if (++this.#chunks > chunksOfAnySize && end < this.#chunks * leastChunkBytes) {
      this.#hasTinyChunks = true;
      this.#finish("invalid");
    } else if (end > limit) {
      // This much may have the id of the request.
      this.#buffer.append(chunk.subarray(0, Math.max(0, unreservedBytes - size)));
      this.#finish("too_large");
    } else if (!this.#buffer.append(chunk, (bytes) => this.#reserve(bytes))) {
      this.#finish("busy");
    } else if (this.isFull) {
      this.#onFull();
    }
  }

  #reserve(bytes: number): boolean {
    if (!this.#asked || bytes <= unreservedBytes) return true;
    return this.#asked.reservation.growTo(bytes);
  }

  #finish(refusal: BodyRefusal | undefined): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#refusal = refusal;
    this.#settle?.();
    this.#onFull();
  }
}
