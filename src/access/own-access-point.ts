import type { AccessDocument, AccessStatement, Condition } from "./document.ts";

const accessPoint = /^arn:[^:]*:s3:[^:]*:[^:]*:accesspoint\//;
const ofAccessPoint = /^s3:dataaccesspoint(?:arn|account)$/;

/**
 * The conditions that may say something of callers. In the policy of an access point its own ARN and account do not: every
 * request that the policy is about comes through it. In the policy of a bucket they delegate to the access point.
 * https://docs.aws.amazon.com/AmazonS3/latest/userguide/access-points-policies.html
 */
export function conditionsOfCallers({ statements }: AccessDocument): readonly Condition[] {
  return statements.flatMap((statement) =>
    isOfAccessPoint(statement)
      ? statement.conditions.filter(({ keyLower }) => !ofAccessPoint.test(keyLower))
      : statement.conditions,
  );
}

function isOfAccessPoint({ resource }: AccessStatement): boolean {
  if (!resource || resource.negated || resource.entries.length === 0) return false;
  return resource.entries.every((entry) => accessPoint.test(entry));
}
