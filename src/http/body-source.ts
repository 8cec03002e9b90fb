import type { Reservation } from "../admission/budget.ts";
import type { Collected } from "./chunk-buffer.ts";

/** Bodies up to this many bytes need no reservation: the number of connections limits them. */
export const unreservedBytes = 64 * 1024;

/** Why a body was not read to its end. `invalid`: it is incomplete, or in too many tiny chunks. */
export type BodyRefusal = "too_large" | "busy" | "invalid";

/** The body of one request. */
export interface BodySource {
  /**
   * Reads it to its end.
   * @param limit Bytes; of a longer one the first `unreservedBytes` are read at most.
   * @param reservation Grows with what is over `unreservedBytes`.
   */
  read(limit: number, reservation: Reservation): Promise<Collected | BodyRefusal>;
  /** What has arrived so far, no more than `unreservedBytes`. */
  head(): Uint8Array;
  readonly isComplete: boolean;
  /** Reads and drops the rest, 1 MB or one second of it at most, so that the client sees its answer. */
  discard(): Promise<void>;
}

/** The body of a request that is in memory already, as in a function. */
export class ReceivedBody implements BodySource {
  readonly #request: Request;
  readonly isComplete = true;

  constructor(request: Request) {
    this.#request = request;
  }

  async read(limit: number, reservation: Reservation): Promise<Collected | BodyRefusal> {
    const declared = Number(this.#request.headers.get("content-length") ?? 0);
    if (!(declared <= limit)) return "too_large";
    const whole = new Uint8Array(await this.#request.arrayBuffer());
    const size = whole.byteLength;
    if (size > limit) return "too_large";
    if (size > unreservedBytes && !reservation.growTo(size)) return "busy";
    return { parts: [whole], size };
  }

  head(): Uint8Array {
    return new Uint8Array(0);
  }

  async discard(): Promise<void> {}
}
