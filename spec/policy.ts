import { z } from "zod";

/** The five kinds of policy, by the words that go out on the wire. */
export const PolicyType = z
  .enum([
    "IDENTITY_POLICY",
    "RESOURCE_POLICY",
    "TRUST_POLICY",
    "SERVICE_CONTROL_POLICY",
    "RESOURCE_CONTROL_POLICY",
  ])
  .describe("Kind of policy.");
export type PolicyType = z.infer<typeof PolicyType>;

/** Short words accepted on input beside the long ones, in any letter case. */
export const shortPolicyTypes = {
  identity: "IDENTITY_POLICY",
  resource: "RESOURCE_POLICY",
  trust: "TRUST_POLICY",
  scp: "SERVICE_CONTROL_POLICY",
  rcp: "RESOURCE_CONTROL_POLICY",
} as const satisfies Record<string, PolicyType>;

/** The words a caller may use, in the order error messages list them. */
export const policyTypeWords = [
  ...Object.keys(shortPolicyTypes),
  ...PolicyType.options,
] as readonly string[];

/** @returns the policy type a caller's word stands for, or undefined for any other word. */
export function policyTypeOf(word: string): PolicyType | undefined {
  const upper = word.toUpperCase();
  const long = PolicyType.options.find((type) => type === upper);
  if (long) return long;
  const lower = word.toLowerCase();
  return Object.hasOwn(shortPolicyTypes, lower)
    ? shortPolicyTypes[lower as keyof typeof shortPolicyTypes]
    : undefined;
}

/** How the type of a policy was found; `cli-flag` means that the caller declared it. */
export const PolicyTypeSource = z.enum(["cli-flag", "config-glob", "auto-detect", "default"]);
export type PolicyTypeSource = z.infer<typeof PolicyTypeSource>;
