/** How the ARN of a resource type is formed, and which argument has its name. */
export interface ArnForm {
  /** With `{partition}`, `{region}`, `{account}` and `{name}`. */
  readonly arn: string;
  readonly nameArgument: string;
  /** What the argument has before the name. Absent: nothing. */
  readonly prefix?: string;
}

const form = (
  service: string,
  resource: string,
  {
    nameArgument = "name",
    where = "{region}:{account}",
    prefix = "",
  }: { nameArgument?: string; where?: string; prefix?: string } = {},
): ArnForm => ({ arn: `arn:{partition}:${service}:${where}:${resource}`, nameArgument, prefix });

const global = { where: ":{account}" };

/**
 * Resource types whose ARN a policy often refers to. Forms: the resource types of each service in
 * https://docs.aws.amazon.com/service-authorization/latest/reference/reference_policies_actions-resources-contextkeys.html
 */
const arnForms: Readonly<Record<string, ArnForm | undefined>> = {
  aws_s3_bucket: form("s3", "{name}", { nameArgument: "bucket", where: ":" }),
  aws_sqs_queue: form("sqs", "{name}"),
  aws_sns_topic: form("sns", "{name}"),
  aws_lambda_function: form("lambda", "function:{name}", { nameArgument: "function_name" }),
  aws_iam_role: form("iam", "role/{name}", global),
  aws_iam_user: form("iam", "user/{name}", global),
  aws_iam_group: form("iam", "group/{name}", global),
  aws_iam_policy: form("iam", "policy/{name}", global),
  aws_iam_openid_connect_provider: form("iam", "oidc-provider/{name}", {
    nameArgument: "url",
    prefix: "https://",
    ...global,
  }),
  aws_iam_saml_provider: form("iam", "saml-provider/{name}", global),
  aws_dynamodb_table: form("dynamodb", "table/{name}"),
  aws_kms_key: form("kms", "key/{name}", { nameArgument: "" }),
  aws_kms_replica_key: form("kms", "key/{name}", { nameArgument: "" }),
  aws_kinesis_stream: form("kinesis", "stream/{name}"),
  aws_kinesis_firehose_delivery_stream: form("firehose", "deliverystream/{name}"),
  aws_secretsmanager_secret: form("secretsmanager", "secret:{name}-a1b2c3", { nameArgument: "" }),
  aws_cloudwatch_event_bus: form("events", "event-bus/{name}"),
  aws_ecr_repository: form("ecr", "repository/{name}"),
  aws_ecrpublic_repository: form("ecr-public", "repository/{name}", {
    nameArgument: "repository_name",
    ...global,
  }),
  aws_ses_domain_identity: form("ses", "identity/{name}", { nameArgument: "domain" }),
  aws_ses_email_identity: form("ses", "identity/{name}", { nameArgument: "email" }),
  aws_sesv2_email_identity: form("ses", "identity/{name}", { nameArgument: "email_identity" }),
  aws_glacier_vault: form("glacier", "vaults/{name}"),
  aws_codeartifact_domain: form("codeartifact", "domain/{name}", { nameArgument: "domain" }),
  aws_sfn_state_machine: form("states", "stateMachine:{name}"),
  aws_efs_file_system: form("elasticfilesystem", "file-system/{name}", { nameArgument: "" }),
  aws_codebuild_project: form("codebuild", "project/{name}"),
  aws_codepipeline: form("codepipeline", "{name}"),
  aws_ecs_cluster: form("ecs", "cluster/{name}"),
  aws_opensearch_domain: form("es", "domain/{name}", { nameArgument: "domain_name" }),
  aws_elasticsearch_domain: form("es", "domain/{name}", { nameArgument: "domain_name" }),
  aws_backup_vault: form("backup", "backup-vault:{name}"),
};

/** @param type Of a resource or data source, e.g. `aws_s3_bucket`. */
export function arnFormOf(type: string): ArnForm | null {
  return arnForms[type] ?? null;
}
