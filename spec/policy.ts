import { z } from "zod";

/**
 * Every policy type: its name on the wire, its short name for callers, its name in texts, and whether
 * `src/policy/detect-type.ts` recognises it from the content; the others must be declared.
 */
export const policyTypes = {
  IDENTITY_POLICY: { short: "identity", label: "identity policy", recognised: true },
  RESOURCE_POLICY: { short: "resource", label: "resource policy", recognised: true },
  TRUST_POLICY: { short: "trust", label: "role trust policy", recognised: true },
  SERVICE_CONTROL_POLICY: { short: "scp", label: "service control policy", recognised: false },
  RESOURCE_CONTROL_POLICY: { short: "rcp", label: "resource control policy", recognised: false },
  PERMISSIONS_BOUNDARY: { short: "boundary", label: "permissions boundary", recognised: false },
  SESSION_POLICY: { short: "session", label: "session policy", recognised: false },
  ENDPOINT_POLICY: { short: "endpoint", label: "VPC endpoint policy", recognised: false },
} as const;

const typeNames = Object.keys(policyTypes) as (keyof typeof policyTypes)[];

export const PolicyType = z.enum(typeNames).describe("Type of a policy.");
export type PolicyType = z.infer<typeof PolicyType>;

/** The types that a policy can have without a declaration. */
export type RecognisedType = {
  [Type in PolicyType]: (typeof policyTypes)[Type]["recognised"] extends true ? Type : never;
}[PolicyType];

/** A name of a policy type, as types for programs have it; texts may use any letter case. */
export type PolicyTypeWord = PolicyType | (typeof policyTypes)[PolicyType]["short"];

/** The short names that callers may use, in any letter case. */
export const shortPolicyTypeWords: readonly string[] = typeNames.map(
  (type) => policyTypes[type].short,
);

/** Short names of the types that callers must declare. */
export const declaredTypeWords: readonly string[] = typeNames
  .filter((type) => !policyTypes[type].recognised)
  .map((type) => policyTypes[type].short);

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
