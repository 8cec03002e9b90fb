import { z } from "zod";

/** Every type of policy: its name on the wire, the short word that inputs take, and its name in texts. */
export const policyTypes = {
  IDENTITY_POLICY: { short: "identity", label: "identity policy" },
  RESOURCE_POLICY: { short: "resource", label: "resource policy" },
  TRUST_POLICY: { short: "trust", label: "role trust policy" },
  SERVICE_CONTROL_POLICY: { short: "scp", label: "service control policy" },
  RESOURCE_CONTROL_POLICY: { short: "rcp", label: "resource control policy" },
  PERMISSIONS_BOUNDARY: { short: "boundary", label: "permissions boundary" },
  SESSION_POLICY: { short: "session", label: "session policy" },
  ENDPOINT_POLICY: { short: "endpoint", label: "VPC endpoint policy" },
} as const;

const typeNames = Object.keys(policyTypes) as (keyof typeof policyTypes)[];

export const PolicyType = z.enum(typeNames).describe("Type of a policy.");
export type PolicyType = z.infer<typeof PolicyType>;

/** The short words accepted on input beside the long names, in any letter case. */
export const shortPolicyTypeWords: readonly string[] = typeNames.map(
  (type) => policyTypes[type].short,
);

/** The words a caller may use, in the order error messages list them. */
export const policyTypeWords: readonly string[] = [...shortPolicyTypeWords, ...typeNames];

/** @returns the policy type that a caller's word means, or undefined for any other word. */
export function policyTypeOf(word: string): PolicyType | undefined {
  const upper = word.toUpperCase();
  return typeNames.find(
    (type) => type === upper || policyTypes[type].short.toUpperCase() === upper,
  );
}

/** How the type of a policy was found; `cli-flag` means that the caller declared it. */
export const PolicyTypeSource = z.enum(["cli-flag", "config-glob", "auto-detect", "default"]);
export type PolicyTypeSource = z.infer<typeof PolicyTypeSource>;
