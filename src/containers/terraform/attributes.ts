import type { PolicyType } from "../../../spec/policy.ts";
import { policyProperties } from "../cloudformation/table.ts";

/** A place of a resource that holds a policy document. */
export interface PolicyAttribute {
  /** Names from the resource down; `[]` is a list or a nested block. */
  readonly path: readonly string[];
  /** `by type`: the argument `type` of the resource says it. */
  readonly policyType: PolicyType | "by type";
  /** Action prefix of the service that owns the resource; null: the policy is not a resource policy. */
  readonly service: string | null;
  /** The argument that names the resource the policy is attached to. */
  readonly attachedBy: string | null;
}

type Row = readonly [resource: string, attribute?: string, attachedBy?: string];

function rows(
  policyType: PolicyAttribute["policyType"],
  service: string | null,
  list: readonly Row[],
): [string, PolicyAttribute][] {
  return list.map(([resource, attribute = "policy", attachedBy = null]) => [
    `aws_${resource}`,
    { path: attribute.split("."), policyType, service, attachedBy },
  ]);
}

const resource = (service: string, ...list: Row[]) => rows("RESOURCE_POLICY", service, list);

/**
 * Every argument of the AWS provider that holds an IAM policy document. `aws_iam_policy` is a
 * boundary where only `permissions_boundary` refers to it. Arguments with other languages are not
 * here: lifecycle, redrive, filter, delivery and archive policies, data protection policies,
 * OpenSearch Serverless policies, core network policies, Cedar policies and stack policies.
 * https://registry.terraform.io/providers/hashicorp/aws/latest/docs
 */
const table: readonly [string, PolicyAttribute][] = [
  ...rows("IDENTITY_POLICY", null, [
    ["iam_policy"],
    ["iam_role_policy"],
    ["iam_user_policy"],
    ["iam_group_policy"],
    ["iam_role", "inline_policy.[].policy"],
    ["ssoadmin_permission_set_inline_policy", "inline_policy"],
    // IoT policies are attached to certificates and Cognito identities and have no principal.
    ["iot_policy"],
  ]),
  ...rows("TRUST_POLICY", null, [["iam_role", "assume_role_policy"]]),
  ...rows("SESSION_POLICY", null, [
    ["transfer_user"],
    ["transfer_access"],
    ["eks_pod_identity_association"],
    ["rolesanywhere_profile", "session_policy"],
  ]),
  ...rows("by type", null, [["organizations_policy", "content"]]),
  ...rows("ENDPOINT_POLICY", null, [["vpc_endpoint"], ["vpc_endpoint_policy"]]),
  ...resource("organizations", ["organizations_resource_policy", "content"]),
  ...resource(
    "s3",
    ["s3_bucket", "policy", "bucket"],
    ["s3_bucket_policy", "policy", "bucket"],
    ["s3_access_point"],
    ["s3control_access_point_policy"],
    ["s3control_multi_region_access_point_policy", "details.[].policy"],
  ),
  ...resource("s3-outposts", ["s3control_bucket_policy"]),
  ...resource("s3-object-lambda", ["s3control_object_lambda_access_point_policy"]),
  ...resource(
    "s3tables",
    ["s3tables_table_bucket_policy", "resource_policy", "table_bucket_arn"],
    ["s3tables_table_policy", "resource_policy"],
  ),
  ...resource("s3files", ["s3files_file_system_policy"]),
  ...resource("s3vectors", ["s3vectors_vector_bucket_policy", "policy", "vector_bucket_arn"]),
  ...resource("sns", ["sns_topic"], ["sns_topic_policy", "policy", "arn"]),
  ...resource("sqs", ["sqs_queue"], ["sqs_queue_policy", "policy", "queue_url"]),
  ...resource("events", ["cloudwatch_event_bus_policy", "policy", "event_bus_name"]),
  ...resource("schemas", ["schemas_registry_policy"]),
  ...resource(
    "kms",
    ["kms_key"],
    ["kms_key_policy", "policy", "key_id"],
    ["kms_external_key"],
    ["kms_replica_key"],
    ["kms_replica_external_key"],
  ),
  ...resource(
    "secretsmanager",
    ["secretsmanager_secret"],
    ["secretsmanager_secret_policy", "policy", "secret_arn"],
  ),
  ...resource("acm-pca", ["acmpca_policy", "policy", "resource_arn"]),
  ...resource(
    "ecr",
    ["ecr_repository_policy", "policy", "repository"],
    ["ecr_registry_policy"],
    ["ecr_repository_creation_template", "repository_policy"],
  ),
  ...resource("ecr-public", ["ecrpublic_repository_policy", "policy", "repository_name"]),
  ...resource(
    "es",
    ["elasticsearch_domain", "access_policies"],
    ["elasticsearch_domain_policy", "access_policies", "domain_name"],
    ["opensearch_domain", "access_policies"],
    ["opensearch_domain_policy", "access_policies", "domain_name"],
  ),
  ...resource("cloudsearch", ["cloudsearch_domain_service_access_policy", "access_policy"]),
  ...resource(
    "logs",
    ["cloudwatch_log_resource_policy", "policy_document"],
    ["cloudwatch_log_destination_policy", "access_policy"],
    ["cloudwatch_log_delivery_destination_policy", "delivery_destination_policy"],
  ),
  ...resource("oam", ["oam_sink_policy"]),
  ...resource("xray", ["xray_resource_policy", "policy_document"]),
  ...resource(
    "execute-api",
    ["api_gateway_rest_api"],
    ["api_gateway_rest_api_policy", "policy", "rest_api_id"],
    ["api_gateway_domain_name"],
  ),
  ...resource(
    "codeartifact",
    ["codeartifact_domain_permissions_policy", "policy_document"],
    ["codeartifact_repository_permissions_policy", "policy_document"],
  ),
  ...resource("codebuild", ["codebuild_resource_policy", "policy", "resource_arn"]),
  ...resource("dynamodb", ["dynamodb_resource_policy", "policy", "resource_arn"]),
  ...resource("kinesis", ["kinesis_resource_policy", "policy", "resource_arn"]),
  ...resource("kafka", ["msk_cluster_policy", "policy", "cluster_arn"]),
  ...resource("glue", ["glue_resource_policy"]),
  ...resource("redshift", ["redshift_resource_policy", "policy", "resource_arn"]),
  ...resource("redshift-serverless", [
    "redshiftserverless_resource_policy",
    "policy",
    "resource_arn",
  ]),
  ...resource("sagemaker", ["sagemaker_model_package_group_policy", "resource_policy"]),
  ...resource("bedrock-agentcore", ["bedrockagentcore_resource_policy", "policy", "resource_arn"]),
  ...resource("elasticfilesystem", ["efs_file_system_policy", "policy", "file_system_id"]),
  ...resource("backup", ["backup_vault_policy", "policy", "backup_vault_name"]),
  ...resource("glacier", ["glacier_vault", "access_policy"], ["glacier_vault_lock"]),
  ...resource("mediastore", ["media_store_container_policy", "policy", "container_name"]),
  ...resource("ses", ["ses_identity_policy"], ["sesv2_email_identity_policy"]),
  ...resource("network-firewall", ["networkfirewall_resource_policy", "policy", "resource_arn"]),
  ...resource("vpc-lattice-svcs", ["vpclattice_auth_policy", "policy", "resource_identifier"]),
  ...resource("vpc-lattice", ["vpclattice_resource_policy", "policy", "resource_arn"]),
];

