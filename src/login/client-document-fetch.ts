import type { IncomingMessage } from "node:http";
import { type Agent, request } from "node:https";
import { brotliDecompressSync, gunzipSync, inflateSync } from "node:zlib";

/** Bytes of a document, compressed or not (section 6.6 of the draft asks for a bound and proposes 5 KB). */
const maxBytes = 5_120;
/** From the look-up of the name to the last byte. */
const standardTimeoutMs = 5_000;

/** One answer, as far as it is read. */
export interface Fetched {
  readonly status: number;
  readonly contentType: string | undefined;
  readonly cacheControl: string | undefined;
  readonly body: Buffer;
}

/** Gets a document; rejects with `Unreachable` when there is no answer, with any other error if it is not valid. */
export type FetchDocument = (url: string) => Promise<Fetched>;

export class Unreachable extends Error {}

/** @param agent decides which addresses are connected to. */
export function documentFetch(agent: Agent, timeoutMs = standardTimeoutMs): FetchDocument {
  return (url) =>
    new Promise((resolve, reject) => {
      const headers = {
        accept: "application/json",
        "accept-encoding": "identity",
        "user-agent": "validator-mcp",
      };
      const call = request(url, { agent, headers, signal: AbortSignal.timeout(timeoutMs) });
      call.on("error", (error) => {
        const isRefused = /not allowed/.test(error.message);
        reject(isRefused ? error : new Unreachable("no answer", { cause: error }));
      });
      call.on("response", (response) => {
        const { statusCode: status = 0, headers: received } = response;
        readBody(response)
          .then((body) => {
            const contentType = received["content-type"];
            resolve({ status, contentType, cacheControl: received["cache-control"], body });
          })
          .catch((error: NodeJS.ErrnoException) => {
            const isCut = error.code === "ECONNRESET";
            reject(isCut ? new Unreachable("cut short", { cause: error }) : error);
          });
      });
      call.end();
    });
}

const decoders = new Map<string, (body: Buffer) => Buffer>([
  ["identity", (body) => body],
  ["gzip", (body) => gunzipSync(body, { maxOutputLength: maxBytes })],
  ["deflate", (body) => inflateSync(body, { maxOutputLength: maxBytes })],
  ["br", (body) => brotliDecompressSync(body, { maxOutputLength: maxBytes })],
]);

/** @throws what the stream or a decoder throws; `ECONNRESET` if the connection ends before the body does. */
async function readBody(response: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of response) {
    const bytes = Buffer.from(part);
    size += bytes.byteLength;
    if (size > maxBytes) throw new Error("too long");
    parts.push(bytes);
  }
  const decode = decoders.get(response.headers["content-encoding"]?.toLowerCase() ?? "identity");
  if (!decode) throw new Error("unknown encoding");
  return decode(Buffer.concat(parts));
}
