import { type ConfiguredSeverity, severityRank } from "../../../spec/severity.ts";
import type { CheckContext } from "../../engine/check.ts";
import type { Breadth } from "../shared/grants/grants.ts";
import { type SensitiveCategoryId, sensitiveActionIgnoringCase } from "./catalogue.ts";
import type { SensitiveOptions } from "./options.ts";
import type { Sensitive } from "./sensitive.ts";
import { wideOnlyCategory } from "./wide-only.ts";

/**
 * Actions that change what an identity may do. On the caller's own user or role they let the caller
 * take any right, and a name does not limit the rights that are gained.
 * @see https://docs.aws.amazon.com/IAM/latest/UserGuide/access_policies_boundaries.html
 */
const rightsGranting = lowerSet([
  "iam:AttachUserPolicy",
  "iam:PutUserPolicy",
  "iam:DeleteUserPermissionsBoundary",
  "iam:PutUserPermissionsBoundary",
  "iam:AttachRolePolicy",
  "iam:PutRolePolicy",
  "iam:DeleteRolePermissionsBoundary",
  "iam:PutRolePermissionsBoundary",
]);

/**
 * On a name these are as bad: the writer of the contents decides the rights. The policies of a permission
 * set become those of its roles in every account that it is assigned to, and among the access policies
 * of EKS is one for cluster administrators.
 * @see https://docs.aws.amazon.com/singlesignon/latest/userguide/permissionsetsconcept.html
 * @see https://docs.aws.amazon.com/eks/latest/userguide/access-policy-permissions.html
 */
const writesRights = lowerSet([
  "iam:AttachGroupPolicy",
  "iam:PutGroupPolicy",
  "iam:CreatePolicyVersion",
  "sso:AttachManagedPolicyToPermissionSet",
  "sso:PutInlinePolicyToPermissionSet",
  "eks:AssociateAccessPolicy",
]);

function lowerSet(names: readonly string[]): ReadonlySet<string> {
  return new Set(names.map((name) => name.toLowerCase()));
}

/** @returns whether the action attaches or writes rights, so that a name does not limit it. */
export function grantsRights(name: string): boolean {
  const lower = name.toLowerCase();
  return rightsGranting.has(lower) || writesRights.has(lower);
}

/** @returns the category of an action; undefined for actions of the operator's own. */
export function categoryOf(name: string): SensitiveCategoryId | undefined {
  return sensitiveActionIgnoringCase(name)?.category ?? wideOnlyCategory(name);
}

type Context = Pick<CheckContext<SensitiveOptions>, "options" | "severity" | "configuredSeverity">;

/**
 * The severity of one sensitive action at this breadth.
 * @param reachesOthers The name is that of the caller, and of others as well.
 * @returns `none` where it is not reported.
 */
export function severityOf(
  { name, category, listed, isWideOnly }: Sensitive,
  breadth: Breadth,
  context: Context,
  reachesOthers = false,
): ConfiguredSeverity {
  const { options, configuredSeverity } = context;
  if (breadth === "none") return "none";
  if (breadth === "caller" && !rightsGranting.has(name.toLowerCase())) return "none";
  const own = (category && options.category_severities[category]) ?? configuredSeverity;
  if (own) return own;
  if (breadth === "everything" && isWideOnly) return atLeast(listed ?? "high", "high");
  const builtin = listed ?? context.severity;
  if (breadth === "everything") return builtin;
  if (breadth !== "named") return builtin;
  if (options.scoped_resource_severities) {
    const most = category && options.scoped_resource_severities[category];
    return most ? atMost(builtin, most) : builtin;
  }
  return atMost(builtin, grantsRights(name) || reachesOthers ? "high" : "medium");
}

function atMost(severity: ConfiguredSeverity, most: ConfiguredSeverity): ConfiguredSeverity {
  return severityRank[severity] > severityRank[most] ? most : severity;
}

function atLeast(severity: ConfiguredSeverity, least: ConfiguredSeverity): ConfiguredSeverity {
  return severityRank[severity] < severityRank[least] ? least : severity;
}
