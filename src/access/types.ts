import type { PolicyType } from "../../spec/policy.ts";
import { policyTypeFacts } from "../policy/type-facts.ts";
import type { AccessType } from "./document.ts";

export function accessTypeOf(type: PolicyType): AccessType {
  return policyTypeFacts[type].access;
}
