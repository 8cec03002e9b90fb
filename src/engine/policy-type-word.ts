import { type PolicyType, policyTypeOf, policyTypeWords } from "../../spec/policy.ts";
import { ToolError } from "../errors.ts";

/**
 * @param at Path of the value, e.g. `policies[3].policy_type`.
 * @throws {ToolError} If it is not a policy type.
 */
export function declaredType(word: unknown, at: string): PolicyType | null {
  if (word === null || word === undefined) return null;
  const type = typeof word === "string" ? policyTypeOf(word) : undefined;
  if (type) return type;
  const shown = typeof word === "string" ? ` ${JSON.stringify(word.slice(0, 40))}` : "";
  throw new ToolError(
    "unknown_policy_type",
    `${at}${shown} is not a policy type; use one of ${policyTypeWords.join(", ")}.`,
  );
}
