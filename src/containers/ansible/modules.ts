import type { PolicyType } from "../../../spec/policy.ts";

/** An option of a module that takes a policy document. */
export interface ModuleOption {
  readonly option: string;
  readonly policyType: PolicyType;
  /** Action prefix of the service that owns the resource; null: the policy is not a resource policy. */
  readonly service: string | null;
}

const of =
  (policyType: PolicyType) =>
  (option: string, service: string | null = null): readonly ModuleOption[] => [
    { option, policyType, service },
  ];
const identity = of("IDENTITY_POLICY");
const resource = of("RESOURCE_POLICY");

/**
 * The modules that take a policy, by name without the collection, old names too.
 * https://docs.ansible.com/ansible/latest/collections/amazon/aws/
 * https://docs.ansible.com/ansible/latest/collections/community/aws/
 */
const modules: ReadonlyMap<string, readonly ModuleOption[]> = new Map([
  ["iam_policy", identity("policy_json")],
  ["iam_managed_policy", identity("policy")],
  ["iam_role", of("TRUST_POLICY")("assume_role_policy_document")],
  ["sts_assume_role", of("SESSION_POLICY")("policy")],
  ["ec2_vpc_endpoint", of("ENDPOINT_POLICY")("policy")],
  ["s3_bucket", resource("policy", "s3")],
  ["sqs_queue", resource("policy", "sqs")],
  ["sns_topic", resource("policy", "sns")],
  ["kms_key", resource("policy", "kms")],
  ["aws_kms", resource("policy", "kms")],
  ["ecs_ecr", resource("policy", "ecr")],
  ["secretsmanager_secret", resource("resource_policy", "secretsmanager")],
  ["aws_secret", resource("resource_policy", "secretsmanager")],
  ["ses_identity_policy", resource("policy", "ses")],
  ["aws_ses_identity_policy", resource("policy", "ses")],
  ["opensearch", resource("access_policies", "es")],
]);

/** @returns The options of a module that take a policy, by its name in a task. */
export function moduleOptions(task: string): readonly ModuleOption[] {
  return modules.get(task.replace(/^(?:amazon|community)\.aws\./, "")) ?? [];
}
