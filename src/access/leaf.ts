import type { Caller } from "./callers.ts";
import type { State } from "./literals.ts";
import type { Origin } from "./origin.ts";
import type { Pattern } from "./patterns.ts";
import type { Variables } from "./read-pattern.ts";
import type { AccessRequest } from "./request.ts";
import type { SearchScope } from "./search.ts";

export type Kind = "grants" | "unfitting" | "unknown_action";

/** A confirmed request. */
export interface Confirmed {
  readonly request: AccessRequest;
  readonly kind: Kind;
}

/** A leaf of the search with its context; the witness is built from it. */
export interface Leaf {
  readonly state: State;
  readonly scope: SearchScope;
  readonly caller: Caller;
  readonly origin: Origin;
  /** Entries of the group; of a `NotAction` all of them. */
  readonly group: Group;
  readonly variables: Variables;
}

export interface Group {
  /** Entries of the statement's action element, as written. */
  readonly entries: readonly string[];
  /** Null: the entries are actions; else what the action must be. */
  readonly pattern: { readonly patterns: readonly Pattern[]; readonly negated: boolean } | null;
}
