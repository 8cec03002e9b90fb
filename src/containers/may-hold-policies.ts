/**
 * Words of the files that hold policies: templates, plans, manifests, answers, `.tf` names, functions of
 * CloudFormation, and the placeholders of policy templates. A word may stand in any text, so a hit says little.
 */
const words =
  /Resources|planned_values|resource_changes|root_module|apiVersion|iamRoleStatements|DetailList|resourceType|(?:amazon|community)\.aws\.|_policy_document|policy_json|runtime:|custom-policies|\.tofu\b|terragrunt\.hcl|\.j2\b|\.tf\b|\.tftpl\b|\.tpl\b|Fn::|\bRef\\?"|!(?:Ref|Sub|GetAtt|Join|If)\b|\$\{[A-Za-z_][\w.]*\}|%\{|\{\{/;

/** @returns Whether the bytes of a call may have a container, which takes longer to read than a policy. */
export function mayHoldPolicies(body: Uint8Array): boolean {
  const { buffer, byteOffset, byteLength } = body;
  return words.test(Buffer.from(buffer, byteOffset, byteLength).toString("latin1"));
}
