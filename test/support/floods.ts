import type { AttackPlan } from "./attack-plan.ts";
import { tokens } from "./target.ts";

type Flood = Omit<AttackPlan, "port" | "host">;

/**
 * Floods that ended a process with 512 MB of heap, kept its other callers waiting, or filled its log, when they were first
 * tried; the first seven are three times as strong.
 */
export const floods: readonly (readonly [name: string, plan: Flood])[] = [
  [
    "bodies in chunks of one byte",
    { kind: "one_byte_chunks", connections: 180, rounds: 1, size: 65_536, pipelined: true },
  ],
  [
    "2,100 pipelined calls of 63 KB on one connection",
    { kind: "empty_statements", connections: 1, rounds: 2_100, size: 21_000, pipelined: true },
  ],
  [
    "3,600 connections with a call of 63 KB each",
    { kind: "empty_statements", connections: 3_600, rounds: 1, size: 21_000 },
  ],
  [
    "4,500 pipelined calls of 38 KB on one connection",
    { kind: "actions", connections: 1, rounds: 4_500, size: 3_600, pipelined: true },
  ],
  [
    "reports of a thousand statements, again and again",
    {
      kind: "empty_statements",
      connections: 100,
      rounds: 1_000,
      size: 1_000,
      more: { format: "sarif", detail: "full" },
    },
  ],
  [
    "answers that are not read",
    {
      kind: "empty_statements",
      connections: 300,
      rounds: 50,
      size: 15_000,
      more: { format: "html", detail: "full" },
      pipelined: true,
      reads: false,
    },
  ],
  [
    "pipelined small requests",
    { kind: "gets", connections: 300, rounds: 20_000, size: 0, pipelined: true },
  ],
  [
    "connections that are reset right after a call",
    { kind: "resets", connections: 300, rounds: 1, size: 16_000, reconnects: 5_000 },
  ],
  [
    "queries of 500 patterns that match all of EC2",
    {
      kind: "queries",
      connections: 60,
      rounds: 1_000,
      size: 500,
      pipelined: true,
      token: tokens.all,
    },
  ],
  [
    "names with an escape around thousands of levels",
    {
      kind: "nested_names",
      connections: 60,
      rounds: 2_000,
      size: 9_000,
      pipelined: true,
      token: tokens.all,
    },
  ],
];

/** Of the same kinds, and of what else the protocol lets a caller send. The server bore each when it was first tried. */
export const moreFloods: typeof floods = [
  [
    "event streams that are not read",
    { kind: "streams", connections: 1_500, rounds: 1, size: 0, pipelined: true, reads: false },
  ],
  [
    "requests with 14 KB of headers",
    { kind: "headers", connections: 200, rounds: 5_000, size: 125, pipelined: true },
  ],
  [
    "sessions, one after the other",
    { kind: "sessions", connections: 200, rounds: 5_000, size: 1_000 },
  ],
  [
    "queries with large answers",
    {
      kind: "queries",
      connections: 100,
      rounds: 1_000,
      size: 500,
      pipelined: true,
      token: tokens.query,
    },
  ],
  [
    "calls whose connection is closed at once",
    { kind: "cancels", connections: 200, rounds: 1, size: 10_000, reconnects: 200 },
  ],
  [
    "unknown methods",
    { kind: "unknown_methods", connections: 200, rounds: 5_000, size: 1_000, pipelined: true },
  ],
  [
    "chunks with long extensions",
    { kind: "chunk_extensions", connections: 100, rounds: 100, size: 8_000, pipelined: true },
  ],
  [
    "expectations that the server does not know",
    { kind: "expectations", connections: 300, rounds: 20_000, size: 0, pipelined: true },
  ],
  [
    "batches of 1,000 messages",
    { kind: "batches", connections: 200, rounds: 2_000, size: 1_000, pipelined: true },
  ],
];

/** Waits for the identity provider, which hangs. */
export const unknownKeys: Flood = {
  kind: "unknown_keys",
  connections: 48,
  rounds: 1_000,
  size: 0,
  pipelined: true,
};
