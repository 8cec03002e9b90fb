/** What a policy or a statement alone has in it; an escape may hide it. */
const policyWords =
  /statement|\beffect["']?\s*[:=]\s*["']?(?:allow|deny)|2012-10-17|2008-10-17|%7b|\\[ux]/i;

/** A statement may lack its effect. */
const action = /action["']?\s*[:=]/i;
const subject = /(?:resource|principal)["']?\s*[:=]/i;

/** Members whose policy may be a reference, so that none of its elements is in the file. */
const containerWords =
  /::[A-Za-z]|planned_values|resource_changes|root_module|k8s\.aws|\baws\.(?:crossplane|(?:m\.)?upbound)\.io|\b(?:amazon|community)\.aws\.|\b(?:policy_json|assume_role_policy_document)\b|\b(?:iam_managed_policy|s3_bucket|sqs_queue|sns_topic|kms_key|ecs_ecr|ec2_vpc_endpoint|secretsmanager_secret):|\baws:[a-z0-9]+[/:]/;

/**
 * Whether a file that a search found can have a policy or a place for one, so that others need not be parsed:
 * manifests of custom resource definitions alone are tens of megabytes in some repositories.
 * @param label Ends with the name of the file.
 */
export function mayHavePolicy(text: string, label: string): boolean {
  if (policyWords.test(text) || /\.(?:tf|tofu)(?:\.json)?$|terragrunt\.hcl$/i.test(label))
    return true;
  if (action.test(text) && subject.test(text)) return true;
  return /polic|template_?body/i.test(text) && containerWords.test(text);
}
