import { isRecord } from "../../record.ts";
import { isBoundaryName } from "../boundary-name.ts";
import { type Configuration, withoutKeys } from "./configuration.ts";
import type { Resource } from "./resources.ts";

const policyAddress = /^(?:module\.[^.]+\.)*aws_iam_policy\.[^.]+/;

/**
 * @returns Addresses of the policies that a `permissions_boundary` refers to, or that are named so, and that
 * nothing attaches.
 */
export function boundariesOf(configuration: Configuration): Set<string> {
  const limits = new Set<string>();
  const attached = new Set<string>();
  for (const { address, argument } of configuration.arguments()) {
    if (policyAddress.test(address) && isBoundaryName(address)) limits.add(address);
    for (const reference of configuration.references(address, [argument])) {
      const [policy] = policyAddress.exec(withoutKeys(reference)) ?? [];
      if (policy) (argument === "permissions_boundary" ? limits : attached).add(policy);
    }
  }
  return new Set([...limits].filter((policy) => !attached.has(policy)));
}

/** Arguments that attach managed policies by their ARNs. */
const attaching = ["policy_arn", "managed_policy_arns", "policy_arns"];

/** The same for resources whose ARNs are known. */
export function boundariesByArn(resources: readonly Resource[]): Set<string> {
  const limits = new Set<unknown>();
  const attached = new Set<unknown>();
  for (const { values } of resources) {
    if (!isRecord(values)) continue;
    if (values.permissions_boundary) limits.add(values.permissions_boundary);
    for (const name of attaching) for (const arn of [values[name]].flat()) attached.add(arn);
  }
  const policies = resources.filter(({ type, values }) => {
    const arn = type === "aws_iam_policy" && isRecord(values) ? values.arn : undefined;
    return arn && limits.has(arn) && !attached.has(arn);
  });
  return new Set(policies.map(({ address }) => withoutKeys(address)));
}
