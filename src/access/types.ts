import type { PolicyType } from "../../spec/policy.ts";
import { policyTypeFacts } from "../policy/type-facts.ts";
import type { AccessType } from "./document.ts";

/** What a policy of this type is for questions about access. */
export function accessTypeOf(type: PolicyType): AccessType {
  return policyTypeFacts[type].access;
}
