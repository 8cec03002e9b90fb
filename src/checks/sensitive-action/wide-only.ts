import type { SensitiveCategoryId } from "./catalogue.ts";

/**
 * Actions that are `high` on every resource, whatever their category says (5.16): customers' data of
 * every bucket, table or key, parameters, and every role. On named resources those of the catalogue
 * have the severity of their category, and the others are not reported.
 *
 * The catalogue has the resource policies of the older services only. These let other accounts reach
 * data or code in the same way, or end what records and finds attacks:
 * https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_aws-services-that-work-with-iam.html
 * (column "Resource-based policies"), https://docs.aws.amazon.com/redshift/latest/dg/within-account.html,
 * https://docs.aws.amazon.com/AmazonS3/latest/userguide/access-grants.html
 *
 * The domain config of OpenSearch holds the access policy of the domain, and steps and jobs of EMR run with the role of
 * their cluster:
 * https://docs.aws.amazon.com/opensearch-service/latest/APIReference/API_UpdateDomainConfig.html,
 * https://docs.aws.amazon.com/emr/latest/APIReference/API_AddJobFlowSteps.html
 *
 * Roles of pipelines, state machines and rotation need some of these on names that their guides
 * give, so they count on everything only:
 * https://docs.aws.amazon.com/step-functions/latest/dg/call-https-apis.html,
 * https://docs.aws.amazon.com/dtconsole/latest/userguide/connections.html,
 * https://docs.aws.amazon.com/secretsmanager/latest/apireference/API_UpdateSecret.html,
 * https://docs.aws.amazon.com/AmazonElastiCache/latest/APIReference/API_ModifyUser.html,
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/ql-iam.html
 */
const byCategory: readonly (readonly [SensitiveCategoryId, string])[] = [
  [
    "priv_esc",
    "sts:AssumeRole elasticmapreduce:AddJobFlowSteps emr-containers:StartJobRun ssm:RegisterTaskWithMaintenanceWindow",
  ],
  [
    "credential_exposure",
    "codeconnections:GetConnectionToken codestar-connections:GetConnectionToken elasticache:ModifyUser events:RetrieveConnectionCredentials memorydb:UpdateUser",
  ],
  [
    "data_access",
    "kms:Decrypt s3:GetObject s3:PutObject s3:DeleteObject s3:DeleteObjectVersion dynamodb:PartiQLDelete dynamodb:PartiQLInsert dynamodb:PartiQLSelect dynamodb:PartiQLUpdate dynamodb:Scan dynamodb:BatchGetItem dynamodb:ExportTableToPointInTime dynamodb:BatchWriteItem dynamodb:DeleteItem dynamodb:UpdateItem dynamodb:PutItem ssm:GetParameter ssm:GetParameters ssm:GetParametersByPath ssm:GetParameterHistory",
  ],
  [
    "resource_exposure",
    "backup:PutBackupVaultSharingPolicy bedrock-agentcore:PutResourcePolicy codeartifact:PutDomainPermissionsPolicy codeartifact:PutRepositoryPermissionsPolicy dynamodb:PutResourcePolicy es:UpdateDomainConfig ecr:PutRegistryPolicy events:PutResourcePolicy kinesis:PutResourcePolicy logs:PutDestinationPolicy lambda:PutResourcePolicy redshift:AuthorizeDataShare redshift:PutResourcePolicy redshift-serverless:PutResourcePolicy s3:CreateAccessGrant s3:PutAccessGrantsInstanceResourcePolicy s3:PutAccessPointPolicyForObjectLambda s3-outposts:PutAccessPointPolicy s3-outposts:PutBucketPolicy s3express:PutAccessPointPolicy s3express:PutBucketPolicy s3files:PutFileSystemPolicy s3tables:PutTablePolicy sagemaker:PutResourcePolicy ssm:PutResourcePolicy",
  ],
  [
    "resource_exposure",
    "cloudtrail:DeleteEventDataStore cloudtrail:UpdateTrail config:DeleteDeliveryChannel guardduty:DisassociateFromAdministratorAccount macie2:DisableMacie detective:DeleteGraph inspector2:Disable backup:DeleteRecoveryPoint secretsmanager:UpdateSecret",
  ],
];

const categories: ReadonlyMap<string, SensitiveCategoryId> = new Map(
  byCategory.flatMap(([category, names]) =>
    names.split(" ").map((name) => [name.toLowerCase(), category] as const),
  ),
);

/** In lower case. */
export const wideOnlyActions: readonly string[] = [...categories.keys()];

/** @returns the category of an action that is `high` on every resource; undefined for others. */
export function wideOnlyCategory(name: string): SensitiveCategoryId | undefined {
  return categories.get(name.toLowerCase());
}
