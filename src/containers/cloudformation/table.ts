import type { PolicyType } from "../../../spec/policy.ts";

/** A property that holds a policy document. */
export interface PolicyProperty {
  /** Path below `Properties`; `[]` is every entry of a list, `*` every member of an object. */
  readonly path: string;
  /** `organizations`: decided by the property `Type` of the resource. */
  readonly type: PolicyType | "organizations";
  /** Action prefix of the service that owns the resource; null: the policy belongs to an identity. */
  readonly service: string | null;
  /** `statements`: a list of statements, or one, without a document around them. */
  readonly form?: "statements";
  /** Property that names the resource the policy is attached to, or lists them. */
  readonly attachedBy?: string;
  /** The policy is that of another resource, which is not followed. */
  readonly isOfOther?: true;
}

const of =
  (type: PolicyProperty["type"], service: string | null = null) =>
  (...paths: string[]): PolicyProperty[] =>
    paths.map((path) => ({ path, type, service }));

const identity = of("IDENTITY_POLICY");
const trust = of("TRUST_POLICY");
const session = of("SESSION_POLICY");
const endpoint = of("ENDPOINT_POLICY");
const resource = (service: string, ...paths: string[]) => of("RESOURCE_POLICY", service)(...paths);
const attachedBy = (property: string, rows: readonly PolicyProperty[]): PolicyProperty[] =>
  rows.map((row) => ({ ...row, attachedBy: property }));
const statements = (service: string, path: string): PolicyProperty[] => [
  { path, type: "RESOURCE_POLICY", service, form: "statements" },
];

/**
 * What the event of a path adds to the policy of its API.
 * https://docs.aws.amazon.com/serverless-application-model/latest/developerguide/sam-property-function-apifunctionauth.html
 */
const eventStatements = statements(
  "execute-api",
  "Events.*.Properties.Auth.ResourcePolicy.CustomStatements",
).map((row): PolicyProperty => ({ ...row, isOfOther: true }));

/**
 * Every property of CloudFormation and SAM that holds an IAM policy document, by resource type without
 * `AWS::`. Decided one by one from the resource schemas; `table.test.ts` names what a
 * newer release of the schemas adds.
 * https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-template-resource-type-ref.html
 */
