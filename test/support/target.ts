import { AuditRecord } from "../../spec/audit.ts";
import type { Flags } from "../../src/settings.ts";
import type { Lines } from "./lines.ts";

/** How a test wants the server to be started. */
export interface TargetOptions {
  readonly flags?: Flags;
  readonly environment?: Readonly<Record<string, string>>;
}

/** A running server, whatever it runs in. Tests of the wire know no more than this. */
export interface Target {
  /** Without a trailing slash. */
  readonly url: string;
  /** Lines of standard output. */
  readonly audit: Lines;
  /** Lines of standard error. */
  readonly log: Lines;
  stop(): Promise<void>;
}

export const configPath = new URL("./config/plain.yaml", import.meta.url).pathname;

/** Flags that start a hosted server on any free port; later ones win. */
export function hostedFlags(flags: Flags = {}): Flags {
  return {
    mode: "hosted",
    transport: "http",
    auth: "none",
    config_source: configPath,
    port: "0",
    ...flags,
  };
}

/** Static tokens of the tests: one per scope, one with all, one with none. */
export const tokens = {
  all: "token-all",
  validate: "token-validate",
  query: "token-query",
  config: "token-config",
  analyze: "token-analyze",
  none: "token-none",
  other: "token-other",
} as const;

const everyScope = ["iam:validate", "iam:query", "iam:analyze", "iam:config"];

/** Settings for a server that knows those tokens. */
export const withTokens: TargetOptions = {
  flags: { auth: "token" },
  environment: {
    VALIDATOR_MCP_AUTH_TOKENS: JSON.stringify({
      [tokens.all]: { client_id: "client-all", sub: "subject-all", scopes: everyScope },
      [tokens.validate]: { client_id: "client-validate", scopes: ["iam:validate"] },
      [tokens.query]: { client_id: "client-query", scopes: ["iam:query"] },
      [tokens.config]: { client_id: "client-config", scopes: ["iam:config"] },
      [tokens.analyze]: { client_id: "client-analyze", scopes: ["iam:analyze"] },
      [tokens.none]: { client_id: "client-none" },
      [tokens.other]: { client_id: "client-other", scopes: ["iam:query", "iam:validate"] },
    }),
  },
};

/** @returns the records among the lines; a line that is none fails the test. */
export function auditRecords(lines: readonly string[]): AuditRecord[] {
  return lines.map((line) => AuditRecord.parse(JSON.parse(line)));
}
