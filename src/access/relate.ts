import type { Answer, UndecidedBy } from "./answers.ts";
import type { AccessRequest } from "./request.ts";

/** How what two documents allow, or deny, relates. */
export type Relation =
  | "equal"
  | "left_within_right"
  | "right_within_left"
  | "different"
  | "undecided";

export interface Related {
  readonly relation: Relation;
  /** A request of the left document that the right one does not have; null: proven that there is none, or undecided. */
  readonly left_only: AccessRequest | null;
  readonly right_only: AccessRequest | null;
  readonly undecided_by: readonly UndecidedBy[];
  readonly steps: number;
}

/** What two directions say together. */
export function related(left: Answer, right: Answer): Related {
  return {
    relation: relationOf(left.verdict, right.verdict),
    left_only: left.violations[0]?.witness ?? null,
    right_only: right.violations[0]?.witness ?? null,
    undecided_by: [...left.undecided_by, ...right.undecided_by.map(swapped)],
    steps: left.steps + right.steps,
  };
}

function swapped(one: UndecidedBy): UndecidedBy {
  if (one.side === "config") return one;
  return { ...one, side: one.side === "policy" ? "baseline" : "policy" };
}

function relationOf(left: Answer["verdict"], right: Answer["verdict"]): Relation {
  if (left === "undecided" || right === "undecided") return "undecided";
  if (left === "holds") return right === "holds" ? "equal" : "left_within_right";
  return right === "holds" ? "right_within_left" : "different";
}
