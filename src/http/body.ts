import { setImmediate as nextTurn } from "node:timers/promises";
import { isTooDeep } from "../json/depth.ts";
import { parseJson } from "../json/parse.ts";
import { ReaderBusy } from "../pool/pool.ts";
import type { Envelope, ValidationPool } from "../pool/types.ts";
import { withoutArguments } from "../protocol/message.ts";
import { type BodyRoom, type Collected, inlineBytes, Segments, Share } from "./body-memory.ts";

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

/** Nobody who means well sends more parts than this of fewer bytes than that on average. */
const partsOfAnySize = 4_096;
const leastPartBytes = 16;

const decoder = new TextDecoder("utf-8", { fatal: true });

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
    const body = await readBytes(request, limit, share).catch(() => "invalid" as const);
    // The connection broke; whoever sent this sees no answer.
    if (typeof body === "string") return { kind: body };
    if (body.size <= inlineBytes) return parse(body);
    const read = await readLarge(body, pool);
    if (read.kind !== "deferred") return read;
    kept = true;
    return { ...read, giveBack: () => share.giveBack() };
  } finally {
    if (!kept) share.giveBack();
  }
}

function parse({ parts, size }: Collected): Body {
  const [first] = parts;
  let message: unknown;
  try {
    message = parseJson(decoder.decode(parts.length > 1 ? Buffer.concat(parts) : first));
  } catch {
    return { kind: "invalid" };
  }
  if (Array.isArray(message)) return { kind: "batch" };
  // Recursive code walks all but the arguments, which their tools read.
  if (isTooDeep(withoutArguments(message))) return { kind: "invalid" };
  return { kind: "message", message, bytes: size };
}

async function readLarge(
  body: Collected,
  pool: ValidationPool,
): Promise<ReadBody | DeferredBody | UnreadBody> {
  const bytes = body.size;
  let envelope: Envelope;
  try {
    envelope = await pool.readEnvelope(body.parts);
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
): Promise<Collected | "too_large" | "busy" | "invalid"> {
  const declared = request.headers.get("content-length");
  if (declared === null) return collect(request.body ?? [], limit, share);
  const length = Number(declared);
  if (!(length <= limit)) return "too_large";
  if (length > inlineBytes) return collect(request.body ?? [], length, share);
  // The HTTP parser never delivers more than was declared, and whole bodies read faster.
  const whole = new Uint8Array(await request.arrayBuffer());
  return { parts: [whole], size: whole.byteLength };
}

/**
 * Copies the parts of a body into segments, since a part of a byte takes the memory of hundreds, and takes room
 * for what has come, not for what was announced: that costs nothing.
 */
async function collect(
  parts: AsyncIterable<Uint8Array> | readonly Uint8Array[],
  limit: number,
  share: Share,
): Promise<Collected | "too_large" | "busy" | "invalid"> {
  const segments = new Segments(limit, share);
  let count = 0;
  for await (const part of parts) {
    const end = segments.size + part.byteLength;
    if (end > limit) return "too_large";
    if (++count > partsOfAnySize && end < count * leastPartBytes) return "invalid";
    if (!segments.append(part)) return "busy";
    // Whoever sends fast has a part ready whenever one is asked for; others have a turn in between.
    await nextTurn();
  }
  return segments.end();
}
