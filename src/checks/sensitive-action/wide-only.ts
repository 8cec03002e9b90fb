import { type SensitiveCategoryId, sensitiveActionIgnoringCase } from "./catalogue.ts";

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
 * their cluster. A command in an agent's runtime runs with the role of the runtime:
 * https://docs.aws.amazon.com/opensearch-service/latest/APIReference/API_UpdateDomainConfig.html,
 * https://docs.aws.amazon.com/emr/latest/APIReference/API_AddJobFlowSteps.html,
 * https://docs.aws.amazon.com/bedrock-agentcore/latest/APIReference/API_InvokeAgentRuntimeCommand.html
 *
 * A change of a database can set the password of its administrator, and documents of Systems Manager run as commands on
 * instances:
 * https://docs.aws.amazon.com/AmazonRDS/latest/APIReference/API_ModifyDBInstance.html,
 * https://docs.aws.amazon.com/redshift/latest/APIReference/API_ModifyCluster.html,
 * https://docs.aws.amazon.com/systems-manager/latest/APIReference/API_UpdateDocument.html
 *
 * A delegated administrator manages a service in every account, an account that moves has the SCPs of its new place, and
 * replication copies a bucket into one of any account:
 * https://docs.aws.amazon.com/organizations/latest/userguide/orgs_delegate_policies.html,
 * https://docs.aws.amazon.com/organizations/latest/userguide/orgs_manage_policies_inheritance_auth.html,
 * https://docs.aws.amazon.com/AmazonS3/latest/userguide/replication.html
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
    "sts:AssumeRole organizations:RegisterDelegatedAdministrator bedrock-agentcore:InvokeAgentRuntimeCommand bedrock-agentcore:InvokeAgentRuntimeCommandShell elasticmapreduce:AddJobFlowSteps emr-containers:StartJobRun ssm:RegisterTaskWithMaintenanceWindow ssm:UpdateDocument",
  ],
  [
    "credential_exposure",
    "docdb-elastic:UpdateCluster lightsail:UpdateRelationalDatabase rds:ModifyDBCluster rds:ModifyDBInstance redshift:ModifyCluster redshift-serverless:UpdateNamespace",
  ],
  [
    "credential_exposure",
    "datazone:GetEnvironmentCredentials gamelift:GetInstanceAccess codeconnections:GetConnectionToken codestar-connections:GetConnectionToken elasticache:ModifyUser events:RetrieveConnectionCredentials memorydb:UpdateUser",
  ],
  [
    "data_access",
    "kms:Decrypt s3:GetObject s3:GetObjectVersion s3:PutObject s3:DeleteObject s3:DeleteObjectVersion dynamodb:PartiQLDelete dynamodb:PartiQLInsert dynamodb:PartiQLSelect dynamodb:PartiQLUpdate dynamodb:Scan dynamodb:BatchGetItem dynamodb:ExportTableToPointInTime dynamodb:BatchWriteItem dynamodb:DeleteItem dynamodb:UpdateItem dynamodb:PutItem ssm:GetParameter ssm:GetParameters ssm:GetParametersByPath ssm:GetParameterHistory",
  ],
  [
    "resource_exposure",
    "backup:PutBackupVaultSharingPolicy codeartifact:PutDomainPermissionsPolicy codeartifact:PutRepositoryPermissionsPolicy es:UpdateDomainConfig ecr:PutRegistryPolicy logs:PutDestinationPolicy redshift:AuthorizeDataShare s3:CreateAccessGrant s3:PutAccessPointPolicyForObjectLambda s3-outposts:PutAccessPointPolicy s3-outposts:PutBucketPolicy s3express:PutAccessPointPolicy s3express:PutBucketPolicy s3files:PutFileSystemPolicy s3tables:PutTablePolicy",
  ],
  [
    "resource_exposure",
    "bedrock:DeleteModelInvocationLoggingConfiguration controltower:DisableBaseline controltower:DisableControl ec2:ModifyVpcBlockPublicAccessOptions guardduty:DeleteMembers guardduty:DisassociateMembers guardduty:StopMonitoringMembers network-firewall:DeleteFirewall organizations:DisableAWSServiceAccess organizations:MoveAccount s3:PutReplicationConfiguration cloudtrail:DeleteEventDataStore cloudtrail:UpdateTrail config:DeleteDeliveryChannel guardduty:DisassociateFromAdministratorAccount macie2:DisableMacie detective:DeleteGraph inspector2:Disable backup:DeleteRecoveryPoint secretsmanager:UpdateSecret",
  ],
  // Policies of resources under other names than PutResourcePolicy.
  [
    "resource_exposure",
    "aoss:CreateSecurityPolicy aoss:UpdateAccessPolicy aoss:UpdateSecurityPolicy apigateway:PutPortalProductSharingPolicy apigateway:UpdateDomainNameManagementPolicy apigateway:UpdateDomainNamePolicy appstream:UpdateImagePermissions cleanrooms-ml:PutConfiguredAudienceModelPolicy datazone:PutDomainSharingPolicy dsql:PutClusterPolicy ec2:ModifyVerifiedAccessEndpointPolicy ec2:ModifyVerifiedAccessGroupPolicy ecr-public:SetRepositoryPolicy entityresolution:PutPolicy imagebuilder:PutContainerRecipePolicy iot:CreatePolicyVersion kafka:PutClusterPolicy mediapackagev2:PutChannelPolicy mediapackagev2:PutOriginEndpointPolicy mediatailor:PutChannelPolicy oam:PutSinkPolicy quicksight:UpdateActionConnectorPermissions quicksight:UpdateAgentPermissions quicksight:UpdateAnalysisPermissions quicksight:UpdateAppPermissions quicksight:UpdateDataSetPermissions quicksight:UpdateDataSourcePermissions quicksight:UpdateExtensionPermissions quicksight:UpdateFlowPermissions quicksight:UpdateFolderPermissions quicksight:UpdateKnowledgeBasePermissions quicksight:UpdateSpacePermissions quicksight:UpdateThemePermissions quicksight:UpdateTopicPermissions rekognition:PutProjectPolicy route53resolver:PutFirewallRuleGroupPolicy route53resolver:PutResolverQueryLogConfigPolicy s3:PutMultiRegionAccessPointPolicy sagemaker:PutModelPackageGroupPolicy serverlessrepo:PutApplicationPolicy ses:CreateEmailIdentityPolicy ses:PutIdentityPolicy ses:UpdateEmailIdentityPolicy signer:AddProfilePermission vpc-lattice:PutAuthPolicy workmail:PutMailboxPermissions workspaces:UpdateConnectionAliasPermission workspaces:UpdateWorkspaceImagePermission",
  ],
];

