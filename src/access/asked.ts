import type { ServiceLookup } from "../services/model.ts";
import type { Steps } from "./budget.ts";
import type { Caller } from "./callers.ts";
import type { Names } from "./document.ts";
import type { Named } from "./feasible.ts";
import type { QuestionKeys } from "./keys.ts";
import type { Confirmed, Leaf } from "./leaf.ts";
import type { Literal, Place } from "./literals.ts";
import type { Origin } from "./origin.ts";
import type { Blocker } from "./search.ts";
import type { StatementReader } from "./statements.ts";

/** One way in which a question may be violated: the requests that match one statement and these. */
export interface Branch {
  /** Must match too; null: the statement alone. */
  readonly also: Origin | null;
  readonly blockers: readonly Origin[];
  readonly reason: Reason;
}

export type Reason = "not_allowed_before" | "denied_before" | "forbidden" | "public";

export interface StatementViolation {
  readonly origin: Origin;
  readonly entries: readonly string[];
  readonly confirmed: Confirmed;
  readonly reason: Reason;
  readonly other: number | null;
}

/** What a question asks for, beside the statements that grant. */
export interface Asked {
  readonly grants: readonly Origin[];
  readonly branches: readonly Branch[];
  readonly callers: readonly Caller[];
  readonly named: Named;
  readonly keys: QuestionKeys;
  readonly services: Pick<ServiceLookup, "get">;
  /** Literals that every request has to meet; null: the caller is not asked about. */
  limits(reader: StatementReader, caller: Caller): readonly Literal[] | null;
  /** Actions and resources that are asked about; null: any. */
  readonly focus: { readonly actions: Names | null; readonly resources: readonly string[] } | null;
  /** Conjunctions that must not hold, beside the statements. */
  exceptions(reader: StatementReader, caller: Caller): readonly Blocker[];
  /** Whether a leaf is real: builds a request and has it confirmed. */
  witness(leaf: Leaf): Steps<Confirmed | Place | null>;
  readonly maxStatements: number;
  readonly ignoresUnknownActions: boolean;
}

export interface Outcome {
  readonly violations: readonly StatementViolation[];
  readonly undecided: readonly Place[];
  /** Indexes of grants that were searched to the end, or violated. */
  readonly decided: ReadonlySet<number>;
}
