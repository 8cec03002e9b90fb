import { withoutArguments } from "../mcp/message.ts";
import { isTooDeep } from "../pool/depth.ts";
import type { Envelope } from "../pool/messages.ts";
import { ReaderBusy, type ValidationPool } from "../pool/pool.ts";

/** What became of a request's body. */
export type Body = ReadBody | (DeferredBody & { readonly giveBack: () => void }) | UnreadBody;

export interface ReadBody {
  readonly kind: "message";
  readonly message: unknown;
  readonly bytes: number;
}

/**
 * A large call whose arguments stay in the body; `message` has none. It takes its room until `giveBack` is called, when
 * the call is over.
 */
export interface DeferredBody {
  readonly kind: "deferred";
  readonly message: unknown;
  readonly bytes: number;
  readonly body: Uint8Array;
  readonly policyCount: number;
}

/** A body that is no message. `invalid`: not UTF-8, not JSON, or cut short. `busy`: there is no room for one more large body. */
export interface UnreadBody {
  readonly kind: "too_large" | "too_many_values" | "invalid" | "batch" | "busy";
}

/** Bodies up to this many bytes are parsed on the main thread; that takes a millisecond or so. */
const inlineBytes = 64 * 1024;

/** Nobody who means well sends more parts than this of fewer bytes than that on average. */
const partsOfAnySize = 4_096;
const leastPartBytes = 16;

const decoder = new TextDecoder("utf-8", { fatal: true });

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
class Share {
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

/**
 * Reads and parses a JSON body. A large one is parsed in another thread.
 * @param limit Bytes; a longer body is not read to its end.
 */
export async function readJson(
  request: Request,
  limit: number,
  pool: ValidationPool,
  room: BodyRoom,
): Promise<Body> {
  const share = new Share(room);
  let kept = false;
  try {
    const bytes = await readBytes(request, limit, share).catch(() => "invalid" as const);
    // The connection broke; whoever sent this sees no answer.
    if (typeof bytes === "string") return { kind: bytes };
    if (bytes.byteLength <= inlineBytes) return parse(bytes);
    share.shrinkTo(bytes.byteLength);
    const read = await readLarge(bytes, pool);
    if (read.kind !== "deferred") return read;
    kept = true;
    return { ...read, giveBack: () => share.giveBack() };
  } finally {
    if (!kept) share.giveBack();
  }
}

function parse(bytes: Uint8Array): Body {
  let message: unknown;
  try {
    message = JSON.parse(decoder.decode(bytes));
  } catch {
    return { kind: "invalid" };
  }
  if (Array.isArray(message)) return { kind: "batch" };
  // Recursive code walks all but the arguments, which their tools read.
  if (isTooDeep(withoutArguments(message))) return { kind: "invalid" };
  return { kind: "message", message, bytes: bytes.byteLength };
}

async function readLarge(
  body: Uint8Array,
  pool: ValidationPool,
): Promise<ReadBody | DeferredBody | UnreadBody> {
  const bytes = body.byteLength;
  let envelope: Envelope;
  try {
    envelope = await pool.readEnvelope(body);
  } catch (error) {
    if (error instanceof ReaderBusy) return { kind: "busy" };
    throw error;
  }
  return "message" in envelope ? { ...envelope, bytes } : envelope;
}

async function readBytes(
  request: Request,
  limit: number,
  share: Share,
): Promise<Uint8Array | "too_large" | "busy" | "invalid"> {
  const declared = request.headers.get("content-length");
  if (declared === null) return collect(request.body ?? [], limit, share);
  const length = Number(declared);
  // The HTTP parser never delivers more than was declared, and whole bodies read faster.
  if (!(length <= limit)) return "too_large";
  if (length <= inlineBytes) return new Uint8Array(await request.arrayBuffer());
  return collect(request.body ?? [], length, share);
}

/**
 * Copies the parts of a body into one buffer, since a part of a byte takes the memory of hundreds, and takes room
 * for what has come, not for what was announced: that costs nothing.
 */
async function collect(
  parts: AsyncIterable<Uint8Array> | readonly Uint8Array[],
  limit: number,
  share: Share,
): Promise<Uint8Array | "too_large" | "busy" | "invalid"> {
  let held = new Uint8Array(0);
  let size = 0;
  let count = 0;
  for await (const part of parts) {
    const end = size + part.byteLength;
    if (end > limit) return "too_large";
    if (++count > partsOfAnySize && end < count * leastPartBytes) return "invalid";
    if (end > held.byteLength) {
      let capacity = Math.min(limit, Math.max(end, 2 * held.byteLength));
      if (!share.cover(capacity)) {
        capacity = end;
        if (!share.cover(capacity)) return "busy";
      }
      held = new Uint8Array(held.buffer.transfer(capacity));
    }
    held.set(part, size);
    size = end;
  }
  return new Uint8Array(held.buffer.transfer(size));
}