/** Arguments that hold a template of CloudFormation as text. */
export const templateArguments: Readonly<Record<string, string | undefined>> = {
  aws_cloudformation_stack: "template_body",
  aws_cloudformation_stack_set: "template_body",
};

const byResource = Map.groupBy(table, ([type]) => type);

/** @param type Of a resource, e.g. `aws_iam_role`. @returns The places of its policies. */
export function policyAttributes(type: string): readonly PolicyAttribute[] {
  const known = byResource.get(type);
  if (known) return known.map(([, attribute]) => attribute);
  return type.startsWith("awscc_") ? cloudControlAttributes(type) : [];
}

/** Every resource type of the table. */
export const resourceTypes: readonly string[] = [...byResource.keys()];

/** @param written The argument `type` of an organization's policy; absent: a service control policy. */
export function organizationsType(written: unknown): PolicyType | null {
  if (written === undefined || written === null) return "SERVICE_CONTROL_POLICY";
  if (written === "SERVICE_CONTROL_POLICY" || written === "RESOURCE_CONTROL_POLICY") return written;
  return null;
}

/**
 * Resource types of the provider `awscc` are those of CloudFormation in snake case.
 * https://registry.terraform.io/providers/hashicorp/awscc/latest/docs
 */
function cloudControlAttributes(type: string): PolicyAttribute[] {
  const name = typesByLetters.get(type.slice("awscc_".length).replaceAll("_", ""));
  const properties = (name === undefined ? undefined : policyProperties[name]) ?? [];
  const documents = properties.filter(({ form }) => form === undefined);
  return documents.map(({ path, type: policyType, service }) => ({
    path: path
      .split(".")
      .flatMap((step) =>
        step.endsWith("[]") ? [snakeCase(step.slice(0, -2)), "[]"] : [snakeCase(step)],
      ),
    policyType: policyType === "organizations" ? "by type" : policyType,
    service,
    attachedBy: null,
  }));
}

const typesByLetters = new Map(
  Object.keys(policyProperties).map((name) => [name.replaceAll("::", "").toLowerCase(), name]),
);

/** `S3PolicyDocument` is `s3_policy_document`. */
function snakeCase(name: string): string {
  return name
    .replace(/([a-z0-9])([A-Z])/g, "$1_$2")
    .replace(/([A-Z])([A-Z][a-z])/g, "$1_$2")
    .toLowerCase();
}
