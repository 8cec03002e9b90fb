import type { Outcome } from "../../spec/audit.ts";
import type { ToolErrorKind } from "../../spec/errors.ts";
import type { LoginEvent, RefusedReason } from "../../spec/login.ts";
import type { RefusalReason } from "../http/refusal-reason.ts";

/** Limits that a request can exceed. These are label values of a metric, so the list is fixed. */
export const limitKinds = [
  "max_policies",
  "max_policy_bytes",
  "max_request_bytes",
  "request_timeout_s",
  "max_response_bytes",
  "allowed_regions",
  "analyze_rate_limit",
  "query_values",
  "worker_queue",
  "calls_per_caller",
  "provider",
  "transport_body",
  "max_streams",
  "connections",
] as const;
export type LimitKind = (typeof limitKinds)[number];

/** One finished tool call. `tool` must be the name of a registered tool, never what a caller sent. */
export interface CallRecord {
  readonly tool: string;
  readonly outcome: Outcome;
  readonly durationSeconds: number;
  /** Bytes of the output as JSON, counted once; null: there is none. */
  readonly outputBytes: number | null;
}

/** Receives events of the request path for the metrics. Implementations never throw and store no content. */
export interface Observer {
  call(record: CallRecord): void;
  /** The body of a `POST /mcp` has been read. */
  request(bytes: number): void;
  limit(kind: LimitKind): void;
  refusal(reason: RefusalReason): void;
}

/** What the login tells the metrics. */
export interface LoginObserver {
  login(event: LoginEvent, outcome: "success" | RefusedReason): void;
  /** The login has asked the identity provider something. */
  loginProvider(seconds: number): void;
}

/** For servers without metrics. */
export const silentObserver: Observer & LoginObserver = {
  call: () => {},
  request: () => {},
  limit: () => {},
  refusal: () => {},
  login: () => {},
  loginProvider: () => {},
};

const limits: Partial<Record<ToolErrorKind, LimitKind>> = {
  too_many_policies: "max_policies",
  policy_too_large: "max_policy_bytes",
  request_too_large: "max_request_bytes",
  request_timeout: "request_timeout_s",
  region_not_allowed: "allowed_regions",
  rate_limited: "analyze_rate_limit",
  too_many_values: "query_values",
  overloaded: "worker_queue",
};

/** @returns The limit that a tool error reports; undefined for other kinds of error. */
export function limitOf(kind: ToolErrorKind): LimitKind | undefined {
  return limits[kind];
}
