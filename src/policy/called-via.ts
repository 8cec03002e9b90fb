/**
 * Values of `aws:CalledViaLast` that AWS documents although its own policy check refuses their two names.
 * https://docs.aws.amazon.com/emr/latest/EMR-Serverless-UserGuide/security-iam-user-access-policies.html
 */
export const documentedCallers: ReadonlySet<string> = new Set(["ops.emr-serverless.amazonaws.com"]);
