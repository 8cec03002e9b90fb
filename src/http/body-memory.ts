/** Bodies up to this many bytes are parsed on the main thread; that takes a millisecond or so. */
export const inlineBytes = 64 * 1024;

/**
 * Memory for large bodies from their first byte until they are answered, of all requests together. Without a
 * bound, callers who send many at once, or who begin many and never end them, would fill the process.
 */
export class BodyRoom {
  readonly #bytes: number;
  #taken = 0;

  /** @param bytes At least the largest body, or that one never gets in. */
  constructor(bytes: number) {
    this.#bytes = bytes;
  }

  /** @returns false, and takes nothing, when there is not that much left. */
  take(bytes: number): boolean {
    if (this.#taken + bytes > this.#bytes) return false;
    this.#taken += bytes;
    return true;
  }

  giveBack(bytes: number): void {
    this.#taken -= bytes;
  }
}

/** What one body has taken of the room. */
export class Share {
  readonly #room: BodyRoom;
  #bytes = 0;

  constructor(room: BodyRoom) {
    this.#room = room;
  }

  /** Small bodies need no room: connections bound them. @returns false when there is none left. */
  cover(size: number): boolean {
    const more = size > inlineBytes ? size - this.#bytes : 0;
    if (!this.#room.take(more)) return false;
    this.#bytes += more;
    return true;
  }

  /** Gives back what is over that size. */
  shrinkTo(size: number): void {
    const over = Math.max(0, this.#bytes - size);
    this.#room.giveBack(over);
    this.#bytes -= over;
  }

  giveBack(): void {
    this.shrinkTo(0);
  }
}

/** A body in pieces, each alone in its memory. */
export interface Collected {
  readonly parts: readonly Uint8Array<ArrayBuffer>[];
  readonly size: number;
}

/** Each as large as all before it, up to this; so nothing is ever moved, and little is taken for nothing. */
const largestSegment = 1_048_576;

/** The parts of one body as they come, copied. */
export class Segments {
  readonly #limit: number;
  readonly #share: Share;
  readonly #full: Uint8Array<ArrayBuffer>[] = [];
  #open = new Uint8Array(0);
  #used = 0;
  size = 0;

  constructor(limit: number, share: Share) {
    this.#limit = limit;
    this.#share = share;
  }

  /** @returns false when there is no room for it. */
  append(part: Uint8Array): boolean {
    const fits = part.subarray(0, this.#open.byteLength - this.#used);
    this.#put(fits);
    const rest = part.subarray(fits.byteLength);
    if (rest.byteLength === 0) return true;
    const least = rest.byteLength;
    const wanted = Math.max(least, Math.min(this.size, largestSegment, this.#limit - this.size));
    const length = [wanted, least].find((bytes) => this.#share.cover(this.size + bytes));
    if (length === undefined) return false;
    if (this.#used > 0) this.#full.push(this.#open);
    // Every byte of it is written before it is read.
    this.#open = new Uint8Array(Buffer.allocUnsafeSlow(length).buffer);
    this.#used = 0;
    this.#put(rest);
    return true;
  }

  end(): Collected {
    const last = this.#used < this.#open.byteLength ? this.#open.slice(0, this.#used) : this.#open;
    this.#share.shrinkTo(this.size);
    return { parts: [...this.#full, last], size: this.size };
  }

  #put(bytes: Uint8Array): void {
    this.#open.set(bytes, this.#used);
    this.#used += bytes.byteLength;
    this.size += bytes.byteLength;
  }
}
