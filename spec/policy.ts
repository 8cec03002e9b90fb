import { z } from "zod";

/** Every policy type: its name on the wire, its short name for callers, and its name in texts. */
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

/** A name of a policy type, as types for programs have it; texts may use any letter case. */
export type PolicyTypeWord = PolicyType | (typeof policyTypes)[PolicyType]["short"];

/** The short names that callers may use, in any letter case. */
export const shortPolicyTypeWords: readonly string[] = typeNames.map(
  (type) => policyTypes[type].short,
);

/** All names that callers may use, in the order in which error messages list them. */
export const policyTypeWords: readonly string[] = [...shortPolicyTypeWords, ...typeNames];

/** @returns The policy type for a short or long name in any letter case; undefined for other words. */
export function policyTypeOf(word: string): PolicyType | undefined {
  const upper = word.toUpperCase();
  return typeNames.find(
    (type) => type === upper || policyTypes[type].short.toUpperCase() === upper,
  );
}

/**
 * How the type of a policy was determined; `cli-flag`: the caller declared it; `container`: the template
 * or answer that it was taken out of says it, or the Terraform argument that reads its file.
 */
export const PolicyTypeSource = z.enum([
  "cli-flag",
  "container",
  "config-glob",
  "auto-detect",
  "default",
]);
export type PolicyTypeSource = z.infer<typeof PolicyTypeSource>;
