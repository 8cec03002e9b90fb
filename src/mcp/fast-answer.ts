import type { CallAnswer } from "./call-tool.ts";
import type { FastCall } from "./fast-path.ts";
import { identityOf, type ServerHost } from "./server-for.ts";

const headers = { "content-type": "application/json" };

/** Writes answers to calls of the fast path, byte for byte as the SDK would. */
export function fastAnswers(host: Pick<ServerHost, "runtime">) {
  const identity = JSON.stringify(identityOf(host));
  // The end of every answer, up to the id of its call.
  const tails = {
    older: `},"jsonrpc":"2.0","id":`,
    modern:
      `,"resultType":"complete","_meta":{"io.modelcontextprotocol/serverInfo":${identity}}` +
      `},"jsonrpc":"2.0","id":`,
  };

  return ({ revision, id }: FastCall, answer: CallAnswer): Response => {
    const tail = `${tails[revision]}${JSON.stringify(id)}}`;
    if ("error" in answer) {
      const text = JSON.stringify(answer.error);
      return new Response(
        `{"result":{"content":[{"type":"text","text":${text}}],"isError":true${tail}`,
        { headers },
      );
    }
    const { text, json } = answer.prepared;
    const parts = [
      `{"result":{"content":[{"type":"text","text":`,
      text,
      `}],"structuredContent":`,
      json,
      `,"isError":false${tail}`,
    ];
    const whole = joined(parts);
    for (const part of [text, json]) free(part);
    return new Response(whole, { headers });
  };
}

/**
 * Frees the memory of an output that a worker made, which is copied by now: V8 frees memory that came from another thread only
 * when it collects the whole heap, and that holds more than everything else of the main thread by then.
 */
function free(output: string | Uint8Array): void {
  if (typeof output === "string" || !(output.buffer instanceof ArrayBuffer)) return;
  if (output.byteLength === output.buffer.byteLength) output.buffer.transfer(0);
}

/** @returns text as long as all parts are; one part in bytes makes it bytes. */
function joined(parts: readonly (string | Uint8Array)[]): string | Uint8Array<ArrayBuffer> {
  if (parts.every((part) => typeof part === "string")) return parts.join("");
  return Buffer.concat(parts.map((part) => (typeof part === "string" ? Buffer.from(part) : part)));
}
