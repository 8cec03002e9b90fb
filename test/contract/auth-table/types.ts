import type { ServerName, TokenState } from "../../support/auth-servers.ts";

export type Revision = "2025-03-26" | "2025-06-18" | "2025-11-25" | "2026-07-28" | "unknown";
export type Origin = "none" | "own" | "loopback" | "foreign" | "opaque" | "listed";

/** What kind of body an answer has; each kind is checked whole by the runner. */
export type BodyClass =
  /** No body and no headers: the HTTP parser's own answer. */
  | "bare"
  | "nothing"
  | "tools"
  | "result"
  | "contents"
  | "error"
  | "oauth error"
  | "health"
  | "readiness"
  | "metadata"
  | "not found"
  | "stream"
  | "text";

export interface Answer {
  readonly status: number;
  readonly body: BodyClass;
  /** The whole `WWW-Authenticate`; absent: the answer has none. */
  readonly challenge?: string;
  /** JSON-RPC code of a body `error`. */
  readonly code?: number;
  /** Names in a body `tools`. */
  readonly tools?: readonly string[];
  /** Headers beside the challenge and those that the kind of body brings. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** Rows that share an answer: the product of its lists. */
export interface Case {
  /** Why the answer is this one; with the clause of an RFC or of MCP where one says so. */
  readonly reason: string;
  readonly servers: readonly ServerName[];
  readonly tokens: readonly TokenState[];
  /** Default: `POST`. */
  readonly methods?: readonly string[];
  /** Default: `/mcp`. */
  readonly paths?: readonly string[];
  /** Default: 2025-11-25. */
  readonly revisions?: readonly Revision[];
  /** Default: none. */
  readonly origins?: readonly Origin[];
  /** A `Host` to send for the address of the server. */
  readonly host?: string;
  readonly accept?: string;
  readonly contentType?: string;
  /** A tool to call; default: `tools/list`. */
  readonly calls?: string;
  /** A resource to read. */
  readonly reads?: string;
  /** Sent for the message. */
  readonly text?: string;
  /** Default: everywhere. A function has no streams, no address and no HTTP parser of ours. */
  readonly on?: "server" | "function";
  readonly answer: Answer;
}
