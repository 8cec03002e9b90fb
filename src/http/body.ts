import type { Envelope } from "../pool/messages.ts";
import { ReaderBusy, type ValidationPool } from "../pool/pool.ts";

/** What became of a request's body. */
export type Body =
  | { readonly kind: "message"; readonly message: unknown; readonly bytes: number }
  /** A large call whose arguments stay in the body; `message` has none. */
  | {
      readonly kind: "deferred";
      readonly message: unknown;
      readonly bytes: number;
      readonly body: Uint8Array;
      readonly policyCount: number;
    }
  | UnreadBody;

/** A body that is no message. `invalid`: not UTF-8, not JSON, or cut short. `busy`: there is no room for one more large body. */
export interface UnreadBody {
  readonly kind: "too_large" | "too_many_values" | "invalid" | "batch" | "busy";
}

/** Bodies up to this many bytes are parsed on the main thread; that takes a millisecond or so. */
const inlineBytes = 64 * 1024;

const decoder = new TextDecoder("utf-8", { fatal: true });

/**
 * Memory for large bodies until they have been taken apart, of all requests together. Without a bound,
 * callers who send many at once, or who begin many and never end them, would fill the process.
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

  giveBack(): void {
    this.#room.giveBack(this.#bytes);
    this.#bytes = 0;
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
  try {
    const bytes = await readBytes(request, limit, share).catch(() => "invalid" as const);
    // The connection broke; whoever sent this sees no answer.
    if (typeof bytes === "string") return { kind: bytes };
    return await (bytes.byteLength > inlineBytes ? readLarge(bytes, pool) : parse(bytes));
  } finally {
    share.giveBack();
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
  return { kind: "message", message, bytes: bytes.byteLength };
}

async function readLarge(body: Uint8Array, pool: ValidationPool): Promise<Body> {
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
): Promise<Uint8Array | "too_large" | "busy"> {
  const declared = request.headers.get("content-length");
  if (declared !== null) {
    // The HTTP parser never delivers more than was declared, and whole bodies read faster.
    if (!(Number(declared) <= limit)) return "too_large";
    if (!share.cover(Number(declared))) return "busy";
    return new Uint8Array(await request.arrayBuffer());
  }
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of request.body ?? []) {
    size += part.byteLength;
    if (size > limit) return "too_large";
    if (!share.cover(size)) return "busy";
    parts.push(part);
  }
  return Buffer.concat(parts);
}
