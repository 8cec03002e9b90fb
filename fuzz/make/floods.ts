import { z } from "zod";
import type { Random } from "../random.ts";

const kinds = [
  "small_call",
  "large_call",
  "report",
  "health",
  "stream",
  "noise",
  "no_token",
] as const;

/** What one attacker does on each of its connections. */
export const Attacker = z.strictObject({
  kind: z.enum(kinds),
  connections: z.int().min(1).max(60),
  /** Requests on each connection. */
  requests: z.int().min(1).max(40),
  /** Statements of a policy, or bytes of noise. */
  size: z.int().min(1).max(20_000),
  pipelined: z.boolean(),
  /** Bytes of a chunk of the body; 0: the body has a length. */
  chunk: z.int().min(0).max(4_096),
  /** False: it never reads an answer. */
  reads: z.boolean(),
  /** Leaves in the middle of its last request. */
  leaves: z.boolean(),
  /** Resets the connection where it leaves. */
  resets: z.boolean().default(false),
});
export type Attacker = z.infer<typeof Attacker>;

export function makeAttacker(random: Random): Attacker {
  const kind = random.pick(kinds);
  return {
    kind,
    connections: random.between(1, random.pick([2, 10, 60])),
    requests: random.between(1, random.pick([2, 10, 40])),
    size: random.between(1, random.pick([3, 300, kind === "report" ? 300 : 20_000])),
    pipelined: random.chance(0.5),
    chunk: random.chance(0.3) ? random.between(1, random.pick([1, 16, 4_096])) : 0,
    reads: random.chance(0.8),
    leaves: random.chance(0.2),
    resets: random.chance(0.5),
  };
}

/** @returns one request as bytes. */
export function requestOf({ kind, size, chunk }: Attacker, token: string): string {
  if (kind === "health") return "GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n";
  const credentials = kind === "no_token" ? "" : `Authorization: Bearer ${token}\r\n`;
  if (kind === "stream") {
    return `GET /mcp HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\n${credentials}\r\n`;
  }
  const body = kind === "noise" ? "x".repeat(size) : callOf(kind, size);
  const framing = chunk === 0 ? `Content-Length: ${body.length}` : "Transfer-Encoding: chunked";
  const head =
    "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n" +
    `Accept: application/json, text/event-stream\r\n${credentials}${framing}\r\n\r\n`;
  return head + (chunk === 0 ? body : chunked(body, chunk));
}

function callOf(kind: Attacker["kind"], size: number): string {
  const count = kind === "small_call" ? 1 + (size % 3) : size;
  const policies = [{ Statement: Array.from({ length: count }, () => ({})) }];
  const args = { policies, ...(kind === "report" && { format: "sarif", detail: "full" }) };
  const params = { name: "validate_policies", arguments: args };
  return JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params });
}

function chunked(body: string, size: number): string {
  const parts: string[] = [];
  for (let at = 0; at < body.length; at += size) {
    const part = body.slice(at, at + size);
    parts.push(`${part.length.toString(16)}\r\n${part}\r\n`);
  }
  return `${parts.join("")}0\r\n\r\n`;
}
