import type { PolicyType } from "../../../spec/policy.ts";

/** A member of the answer of an `aws` command that holds a policy document. */
export interface AnswerMember {
  /** `[]` is every entry of a list, `*` every member of an object. */
  readonly path: readonly string[];
  /** Members that must be there too, because the path alone says too little. */
  readonly beside: readonly string[];
  readonly policyType: PolicyType | null;
  readonly service: string | null;
}

type Row = readonly [path: string, beside?: readonly string[]];

function rows(
  policyType: PolicyType | null,
  service: string | null,
  ...list: Row[]
): AnswerMember[] {
  return list.map(([path, beside = []]) => ({
    path: path.split("."),
    beside,
    policyType,
    service,
  }));
}

const resource = (service: string | null, ...list: Row[]) =>
  rows("RESOURCE_POLICY", service, ...list);

/**
 * Where the answers of the AWS CLI hold policies, most telling rows first.
 * https://docs.aws.amazon.com/cli/latest/reference/
 */
export const answerMembers: readonly AnswerMember[] = [
  ...rows(
    "TRUST_POLICY",
    null,
    ["Role.AssumeRolePolicyDocument"],
    ["Roles.[].AssumeRolePolicyDocument"],
  ),
  ...rows(
    "IDENTITY_POLICY",
    null,
    ["PolicyVersion.Document"],
    ["PolicyDocument", ["RoleName"]],
    ["PolicyDocument", ["UserName"]],
    ["PolicyDocument", ["GroupName"]],
    ["InlinePolicy"],
    ["policyDocument", ["policyName", "policyArn"]],
  ),
  ...rows(
    "ENDPOINT_POLICY",
    null,
    ["VpcEndpoints.[].PolicyDocument"],
    ["VpcEndpoint.PolicyDocument"],
  ),
  ...rows("SESSION_POLICY", null, ["User.Policy", ["ServerId"]]),
  ...resource("lambda", ["Policy", ["RevisionId"]]),
  ...resource("elasticfilesystem", ["Policy", ["FileSystemId"]]),
  ...resource("backup", ["Policy", ["BackupVaultName"]]),
  ...resource("secretsmanager", ["ResourcePolicy", ["ARN"]]),
  ...resource("ecr", ["policyText", ["registryId"]]),
  ...resource("sqs", ["Attributes.Policy", ["Attributes.QueueArn"]]),
  ...resource("sns", ["Attributes.Policy", ["Attributes.TopicArn"]]),
  ...resource("es", ["DomainStatus.AccessPolicies"], ["DomainConfig.AccessPolicies.Options"]),
  ...resource("execute-api", ["items.[].policy"], ["policy", ["endpointConfiguration"]]),
  ...resource("glue", ["PolicyInJson"]),
  ...resource("logs", ["resourcePolicies.[].policyDocument"]),
  ...resource("codeartifact", ["policy.document"]),
  ...resource("ses", ["Policies.*"]),
  ...resource(null, ["Attributes.Policy"], ["ResourcePolicy"], ["policyText"], ["Policy"]),
];
