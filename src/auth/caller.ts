import type { Scope } from "../../spec/scopes.ts";

/** An authenticated caller. */
export interface Caller {
  /** Token subject, else client id, else `anonymous`. */
  readonly subject: string;
  readonly clientId: string;
  /** Scopes of the token, sorted, for the audit record. */
  readonly scopes: readonly string[];
  /** Whether the caller may use tools that need the scope. */
  may(scope: Scope): boolean;
  /** Scopes that another login could give this caller; absent: unknown. */
  readonly entitled?: readonly string[] | undefined;
}

/** Why a request was refused; decides status, challenge and body of the answer. */
export type Refusal =
  /** No credentials at all: challenge without an error code (RFC 6750, 3.1). */
  | { readonly kind: "missing" }
  | { readonly kind: "invalid_request" | "invalid_token"; readonly description: string }
  | {
      readonly kind: "insufficient_scope";
      readonly description: string;
      readonly scopes: readonly string[];
    };

export type AuthResult = { readonly caller: Caller } | { readonly refusal: Refusal };

/** What an authenticator may read. `event` is the untouched function event, for `gateway` only. */
export interface AuthRequest {
  readonly headers: Headers;
  readonly event?: unknown;
  /** The network it came from, see `networkOf`; absent: there are no connections. */
  readonly from?: string | undefined;
}

/** Authenticates requests. */
export interface Authenticator {
  readonly provider: string;
  authenticate(request: AuthRequest): Promise<AuthResult>;
  /** Scopes for the 401 challenge and the metadata; empty: none are named. */
  readonly challengeScopes: readonly string[];
  /** Scopes that every request needs, as clients ask for them. */
  readonly requiredScopes: readonly string[];
  /** Absent: no protected-resource metadata is published (RFC 9728). */
  readonly metadata?:
    | {
        /** Public base URL of this server, no trailing slash. */
        readonly baseUrl: string;
        readonly authorizationServers: readonly string[];
      }
    | undefined;
  /** Calls to hidden tools are answered with a 403 challenge naming the scope. */
  readonly stepUp: boolean;
}
