import type { PolicyType } from "../../spec/policy.ts";
import { grantsAccess, policyTypeFacts } from "../policy/type-facts.ts";
import type { JsonObject } from "../record.ts";

/** It allows nothing. */
export const emptyPolicy: JsonObject = { Version: "2012-10-17", Statement: [] };

/**
 * A document that allows what is allowed where there is no policy of a type: nothing; of a type that only limits what
 * other policies allow, everything.
 * @see https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_evaluation-logic.html
 */
export function absentPolicy(type: PolicyType): JsonObject {
  if (grantsAccess(type)) return emptyPolicy;
  const { principal } = policyTypeFacts[type];
  const callers = principal === "refused" ? {} : { Principal: "*" };
  return {
    ...emptyPolicy,
    Statement: [{ Effect: "Allow", ...callers, Action: "*", Resource: "*" }],
  };
}
