import type { Action } from "../../../services/model.ts";

/**
 * Customers cannot change AWS's own policies and service-linked roles.
 * @see https://docs.aws.amazon.com/IAM/latest/UserGuide/access_policies_managed-vs-inline.html
 * @see https://docs.aws.amazon.com/IAM/latest/UserGuide/id_roles_create-service-linked-role.html
 */
const ownedByAws = /^arn:[^:]*:iam::(?:aws:policy\/|[^:]*:role\/aws-service-role\/)/;

/** Work on service-linked roles; tagging does too, and has a separate access level. */
const exceptions: ReadonlySet<string> = new Set([
  "iam:CreateServiceLinkedRole",
  "iam:DeleteServiceLinkedRole",
  "iam:UpdateRoleDescription",
]);

/** @returns whether the action changes what customers cannot change where AWS owns it. */
export function changesOwned({ service, qualified, accessLevel }: Action): boolean {
  if (service !== "iam" || exceptions.has(qualified)) return false;
  return accessLevel === "write" || accessLevel === "permissions-management";
}

/** @returns whether AWS owns what the entry of `Resource` names. */
export function isOwnedByAws(resource: string): boolean {
  return ownedByAws.test(resource);
}
