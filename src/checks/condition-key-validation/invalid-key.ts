import type { ConditionEntry, Statement } from "../../policy/model.ts";
import type { CountingAction } from "../shared/counting-actions.ts";

/** A condition key that an action does not know. */
export interface InvalidKey {
  readonly entry: ConditionEntry;
  /** The first action it is invalid for; null when there is no action to ask. */
  readonly action: CountingAction | null;
  readonly effect: string | null;
  readonly statement: Statement;
  /** What is wrong, where there is no action to ask. */
  readonly why?: string;
  /** Keys of the service that the key is like, nearest first. */
  readonly near?: readonly string[];
}
