import type { PolicyType } from "../../spec/policy.ts";
import type { AccessType } from "./document.ts";

/** How each type of policy is read: what grants and limits like an identity policy is one. */
const types: Readonly<Record<PolicyType, AccessType>> = {
  IDENTITY_POLICY: "identity",
  RESOURCE_POLICY: "resource",
  TRUST_POLICY: "trust",
  SERVICE_CONTROL_POLICY: "scp",
  RESOURCE_CONTROL_POLICY: "rcp",
  PERMISSIONS_BOUNDARY: "identity",
  SESSION_POLICY: "identity",
  ENDPOINT_POLICY: "resource",
};

export function accessTypeOf(type: PolicyType): AccessType {
  return types[type];
}
