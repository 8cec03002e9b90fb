import type { Policy } from "../policy/model.ts";

/**
 * Services with VPC endpoints whose resources have no policies that a customer writes, by the prefix of their
 * actions: "No" in the column "Resource-based policies" of
 * https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_aws-services-that-work-with-iam.html.
 * The policies that AWS RAM writes for shared resources of EC2 do not count: no caller can write them.
 */
export const withoutResourcePolicies: ReadonlySet<string> = new Set([
  "access-analyzer",
  "acm",
  "airflow",
  "application-autoscaling",
  "athena",
  "autoscaling",
  "autoscaling-plans",
  "batch",
  "cloudwatch",
  "codecommit",
  "codedeploy",
  "codepipeline",
  "config",
  "datasync",
  "dms",
  "ds",
  "ebs",
  "ec2",
  "ec2messages",
  "ecs",
  "elasticache",
  "elasticbeanstalk",
  "elasticmapreduce",
  "emr-containers",
  "fis",
  "guardduty",
  "health",
  "inspector2",
  "kendra",
  "license-manager",
  "macie2",
  "polly",
  "rds",
  "rds-data",
  "redshift-data",
  "securityhub",
  "servicequotas",
  "ssmmessages",
  "states",
  "storagegateway",
  "swf",
  "synthetics",
  "textract",
  "transcribe",
  "transfer",
  "translate",
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
