import { STATUS_CODES } from "node:http";
import { rpcCode, rpcError } from "../protocol/rpc-error.ts";
import type { Sender } from "./event.ts";

/** The result from which Lambda builds an HTTP response. */
export interface FunctionResult {
  readonly statusCode: number;
  readonly statusDescription?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly multiValueHeaders?: Readonly<Record<string, readonly string[]>>;
  /** Values of `Set-Cookie`, for format 2.0. */
  readonly cookies?: readonly string[];
  readonly body: string;
  readonly isBase64Encoded: boolean;
}

/** Maximum payload of a function's result: 6 MiB and 100 bytes. */
const functionBytes = 6_291_556;
/** Maximum payload of a function's result behind a load balancer. */
const loadBalancerBytes = 1_000_000;
/** Reserved in the payload for status and headers. */
const envelopeBytes = 4_096;

/**
 * Converts a response to the format of the event's sender. The body becomes a JSON string, in which
 * quotes and backslashes take two bytes, so it can exceed the platform's limit although it is within
 * `max_response_bytes`. Base64 adds exactly a third; compression makes it smaller.
 */
export async function writeResult(
  response: Response,
  sender: Sender,
  acceptEncoding: string | null,
): Promise<FunctionResult> {
  const room = (sender.loadBalancer ? loadBalancerBytes : functionBytes) - envelopeBytes;
  const text = await response.text();
  // JSON encoding makes a body at most six times as large (control characters become \u0000).
  if (text.length * 6 <= room || Buffer.byteLength(JSON.stringify(text)) <= room) {
    return envelope(response, sender, text, false);
  }
  if (base64Length(Buffer.byteLength(text)) <= room) {
    return envelope(response, sender, Buffer.from(text).toString("base64"), true);
  }
  if (/(?:^|[\s,])gzip(?:[\s,]|;\s*q=(?:0\.\d*[1-9]|1)|$)/i.test(acceptEncoding ?? "")) {
    const { gzipSync } = await import("node:zlib");
    const compressed = gzipSync(text, { level: 6 });
    if (base64Length(compressed.byteLength) <= room) {
      response.headers.set("content-encoding", "gzip");
      response.headers.append("vary", "accept-encoding");
      return envelope(response, sender, compressed.toString("base64"), true);
    }
  }
  const tooLarge = rpcError(
    500,
    rpcCode.internalError,
    "The answer is larger than the platform allows. Send fewer policies per call.",
  );
  return envelope(tooLarge, sender, await tooLarge.text(), false);
}

function envelope(
  { status, headers }: Response,
  { loadBalancer, multiValueHeaders, cookies }: Sender,
  body: string,
  isBase64Encoded: boolean,
): FunctionResult {
  const set = headers.getSetCookie();
  const fields = [...headers].filter(([name]) => name !== "set-cookie");
  const lists = Object.fromEntries(fields.map(([name, value]) => [name, [value]]));
  const [first] = set;
  // A load balancer without lists of values sets one cookie: the first is the one that a login needs.
  const withCookie = first !== undefined && cookies === undefined ? { "set-cookie": first } : {};
  return {
    statusCode: status,
    ...(loadBalancer && { statusDescription: `${status} ${STATUS_CODES[status] ?? ""}`.trim() }),
    ...(multiValueHeaders
      ? { multiValueHeaders: { ...lists, ...(set.length > 0 && { "set-cookie": set }) } }
      : { headers: { ...Object.fromEntries(fields), ...withCookie } }),
    ...(set.length > 0 && cookies === "list" && { cookies: set }),
    ...(set.length > 0 &&
      cookies === "multiValueHeaders" &&
      !multiValueHeaders && { multiValueHeaders: { "set-cookie": set } }),
    body,
    isBase64Encoded,
  };
}

function base64Length(bytes: number): number {
  return Math.ceil(bytes / 3) * 4;
}
