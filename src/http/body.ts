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

/** A body that is no message. `invalid`: not UTF-8, not JSON, or cut short. `busy`: too many large bodies are waiting to be read. */
export interface UnreadBody {
  readonly kind: "too_large" | "invalid" | "batch" | "busy";
}

/** Bodies up to this many bytes are parsed on the main thread; that takes a millisecond or so. */
const inlineBytes = 64 * 1024;

const decoder = new TextDecoder("utf-8", { fatal: true });

/**
 * Reads and parses a JSON body. A large one is parsed in another thread.
 * @param limit Bytes; a longer body is not read to its end.
 */
export async function readJson(
  request: Request,
  limit: number,
  pool: ValidationPool,
): Promise<Body> {
  let bytes: Uint8Array | undefined;
  try {
    bytes = await readBytes(request, limit);
  } catch {
    // The connection broke; whoever sent this sees no answer.
    return { kind: "invalid" };
  }
  if (!bytes) return { kind: "too_large" };
  return bytes.byteLength > inlineBytes ? readLarge(bytes, pool) : parse(bytes);
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
  return envelope.kind === "invalid" || envelope.kind === "batch"
    ? envelope
    : { ...envelope, bytes };
}

async function readBytes(request: Request, limit: number): Promise<Uint8Array | undefined> {
  const declared = request.headers.get("content-length");
  if (declared !== null) {
    // The HTTP parser never delivers more than was declared, and whole bodies read faster.
    if (!(Number(declared) <= limit)) return undefined;
    return new Uint8Array(await request.arrayBuffer());
  }
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of request.body ?? []) {
    size += part.byteLength;
    if (size > limit) return undefined;
    parts.push(part);
  }
  return Buffer.concat(parts);
}
