/** What was read of a body. */
interface Bounded {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** False: the body has more, which was not read. */
  readonly isWhole: boolean;
}

/**
 * Reads a body up to a limit. Each chunk is copied, because a chunk of one byte takes the memory of hundreds.
 * Leaving the loop early ends the stream, and with it the connection or download.
 * @param body Null: there is none.
 * @param most Bytes, after decompression.
 */
export async function readAtMost(
  body: AsyncIterable<Uint8Array> | null,
  most: number,
): Promise<Bounded> {
  let buffer = new Uint8Array(Math.min(most, 16 * 1024));
  let bytes = 0;
  for await (const part of body ?? []) {
    const end = bytes + part.length;
    if (end > most) return { bytes: buffer.slice(0, bytes), isWhole: false };
    if (end > buffer.length) {
      const longer = new Uint8Array(Math.min(most, Math.max(end, 2 * buffer.length)));
      longer.set(buffer.subarray(0, bytes));
      buffer = longer;
    }
    buffer.set(part, bytes);
    bytes = end;
  }
  return { bytes: buffer.slice(0, bytes), isWhole: true };
}