export const policyProperties: Readonly<Record<string, readonly PolicyProperty[]>> = {
  "IAM::Role": [...identity("Policies[].PolicyDocument"), ...trust("AssumeRolePolicyDocument")],
  "IAM::User": identity("Policies[].PolicyDocument"),
  "IAM::Group": identity("Policies[].PolicyDocument"),
  "IAM::Policy": identity("PolicyDocument"),
  "IAM::ManagedPolicy": identity("PolicyDocument"),
  "IAM::RolePolicy": identity("PolicyDocument"),
  "IAM::UserPolicy": identity("PolicyDocument"),
  "IAM::GroupPolicy": identity("PolicyDocument"),
  "SSO::PermissionSet": identity("InlinePolicy"),
  "Serverless::Function": [
    ...identity("Policies[]"),
    ...trust("AssumeRolePolicyDocument"),
    ...eventStatements,
  ],
  "Serverless::StateMachine": [...identity("Policies[]"), ...eventStatements],
  "IoT::Policy": identity("PolicyDocument"),
  "Transfer::User": session("Policy"),
  "EKS::PodIdentityAssociation": session("Policy"),
  "RolesAnywhere::Profile": session("SessionPolicy"),
  "Organizations::Policy": of("organizations")("Content"),
  "Organizations::ResourcePolicy": resource("organizations", "Content"),
  "EC2::VPCEndpoint": endpoint("PolicyDocument"),
  "ODB::OdbNetwork": endpoint("S3PolicyDocument", "KmsPolicyDocument", "StsPolicyDocument"),
  "S3::BucketPolicy": attachedBy("Bucket", resource("s3", "PolicyDocument")),
  "S3::AccessPoint": resource("s3", "Policy"),
  "S3::MultiRegionAccessPointPolicy": resource("s3", "Policy"),
  "FSx::S3AccessPointAttachment": resource("s3", "S3AccessPoint.Policy"),
  "S3Express::BucketPolicy": attachedBy("Bucket", resource("s3express", "PolicyDocument")),
  "S3Express::AccessPoint": resource("s3express", "Policy"),
  "S3Tables::TableBucketPolicy": resource("s3tables", "ResourcePolicy"),
  "S3Tables::TablePolicy": resource("s3tables", "ResourcePolicy"),
  "S3Vectors::VectorBucketPolicy": resource("s3vectors", "Policy"),
  "S3Files::FileSystemPolicy": resource("s3files", "Policy"),
  "S3ObjectLambda::AccessPointPolicy": resource("s3-object-lambda", "PolicyDocument"),
  "S3Outposts::BucketPolicy": resource("s3-outposts", "PolicyDocument"),
  "S3Outposts::AccessPoint": resource("s3-outposts", "Policy"),
  "SNS::TopicPolicy": attachedBy("Topics", resource("sns", "PolicyDocument")),
  "SNS::TopicInlinePolicy": attachedBy("TopicArn", resource("sns", "PolicyDocument")),
  "SQS::QueuePolicy": attachedBy("Queues", resource("sqs", "PolicyDocument")),
  "SQS::QueueInlinePolicy": attachedBy("Queue", resource("sqs", "PolicyDocument")),
  "KMS::Key": resource("kms", "KeyPolicy"),
  "KMS::ReplicaKey": resource("kms", "KeyPolicy"),
  "PaymentCryptography::Key": resource("payment-cryptography", "Policy"),
  "SecretsManager::ResourcePolicy": attachedBy(
    "SecretId",
    resource("secretsmanager", "ResourcePolicy"),
  ),
  "SSM::ResourcePolicy": resource("ssm", "Policy"),
  "ECR::Repository": resource("ecr", "RepositoryPolicyText"),
  "ECR::RepositoryCreationTemplate": resource("ecr", "RepositoryPolicy"),
  "ECR::RegistryPolicy": resource("ecr", "PolicyText"),
  "ECR::PublicRepository": resource("ecr-public", "RepositoryPolicyText"),
  "Lambda::ResourcePolicy": resource("lambda", "PolicyDocument"),
  "DynamoDB::Table": resource(
    "dynamodb",
    "ResourcePolicy.PolicyDocument",
    "StreamSpecification.ResourcePolicy.PolicyDocument",
  ),
  "DynamoDB::GlobalTable": resource(
    "dynamodb",
    "Replicas[].ResourcePolicy.PolicyDocument",
    "Replicas[].ReplicaStreamSpecification.ResourcePolicy.PolicyDocument",
  ),
  "DSQL::Cluster": resource("dsql", "PolicyDocument"),
  "Kinesis::ResourcePolicy": attachedBy("ResourceArn", resource("kinesis", "ResourcePolicy")),
  "MSK::ClusterPolicy": attachedBy("ClusterArn", resource("kafka", "Policy")),
  "Events::EventBusPolicy": attachedBy("EventBusName", statements("events", "Statement")),
  "Events::EventBus": resource("events", "Policy"),
  "EventsV2::ResourcePolicy": resource("events", "PolicyDocument"),
  "EventSchemas::RegistryPolicy": resource("schemas", "Policy"),
  "Logs::ResourcePolicy": resource("logs", "PolicyDocument"),
  "Logs::Destination": resource("logs", "DestinationPolicy"),
  "Logs::DeliveryDestination": resource(
    "logs",
    "DeliveryDestinationPolicy.DeliveryDestinationPolicy",
  ),
  "Logs::LogGroup": resource("logs", "ResourcePolicyDocument"),
  "XRay::ResourcePolicy": resource("xray", "PolicyDocument"),
  "Oam::Sink": resource("oam", "Policy"),
  "APS::ResourcePolicy": resource("aps", "PolicyDocument"),
  "RUM::AppMonitor": resource("rum", "ResourcePolicy.PolicyDocument"),
  "AIOps::InvestigationGroup": resource("aiops", "InvestigationGroupPolicy"),
  "Elasticsearch::Domain": resource("es", "AccessPolicies"),
  "OpenSearchService::Domain": resource("es", "AccessPolicies"),
  "OSIS::Pipeline": resource("osis", "ResourcePolicy.Policy"),
  "ApiGateway::RestApi": resource("execute-api", "Policy", "Body.x-amazon-apigateway-policy"),
  "ApiGateway::DomainNameV2": resource("execute-api", "Policy"),
  "Serverless::Api": [
    ...statements("execute-api", "Auth.ResourcePolicy.CustomStatements"),
    ...resource("execute-api", "DefinitionBody.x-amazon-apigateway-policy"),
    // https://docs.aws.amazon.com/serverless-application-model/latest/developerguide/sam-resource-api.html
    ...resource("execute-api", "Policy"),
    ...resource("execute-api", "Domain.Policy"),
  ],
  "EFS::FileSystem": resource("elasticfilesystem", "FileSystemPolicy"),
  "Backup::BackupVault": resource("backup", "AccessPolicy"),
  "Backup::LogicallyAirGappedBackupVault": resource("backup", "AccessPolicy"),
  "CodeArtifact::Domain": resource("codeartifact", "PermissionsPolicyDocument"),
  "CodeArtifact::Repository": resource("codeartifact", "PermissionsPolicyDocument"),
  "CloudTrail::ResourcePolicy": attachedBy("ResourceArn", resource("cloudtrail", "ResourcePolicy")),
  "Bedrock::ResourcePolicy": attachedBy("ResourceArn", resource("bedrock", "PolicyDocument")),
  "Bedrock::KnowledgeBasePolicy": resource("bedrock", "PolicyDocument"),
  "BedrockAgentCore::ResourcePolicy": resource("bedrock-agentcore", "Policy"),
  "SageMaker::ModelPackageGroup": resource("sagemaker", "ModelPackageGroupPolicy"),
  "Comprehend::DocumentClassifier": resource("comprehend", "ModelPolicy"),
  "Comprehend::EntityRecognizer": resource("comprehend", "ModelPolicy"),
  "Lex::ResourcePolicy": resource("lex", "Policy"),
  "Redshift::Cluster": resource("redshift", "NamespaceResourcePolicy"),
  "RedshiftServerless::Namespace": resource("redshift-serverless", "NamespaceResourcePolicy"),
  "MediaStore::Container": resource("mediastore", "Policy"),
  "MediaPackageV2::ChannelPolicy": resource("mediapackagev2", "Policy"),
  "MediaPackageV2::OriginEndpointPolicy": resource("mediapackagev2", "Policy"),
  "MediaTailor::ChannelPolicy": resource("mediatailor", "Policy"),
  "VpcLattice::AuthPolicy": resource("vpc-lattice-svcs", "Policy"),
  "VpcLattice::ResourcePolicy": attachedBy("ResourceArn", resource("vpc-lattice", "Policy")),
  "Omics::SequenceStore": resource("omics", "S3AccessPolicy"),
  "SMSVOICE::ResourcePolicy": resource("sms-voice", "PolicyDocument"),
};

