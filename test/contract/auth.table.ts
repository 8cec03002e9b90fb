import type { ServerName, TokenState } from "../support/auth-servers.ts";
import { guardCases } from "./auth-table/guard.ts";
import { headerCases } from "./auth-table/headers.ts";
import { providerCases } from "./auth-table/providers.ts";
import { routeCases } from "./auth-table/routes.ts";
import { scopeCases } from "./auth-table/scopes.ts";
import { tokenCases } from "./auth-table/tokens.ts";

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
  /** Default: everywhere. A function has no streams, no address of its own and no HTTP parser of ours. */
  readonly on?: "server" | "function";
  readonly answer: Answer;
}

export interface AuthRow extends Omit<Case, "servers" | "tokens" | "methods" | "paths"> {
  readonly name: string;
  readonly server: ServerName;
  readonly token: TokenState;
  readonly method: string;
  readonly path: string;
  readonly revision: Revision;
  readonly origin: Origin;
}

const cases: readonly Case[] = [
  ...routeCases,
  ...guardCases,
  ...headerCases,
  ...tokenCases,
  ...providerCases,
  ...scopeCases,
];

function* rowsOf(given: Case): Generator<AuthRow> {
  const { servers, tokens, methods = ["POST"], paths = ["/mcp"], ...rest } = given;
  const { revisions = ["2025-11-25"], origins = ["none"], answer, calls, reads, host } = given;
  for (const server of servers) {
    for (const method of methods) {
      for (const path of paths) {
        for (const token of tokens) {
          for (const revision of revisions) {
            for (const origin of origins) {
              const extras = [
                revision !== "2025-11-25" && revision,
                origin !== "none" && `Origin ${origin}`,
                host && `Host ${host}`,
                given.accept && `Accept ${given.accept}`,
                given.contentType && `as ${given.contentType}`,
                calls && `calls ${calls}`,
                reads && `reads ${reads}`,
                given.on && `on a ${given.on}`,
              ].filter(Boolean);
              const name = [
                server,
                `${method} ${path}`,
                `token ${token}`,
                ...extras,
                `${answer.status} ${answer.body} (${given.reason})`,
              ].join(" | ");
              yield { ...rest, name, server, method, path, token, revision, origin };
            }
          }
        }
      }
    }
  }
}

/** Method, path, provider, token, revision and origin to status, headers and body, with the reason. */
export const authRows: readonly AuthRow[] = cases.flatMap((each) => [...rowsOf(each)]);
