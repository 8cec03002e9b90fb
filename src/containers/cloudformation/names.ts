import type { Like } from "../unknowns.ts";

/** What is known of the names of a resource type. */
export interface ResourceNames {
  /** What `Ref` gives. */
  readonly ref: "name" | "arn" | "text";
  /** Form of the ARN that `Fn::GetAtt X.Arn` gives, or `Ref` where that is an ARN. */
  readonly arn?: string;
  /** Attribute that gives the ARN; default: `Arn`. */
  readonly attribute?: string;
  /** Property that gives the name, if it is literal. */
  readonly property?: string;
  /** What the property has before the name. Absent: nothing. */
  readonly prefix?: string;
  /** Attribute that gives the name, where `Ref` does not. */
  readonly nameAttribute?: string;
}

const regional = (service: string, rest: string) =>
  `arn:{partition}:${service}:{region}:{account}:${rest}`;
const global = (service: string, rest: string) => `arn:{partition}:${service}::{account}:${rest}`;

/**
 * Return values of resource types that policies refer to, without `AWS::`. `Ref` and `Fn::GetAtt` of
 * every other type give text that may be anything.
 * https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-template-resource-type-ref.html
 */
export const resourceNames: Readonly<Record<string, ResourceNames>> = {
  "S3::Bucket": { ref: "name", arn: "arn:{partition}:s3:::{name}", property: "BucketName" },
  "DynamoDB::Table": {
    ref: "name",
    arn: regional("dynamodb", "table/{name}"),
    property: "TableName",
  },
  "DynamoDB::GlobalTable": {
    ref: "name",
    arn: regional("dynamodb", "table/{name}"),
    property: "TableName",
  },
  "Serverless::SimpleTable": {
    ref: "name",
    arn: regional("dynamodb", "table/{name}"),
    property: "TableName",
  },
  "SQS::Queue": {
    ref: "text",
    arn: regional("sqs", "{name}"),
    property: "QueueName",
    nameAttribute: "QueueName",
  },
  "SNS::Topic": {
    ref: "arn",
    arn: regional("sns", "{name}"),
    attribute: "TopicArn",
    property: "TopicName",
    nameAttribute: "TopicName",
  },
  "Lambda::Function": {
    ref: "name",
    arn: regional("lambda", "function:{name}"),
    property: "FunctionName",
  },
  "Serverless::Function": {
    ref: "name",
    arn: regional("lambda", "function:{name}"),
    property: "FunctionName",
  },
  "StepFunctions::StateMachine": {
    ref: "arn",
    arn: regional("states", "stateMachine:{name}"),
    nameAttribute: "Name",
  },
  "Serverless::StateMachine": {
    ref: "arn",
    arn: regional("states", "stateMachine:{name}"),
    nameAttribute: "Name",
  },
  "IAM::Role": { ref: "name", arn: global("iam", "role/{name}"), property: "RoleName" },
  "IAM::User": { ref: "name", arn: global("iam", "user/{name}"), property: "UserName" },
  "IAM::Group": { ref: "name", arn: global("iam", "group/{name}"), property: "GroupName" },
  "IAM::ManagedPolicy": { ref: "arn", arn: global("iam", "policy/{name}") },
  "IAM::InstanceProfile": { ref: "name", arn: global("iam", "instance-profile/{name}") },
  "IAM::OIDCProvider": {
    ref: "arn",
    arn: global("iam", "oidc-provider/{name}"),
    property: "Url",
    prefix: "https://",
  },
  "IAM::SAMLProvider": { ref: "arn", arn: global("iam", "saml-provider/{name}") },
  "KMS::Key": { ref: "text", arn: regional("kms", "key/{name}") },
  "Logs::LogGroup": {
    ref: "name",
    arn: regional("logs", "log-group:{name}:*"),
    property: "LogGroupName",
  },
  "Kinesis::Stream": { ref: "name", arn: regional("kinesis", "stream/{name}"), property: "Name" },
  "KinesisFirehose::DeliveryStream": {
    ref: "name",
    arn: regional("firehose", "deliverystream/{name}"),
    property: "DeliveryStreamName",
  },
  "SecretsManager::Secret": { ref: "arn", arn: regional("secretsmanager", "secret:{name}-a1b2c3") },
  "ECR::Repository": {
    ref: "name",
    arn: regional("ecr", "repository/{name}"),
    property: "RepositoryName",
  },
  "ECS::Cluster": { ref: "name", arn: regional("ecs", "cluster/{name}"), property: "ClusterName" },
  // With a revision: actions on task definitions work on ARNs with one only.
  "ECS::TaskDefinition": {
    ref: "arn",
    arn: regional("ecs", "task-definition/{name}:1"),
    attribute: "TaskDefinitionArn",
    property: "Family",
  },
  "CodeBuild::Project": {
    ref: "name",
    arn: regional("codebuild", "project/{name}"),
    property: "Name",
  },
  "CodeCommit::Repository": {
    ref: "text",
    arn: regional("codecommit", "{name}"),
    property: "RepositoryName",
  },
  "Events::Rule": { ref: "name", arn: regional("events", "rule/{name}"), property: "Name" },
  "Events::EventBus": {
    ref: "name",
    arn: regional("events", "event-bus/{name}"),
    property: "Name",
  },
  "EFS::FileSystem": { ref: "text", arn: regional("elasticfilesystem", "file-system/fs-0a1b2c3d") },
  "Backup::BackupVault": {
    ref: "name",
    arn: regional("backup", "backup-vault:{name}"),
    attribute: "BackupVaultArn",
    property: "BackupVaultName",
  },
  "OpenSearchService::Domain": {
    ref: "name",
    arn: regional("es", "domain/{name}"),
    property: "DomainName",
  },
  "Elasticsearch::Domain": {
    ref: "name",
    arn: regional("es", "domain/{name}"),
    property: "DomainName",
  },
  "Cognito::UserPool": {
    ref: "text",
    arn: regional("cognito-idp", "userpool/us-east-1_a1B2c3D4e"),
  },
  "CloudTrail::Trail": {
    ref: "name",
    arn: regional("cloudtrail", "trail/{name}"),
    property: "TrailName",
  },
};

/** @returns What a pseudo parameter may become; null: no pseudo parameter has that name. */
export function pseudoParameter(name: string): Like | null {
  switch (name) {
    case "AWS::Partition":
      return "partition";
    case "AWS::AccountId":
      return "account";
    case "AWS::Region":
      return "region";
    case "AWS::URLSuffix":
      return "url_suffix";
    case "AWS::StackName":
      return "name";
    case "AWS::StackId":
      return { arn: "arn:{partition}:cloudformation:{region}:{account}:stack/{name}/a1b2c3d4" };
    default:
      return name.startsWith("AWS::") ? "text" : null;
  }
}
