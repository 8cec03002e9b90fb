import type { PolicyType } from "../../../spec/policy.ts";

/** Policies that grant: an SCP or RCP only bounds what others grant. */
export const grantingTypes: readonly PolicyType[] = [
  "IDENTITY_POLICY",
  "RESOURCE_POLICY",
  "TRUST_POLICY",
];

/** @returns whether a policy of this type grants nothing by itself. */
export function onlyBounds(type: PolicyType): boolean {
  return !grantingTypes.includes(type);
}
