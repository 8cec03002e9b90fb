import type { Scope } from "../../spec/scopes.ts";
import type { Caller } from "./caller.ts";

/** What a verified token says about its bearer. */
export interface Identity {
  /** Empty: the token has no subject. */
  readonly subject: string;
  readonly clientId: string;
  readonly scopes: readonly string[];
  /** Scopes that another login could give; absent: unknown. */
  readonly entitled?: readonly string[];
  /** Names the scope map may refer to, beside the scopes. */
  readonly groups?: readonly string[];
  readonly roles?: readonly string[];
  readonly login?: string | undefined;
  /** Unix time in ms at which the token expires, if the provider says so. */
  readonly expiresAtMs?: number | undefined;
}

/** Outcome of verifying a token. The reason is for the caller, is not logged, and does not quote the token. */
export type Verdict = { readonly identity: Identity } | { readonly refused: string };

/** @returns the caller for an identity that has `granted` in addition to the scopes of its token. */
export function callerOf(identity: Identity, granted: readonly Scope[] = []): Caller {
  const effective: ReadonlySet<string> = new Set([...identity.scopes, ...granted]);
  return {
    subject: identity.subject || identity.clientId,
    clientId: identity.clientId,
    scopes: [...effective].sort(),
    may: (scope) => effective.has(scope),
    entitled: identity.entitled,
  };
}
