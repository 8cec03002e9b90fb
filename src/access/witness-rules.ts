import type { Services } from "./answers.ts";
import type { Caller } from "./callers.ts";
import type { QuestionKeys } from "./keys.ts";
import type { AccessRequest } from "./request.ts";

/** Whether a request answers the question, or the construct that leaves it open. */
export type Confirmation = "yes" | "no" | string;

export interface WitnessRules {
  readonly services: Services;
  readonly keys: QuestionKeys;
  /** Keys that some document tests or uses as a variable; folded. */
  readonly usedKeys: readonly string[];
  /** Actions written out in the policy or in what the question is about. */
  readonly writtenOut: readonly string[];
  isWellFormed(request: AccessRequest, caller: Caller): boolean;
  confirm(request: AccessRequest): Confirmation;
}
