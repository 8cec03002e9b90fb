import { randomUUID } from "node:crypto";
import type { CallToolResult } from "@modelcontextprotocol/server";
import type { PreparedOutput } from "../results/prepared-output.ts";

/**
 * Puts an output that is JSON already into the answer of one request. The protocol's own code would
 * parse and serialise it again, and some megabytes of that hold the event loop; it gets a small
 * stand-in instead, in whose place the bytes are put at the end.
 */
export class Splice {
  #prepared: PreparedOutput | undefined;
  /** Occur in the answer at the stand-in only: nobody outside can know them. */
  readonly #text = `text-${randomUUID()}`;
  readonly #json = `json-${randomUUID()}`;

  standIn(prepared: PreparedOutput): CallToolResult {
    this.#prepared = prepared;
    return {
      content: [{ type: "text", text: this.#text }],
      structuredContent: { [this.#json]: 0 },
      isError: false,
    };
  }

  /** @returns the response with the output in its place; the same response when there is none. */
  async fill(response: Response): Promise<Response> {
    if (!this.#prepared) return response;
    const frame = await response.text();
    const { json, text } = this.#prepared;
    const holes = [
      { hole: JSON.stringify(this.#text), bytes: text },
      { hole: JSON.stringify({ [this.#json]: 0 }), bytes: json },
    ]
      .map(({ hole, bytes }) => ({ at: frame.indexOf(hole), length: hole.length, bytes }))
      // Cut short, the answer says something else.
      .filter(({ at }) => at !== -1)
      .sort((a, b) => a.at - b.at);
    const parts: Uint8Array[] = [];
    let from = 0;
    for (const { at, length, bytes } of holes) {
      const inside = typeof bytes === "string" ? Buffer.from(bytes) : bytes;
      parts.push(Buffer.from(frame.slice(from, at)), inside);
      from = at + length;
    }
    parts.push(Buffer.from(frame.slice(from)));
    const headers = new Headers(response.headers);
    headers.delete("content-length");
    return new Response(Buffer.concat(parts), { status: response.status, headers });
  }
}
