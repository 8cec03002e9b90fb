/**
 * Keys of services by which a policy says what an action may touch, for whom, or where results go, best
 * first. The other keys of a service describe a property of the request (a size, an algorithm, a version),
 * and a condition on one seldom separates what should be allowed from what should not.
 * `…` is the rest of a key that the author chooses.
 * @see https://docs.aws.amazon.com/service-authorization/latest/reference/reference_policies_actions-resources-contextkeys.html
 */
export const limitingKeys: Readonly<Record<string, readonly string[]>> = {
  acm: ["acm:DomainNames"],
  "acm-pca": ["acm-pca:TemplateArn"],
  backup: ["backup:CopyTargets", "backup:CopyTargetOrgPaths"],
  batch: ["batch:EKSNamespace", "batch:Image"],
  bedrock: ["bedrock:GuardrailIdentifier", "bedrock:InferenceProfileArn"],
  cloudformation: [
    "cloudformation:RoleArn",
    "cloudformation:TemplateUrl",
    "cloudformation:TypeArn",
  ],
  cloudwatch: ["cloudwatch:namespace"],
  codecommit: ["codecommit:References"],
  dynamodb: ["dynamodb:LeadingKeys", "dynamodb:Attributes"],
  ec2: [
    "ec2:Vpc",
    "ec2:Subnet",
    "ec2:Owner",
    "ec2:InstanceProfile",
    "ec2:CreateAction",
    "ec2:Add/userId",
  ],
  ecs: ["ecs:cluster", "ecs:service", "ecs:task-definition", "ecs:container-name"],
  eks: ["eks:principalArn", "eks:policyArn", "eks:namespaces"],
  elasticfilesystem: ["elasticfilesystem:AccessPointArn"],
  elasticmapreduce: ["elasticmapreduce:ExecutionRoleArn"],
  events: ["events:source", "events:detail-type", "events:TargetArn"],
  iam: [
    "iam:PermissionsBoundary",
    "iam:PolicyARN",
    "iam:PassedToService",
    "iam:AssociatedResourceArn",
    "iam:AWSServiceName",
  ],
  kms: ["kms:ViaService", "kms:EncryptionContext:…", "kms:RequestAlias"],
  lambda: ["lambda:FunctionArn", "lambda:Principal", "lambda:Layer"],
  logs: ["logs:LogGeneratingResourceArns", "logs:DeliveryDestinationResourceArn"],
  organizations: ["organizations:ServicePrincipal", "organizations:PolicyType"],
  ram: ["ram:Principal", "ram:ResourceArn", "ram:RequestedResourceType"],
  redshift: ["redshift:DbName", "redshift:DbUser"],
  route53: ["route53:ChangeResourceRecordSetsNormalizedRecordNames", "route53:VPCs"],
  s3: ["s3:prefix", "s3:ExistingObjectTag/…", "s3:DataAccessPointAccount"],
  ses: ["ses:FromAddress", "ses:Recipients"],
  sns: ["sns:Endpoint", "sns:Protocol"],
  wafv2: ["wafv2:LogDestinationResource"],
};