const categories: ReadonlyMap<string, SensitiveCategoryId> = new Map(
  byCategory.flatMap(([category, names]) =>
    names.split(" ").map((name) => [name.toLowerCase(), category] as const),
  ),
);

/**
 * AWS calls the policy of a resource so, whatever the service: with it other accounts can be let in. Those of the catalogue
 * keep the severity that they have there.
 * @see https://docs.aws.amazon.com/IAM/latest/UserGuide/access_policies_identity-vs-resource.html
 */
const setsResourcePolicy = /^[a-z0-9-]+:(?:put|create|update)[a-z]*resourcepolicy$/;

/** @returns whether the name of an action, without its service and in AWS's spelling, may be one of that form. */
export function mayNameResourcePolicy(name: string): boolean {
  return name.endsWith("ResourcePolicy");
}

/** In lower case, without those that have the form of a name. */
export const wideOnlyActions: readonly string[] = [...categories.keys()];

/** @returns the category of an action that is `high` on every resource; undefined for others. */
export function wideOnlyCategory(name: string): SensitiveCategoryId | undefined {
  const lower = name.toLowerCase();
  const listed = categories.get(lower);
  if (listed || !setsResourcePolicy.test(lower)) return listed;
  return sensitiveActionIgnoringCase(lower) ? undefined : "resource_exposure";
}
