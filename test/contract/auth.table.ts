import type { ServerName, TokenState } from "../support/auth-servers.ts";
import { guardCases } from "./auth-table/guard.ts";
import { headerCases } from "./auth-table/headers.ts";
import { providerCases } from "./auth-table/providers.ts";
import { routeCases } from "./auth-table/routes.ts";
import { scopeCases } from "./auth-table/scopes.ts";
import { tokenCases } from "./auth-table/tokens.ts";
import type { Case, Origin, Revision } from "./auth-table/types.ts";

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
