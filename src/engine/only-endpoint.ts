import type { Policy } from "../policy/model.ts";

/**
 * Services with VPC endpoints whose resources have no policies that a customer writes, by the prefix of their
 * actions: "No" in the column "Resource-based policies" of
 * https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_aws-services-that-work-with-iam.html.
 * The policies that AWS RAM writes for shared resources of EC2 do not count: no caller can write them. No action of the
 * others sets a policy or a permission in the reference, the stack policies of CloudFormation excepted, which are not IAM's.
 */
export const withoutResourcePolicies: ReadonlySet<string> = new Set([
  "access-analyzer",
  "acm",
  "airflow",
  "app-integrations",
  "appconfig",
  "appflow",
  "application-autoscaling",
  "applicationinsights",
  "apprunner",
  "athena",
  "auditmanager",
  "autoscaling",
  "autoscaling-plans",
  "batch",
  "billingconductor",
  "braket",
  "cloudformation",
  "cloudwatch",
  "codecommit",
  "codedeploy",
  "codeguru-reviewer",
  "codepipeline",
  "codestar-connections",
  "comprehendmedical",
  "config",
  "connect-campaigns",
  "databrew",
  "datasync",
  "devops-guru",
  "discovery",
  "dms",
  "drs",
  "ds",
  "ebs",
  "ec2",
  "ec2messages",
  "ecs",
  "elasticache",
  "elasticbeanstalk",
  "elasticmapreduce",
  "emr-containers",
  "emr-serverless",
  "evidently",
  "firehose",
  "fis",
  "forecast",
  "frauddetector",
  "geo",
  "greengrass",
  "groundstation",
  "guardduty",
  "health",
  "healthlake",
  "inspector2",
  "internetmonitor",
  "iotfleetwise",
  "iottwinmaker",
  "iotwireless",
  "kendra",
  "kinesisanalytics",
  "kinesisvideo",
  "license-manager",
  "m2",
  "macie2",
  "mediaconnect",
  "memorydb",
  "mgn",
  "migrationhub-strategy",
  "monitron",
  "mq",
  "panorama",
  "personalize",
  "pi",
  "pipes",
  "polly",
  "proton",
  "rbin",
  "rds",
  "rds-data",
  "redshift-data",
  "robomaker",
  "rolesanywhere",
  "scheduler",
  "securityhub",
  "servicequotas",
  "simspaceweaver",
  "snow-device-management",
  "ssmmessages",
  "states",
  "storagegateway",
  "swf",
  "synthetics",
  "textract",
  "tnb",
  "transcribe",
  "transfer",
  "translate",
  "voiceid",
  "workspaces-web",
]);

/**
 * Whether a policy with principals whose type is not declared can only be that of a VPC endpoint: no service of
 * its actions has resources with policies, so it lets in no caller by itself.
 */
export function isOnlyForEndpoint({
  type,
  typeSource,
  statements,
}: Pick<Policy, "type" | "typeSource" | "statements">): boolean {
  if (type !== "RESOURCE_POLICY" || typeSource !== "auto-detect") return false;
  return (
    statements.length > 0 &&
    statements.every(
      ({ actions, notActions }) =>
        actions.length > 0 &&
        notActions.length === 0 &&
        actions.every(({ text }) => withoutResourcePolicies.has(prefixOf(text))),
    )
  );
}

function prefixOf(action: string): string {
  return action.slice(0, Math.max(0, action.indexOf(":"))).toLowerCase();
}
