import type { AccessStatement } from "./document.ts";
import type { Literal } from "./literals.ts";

export type Side = "policy" | "baseline" | "config";

/** A document's statement within a question, with what its meaning depends on. */
export interface Origin {
  readonly side: Side;
  readonly statement: AccessStatement;
  readonly hasVariables: boolean;
}

/** A conjunction of literals: what a statement says about requests of one kind of caller. */
export interface Box {
  readonly literals: readonly Literal[];
}
