import type { ServiceLookup } from "../services/model.ts";
import type { Reason } from "./asked.ts";
import type { Condition } from "./document.ts";
import type { Kind } from "./leaf.ts";
import type { Side } from "./origin.ts";
import type { AccessRequest } from "./request.ts";

export type Services = Pick<ServiceLookup, "get"> &
  Partial<Pick<ServiceLookup, "prefixes">> & {
    /** Prefixes that the action of an example is taken from first, where a document leaves the service open. */
    readonly usual?: readonly string[];
  };

export interface QuestionOptions {
  readonly services: Services;
  readonly maxSteps: number;
  readonly maxStatements: number;
  /** Access to actions that the reference data does not list is not a violation. */
  readonly ignoresUnknownActions?: boolean;
}

export interface Violation {
  readonly statement_index: number;
  readonly statement_sid: string | null;
  readonly entries: readonly string[];
  readonly kind: Kind;
  readonly reason: Reason;
  readonly other_statement: number | null;
  readonly witness: AccessRequest;
  /** The entry of `Resource` or `NotResource` that the witness's resource meets, as written. */
  readonly resource_entry: string | null;
  /** Position of the principal entry that lets the caller in; null: there is none. */
  readonly principal_entry: number | null;
}

export interface UndecidedBy {
  readonly construct: string;
  readonly path: string;
  readonly side: Side;
  readonly text: string;
  /** The condition key meant; null when no condition is. */
  readonly key: string | null;
}

export interface Answer {
  readonly verdict: "holds" | "violated" | "undecided";
  readonly violations: readonly Violation[];
  readonly undecided_by: readonly UndecidedBy[];
  readonly steps: number;
  /** Indexes of the Allow statements that were decided. */
  readonly decided: ReadonlySet<number>;
}

/** A forbidden entry, its blocks read. */
export interface Forbidden {
  readonly actions: readonly string[];
  readonly resources: readonly string[];
  readonly unless: readonly (readonly Condition[])[];
}

/** A question in progress: yields when control is to be handed back, returns the answer. */
export type Asking = Generator<null, Answer>;
