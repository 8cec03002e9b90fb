import { partitions, splitArn } from "../../policy/arn.ts";
import { FactSlot } from "../../policy/fact-slot.ts";
import type { Policy } from "../../policy/model.ts";

/** The partition of a policy, and what says it. */
export interface PolicyPartition {
  readonly name: string;
  /** Subject of the sentence "… in the partition `aws-cn`". */
  readonly by: "resources" | "principals";
}

const known = new FactSlot<Policy, { readonly found: PolicyPartition | null }>();

/**
 * The partition of a policy that has principals: that of its resources, or of the first principal of a trust policy. Principals
 * and the sources of calls are in the same one.
 * https://docs.aws.amazon.com/IAM/latest/UserGuide/access_policies-cross-account-resource-access.html
 * @returns null where no ARN says it, or two say different ones.
 */
export function policyPartition(policy: Policy): PolicyPartition | null {
  let kept = known.get(policy);
  if (!kept) {
    kept = { found: find(policy) };
    known.set(policy, kept);
  }
  return kept.found;
}

function find({ type, statements }: Policy): PolicyPartition | null {
  if (type === "TRUST_POLICY") {
    for (const { principals } of statements) {
      for (const { text } of principals) {
        const name = partitionIn(text);
        if (name !== null) return { name, by: "principals" };
      }
    }
    return null;
  }
  const names = new Set<string>();
  for (const { resources, notResources } of statements) {
    for (const { text } of [...resources, ...notResources]) {
      const name = partitionIn(text);
      if (name !== null) names.add(name);
    }
  }
  const [name, second] = names;
  return name === undefined || second !== undefined ? null : { name, by: "resources" };
}

/** @returns the partition of an ARN that says a known one. */
export function partitionIn(text: string): string | null {
  const name = splitArn(text)?.partition;
  return name !== undefined && partitions.includes(name) ? name : null;
}
