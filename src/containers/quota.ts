import type { SizeWord } from "../policy/type-facts.ts";
import type { Place } from "./types.ts";

/** Identity policies that are written into a user, group, role or permission set; others are managed. */
const inline: Readonly<Record<string, SizeWord | "none" | undefined>> = {
  "AWS::IAM::Role": "inline_role",
  "AWS::IAM::RolePolicy": "inline_role",
  "AWS::IAM::User": "inline_user",
  "AWS::IAM::UserPolicy": "inline_user",
  "AWS::IAM::Group": "inline_group",
  "AWS::IAM::GroupPolicy": "inline_group",
  // Written into whatever it lists; a role takes the most.
  "AWS::IAM::Policy": "inline_role",
  "AWS::Serverless::Function": "inline_role",
  "AWS::Serverless::StateMachine": "inline_role",
  // https://docs.aws.amazon.com/singlesignon/latest/APIReference/API_PutInlinePolicyToPermissionSet.html
  "AWS::SSO::PermissionSet": "none",
  "AWS::IoT::Policy": "none",
  aws_iam_role: "inline_role",
  aws_iam_role_policy: "inline_role",
  aws_iam_user_policy: "inline_user",
  aws_iam_group_policy: "inline_group",
  aws_ssoadmin_permission_set_inline_policy: "none",
  aws_iot_policy: "none",
};

/** @returns The quota of an identity policy; `none`: it has one that is not in the table of quotas. */
export function identityQuota({ policyType, resourceType }: Place): SizeWord | "none" {
  if (policyType === null) return "inline_role";
  const type = resourceType === null ? "" : nameInTable(resourceType);
  return (Object.hasOwn(inline, type) ? inline[type] : undefined) ?? "managed";
}

/** Pulumi has the names of the API, with the module that declares them; a task of Ansible has its own. */
function nameInTable(resourceType: string): string {
  if (/(?:^|\.)iam_policy$/.test(resourceType)) return "AWS::IAM::Policy";
  const [, iam] = /^aws:iam(?:\/[A-Za-z]+)?:([A-Za-z]+)$/.exec(resourceType) ?? [];
  // `aws:iam:Policy` is a managed policy.
  if (iam !== undefined) return iam === "Policy" ? "" : `AWS::IAM::${iam}`;
  const isPermissionSet = /^aws:ssoadmin[/:].*PermissionSetInlinePolicy$/.test(resourceType);
  return isPermissionSet ? "AWS::SSO::PermissionSet" : resourceType;
}