/** Properties that hold another template, as text. */
export const templateProperties: Readonly<Record<string, string>> = {
  "CloudFormation::StackSet": "TemplateBody",
  "Config::ConformancePack": "TemplateBody",
};

/**
 * Properties that look like policies and are not IAM policies: Cedar, data protection, life cycles, ARNs,
 * network policies, message filters. For the test that compares the table with the schemas.
 * @internal
 */
export const notPolicies: readonly string[] = [
  "BedrockAgentCore::Policy.Definition",
  "Config::ConfigRule.Source.CustomPolicyDetails.PolicyText",
  "Config::OrganizationConfigRule.OrganizationCustomPolicyRuleMetadata.PolicyText",
  "EC2::VerifiedAccessEndpoint.PolicyDocument",
  "EC2::VerifiedAccessGroup.PolicyDocument",
  "ECR::Repository.LifecyclePolicy.LifecyclePolicyText",
  "ECR::RepositoryCreationTemplate.LifecyclePolicy",
  "IVS::Channel.MultitrackInputConfiguration.Policy",
  "Logs::AccountPolicy.PolicyDocument",
  "Logs::LogGroup.DataProtectionPolicy",
  "Logs::LogGroup.FieldIndexPolicies[]",
  "MPA::ApprovalTeam.Policies",
  "MediaStore::Container.LifecyclePolicy",
  "NetworkManager::CoreNetwork.PolicyDocument",
  "OpenSearchServerless::AccessPolicy.Policy",
  "OpenSearchServerless::LifecyclePolicy.Policy",
  "OpenSearchServerless::SecurityPolicy.Policy",
  "RAM::Permission.PolicyTemplate",
  "Route53::TrafficPolicy.Document",
  "SES::ReceiptFilter.Filter.IpFilter.Policy",
  "SNS::Subscription.DeliveryPolicy",
  "SNS::Subscription.FilterPolicy",
  "SNS::Subscription.RedrivePolicy",
  "SNS::Subscription.ReplayPolicy",
  "SNS::Topic.ArchivePolicy",
  "SNS::Topic.DataProtectionPolicy",
  "SQS::Queue.RedriveAllowPolicy",
  "SQS::Queue.RedrivePolicy",
  "SSM::Document.Content",
  "SSM::Parameter.Policies",
  "VerifiedPermissions::Policy.Definition",
  "VerifiedPermissions::PolicyTemplate.Statement",
  "WellArchitected::AgentContext.Content",
  "WorkSpacesWeb::BrowserSettings.BrowserPolicy",
];
