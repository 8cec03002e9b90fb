/** A body in pieces, each with its own memory. */
export interface Collected {
  readonly parts: readonly Uint8Array<ArrayBuffer>[];
  readonly size: number;
}

/**
 * A body up to this size is in one piece, which grows by `transfer`: that frees the memory that it replaces at once. With
 * pieces that wait for it, the garbage collector ran a quarter more often in floods of bodies of 48 KB.
 */
const largestPiece = 65_536;
/** Segments double up to this, so at most half of what is reserved stays unused. */
const largestSegment = 1_048_576;
/** Larger than what `Buffer` would take from its pool. */
const smallestSegment = 256;

/** Reserves memory for this many bytes. @returns false: the budget is used up. */
export type Reserve = (bytes: number) => boolean;

/**
 * The chunks of one body, copied as they arrive: an uncopied chunk keeps the 64 KiB alive into which it was read, and
 * a chunk of one byte takes the memory of hundreds.
 */
export class ChunkBuffer {
  readonly #full: Uint8Array<ArrayBuffer>[] = [];
  #open = new Uint8Array(0);
  #used = 0;
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** @returns false if the budget does not suffice for all of it. */
  append(part: Uint8Array, reserve: Reserve = () => true): boolean {
    const fits = part.subarray(0, this.#open.byteLength - this.#used);
    this.#put(fits);
    const rest = part.subarray(fits.byteLength);
    if (rest.byteLength === 0) return true;
    const least = rest.byteLength;
    const grows = this.#size + least <= largestPiece;
    const wanted = Math.max(least, smallestSegment, Math.min(this.#size, largestSegment));
    const most = grows ? Math.min(wanted, largestPiece - this.#size) : wanted;
    const length = [most, least].find((bytes) => reserve(this.#size + bytes));
    if (length === undefined) return false;
    if (grows) {
      this.#open = new Uint8Array(this.#open.buffer.transfer(this.#used + length));
    } else {
      if (this.#used > 0) this.#full.push(this.#open.subarray(0, this.#used));
      // Every byte of it is written before it is read.
      this.#open = new Uint8Array(Buffer.allocUnsafeSlow(length).buffer);
      this.#used = 0;
    }
    this.#put(rest);
    return true;
  }

  /** @returns the first bytes, at most this many. */
  head(most: number): Uint8Array {
    return Buffer.concat([...this.#full, this.#open.subarray(0, this.#used)]).subarray(0, most);
  }

  end(): Collected {
    if (this.#used < this.#open.byteLength) {
      this.#open = new Uint8Array(this.#open.buffer.transfer(this.#used));
    }
    return { parts: [...this.#full, this.#open], size: this.#size };
  }

  #put(bytes: Uint8Array): void {
    this.#open.set(bytes, this.#used);
    this.#used += bytes.byteLength;
    this.#size += bytes.byteLength;
  }
}
