/** Any request, in whose texts `{i}` is its number. */
export interface AnyRequest {
  readonly method: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Texts of the body, each so many times. */
  readonly body: readonly (readonly [text: string, times: number])[];
}

/** What one attacker does. Plain data: it crosses to a separate process. */
export interface AttackPlan {
  readonly kind:
    | "one_byte_chunks"
    | "empty_statements"
    | "actions"
    | "small_calls"
    | "unknown_keys"
    | "gets"
    | "slow_bodies"
    | "noise"
    | "streams"
    | "headers"
    | "sessions"
    | "queries"
    | "cancels"
    | "resets"
    | "chunk_extensions"
    | "expectations"
    | "nested_names"
    | "unknown_methods"
    | "batches"
    | "any";
  readonly port: number;
  readonly host?: string;
  /** Open at once. */
  readonly connections: number;
  /** Requests on each connection. */
  readonly rounds: number;
  /** Chunks, statements, actions, patterns, messages or bytes of each request. */
  readonly size: number;
  /** Bearer token; absent: none. */
  readonly token?: string;
  /** Arguments of the call beside the policies. */
  readonly more?: object;
  /** Sends all requests of a connection without waiting for an answer. */
  readonly pipelined?: boolean;
  /** False: never reads an answer. */
  readonly reads?: boolean;
  /** Of the kind `any`. */
  readonly request?: AnyRequest;
  /** How often each connection is opened anew. */
  readonly reconnects?: number;
}
