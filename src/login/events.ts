import type { LoginEvent, LoginProvider, RefusedReason } from "../../spec/login.ts";
import type { Scope } from "../../spec/scopes.ts";
import type { RefusalDetail } from "./refusal.ts";

/** The part of the server's log that login writes to. */
export interface LoginLog {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/** What login tells the metrics. */
export interface LoginObserver {
  login(event: LoginEvent, outcome: "success" | RefusedReason): void;
  loginProvider(seconds: number): void;
}

/** What is known of a success. */
interface LoginSuccess {
  readonly subject?: string | undefined;
  readonly client: string;
  readonly redirect?: string;
  readonly scopes?: readonly Scope[];
}

/** Log lines and counts of the front. Fields come from closed lists: nothing that a request chose gets here. */
export interface LoginEvents {
  succeeded(event: Exclude<LoginEvent, "refused">, success: LoginSuccess): void;
  refused(reason: RefusedReason, detail: RefusalDetail): void;
  /** Something the operator should know, said once per process. */
  once(key: string, message: string): void;
  providerTook(seconds: number): void;
}

const logger = "validator.mcp.login";
const quietMs = 1_000;

/** @param ticks ms of a monotonic clock. */
export function createLoginEvents(
  provider: LoginProvider,
  log: LoginLog,
  observer: LoginObserver,
  ticks: () => number,
): LoginEvents {
  const said = new Set<string>();
  // At most one line a second for each reason, so that a flood of requests is not a flood of lines.
  const last = new Map<RefusedReason, { readonly at: number; readonly leftOut: number }>();

  return {
    succeeded(event, { subject, client, redirect, scopes }) {
      observer.login(event, "success");
      const fields = { logger, event, provider, subject, client, redirect, scopes };
      log.info(fields, messages[event]);
    },
    refused(reason, { client, redirect, providerError, isOurs = false }) {
      observer.login("refused", reason);
      const before = last.get(reason);
      const now = ticks();
      if (before && now - before.at < quietMs) {
        last.set(reason, { at: before.at, leftOut: before.leftOut + 1 });
        return;
      }
      last.set(reason, { at: now, leftOut: 0 });
      const fields = {
        logger,
        event: "refused",
        provider,
        reason,
        client,
        redirect,
        provider_error: providerError,
        left_out: before?.leftOut || undefined,
      };
      if (isOurs) log.error(fields, "Login refused, and only the operator can fix it.");
      else log.warn(fields, "Login refused.");
    },
    once(key, message) {
      if (said.has(key)) return;
      said.add(key);
      log.warn({ logger, provider }, message);
    },
    providerTook: (seconds) => observer.loginProvider(seconds),
  };
}

const messages = {
  login: "Logged in.",
  refresh: "Refreshed.",
  revoke: "Revoked.",
} as const;
