import { replaceVariables, splitArn } from "../policy/arn.ts";
import { globMatches, hasWildcard } from "../policy/wildcard.ts";

/** A character that no name of a role has: only a wildcard matches it. */
const odd = "\u0001";

/**
 * Whether a resource reaches every role, at least of one account: `*`, `arn:aws:iam::*:*` and
 * `arn:aws:iam::111122223333:role/*`, and not a pattern with a part of the path or of the name.
 * AWS reports the first two; the names of a service's own roles, such as `role/Service*`, it accepts.
 * @see https://docs.aws.amazon.com/IAM/latest/UserGuide/access-analyzer-reference-policy-checks.html#access-analyzer-reference-policy-checks-security-warning-pass-role-with-star-in-resource
 */
export function reachesEveryRole(resource: string): boolean {
  return reaches(resource, `role/${odd}/${odd}`) && reaches(resource, `role/${odd}`);
}

/**
 * Whether a resource reaches the service-linked roles of every service: also
 * `arn:aws:iam::*:role/aws-service-role/*`, which AWS reports, and not the path of one service.
 * @see https://docs.aws.amazon.com/IAM/latest/UserGuide/access-analyzer-reference-policy-checks.html#access-analyzer-reference-policy-checks-general-warning-create-slr-with-star-in-resource
 */
export function reachesEveryServiceLinkedRole(resource: string): boolean {
  return reaches(resource, `role/aws-service-role/${odd}/${odd}`);
}

function reaches(resource: string, role: string): boolean {
  if (resource === "*") return true;
  if (!hasWildcard(resource)) return false;
  const arn = splitArn(resource);
  if (!arn) return false;
  // A wildcard or a variable of these fields matches the partition and an account of the caller.
  const partition = isFixed(arn.partition) ? arn.partition : "aws";
  const account = isFixed(arn.account) ? arn.account : "111122223333";
  const pattern = replaceVariables(resource, "*");
  return globMatches(pattern, `arn:${partition}:iam::${account}:${role}`);
}

const isFixed = (field: string) => !hasWildcard(field) && !field.includes("${") && field !== "";
