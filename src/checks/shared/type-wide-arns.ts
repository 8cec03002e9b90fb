import { globMatches, globsOverlap } from "../../policy/wildcard.ts";
import type { PolicyArn } from "../../services/arn-overlap.ts";

/**
 * Actions without a resource type in the reference that AWS nevertheless compares with an ARN, so an
 * entry that covers it works. `region` and `account` are those of the call.
 *
 * - `s3:ListAllMyBuckets`:
 *   https://docs.aws.amazon.com/AmazonS3/latest/userguide/example-policies-s3.html
 * - the others are observed: AWS's denials name the ARN. Their actions:
 *   https://docs.aws.amazon.com/service-authorization/latest/reference/reference_policies_actions-resources-contextkeys.html
 */
const typeWide: ReadonlyMap<string, { readonly service: string; readonly resource: string }> =
  new Map([
    ["s3:listallmybuckets", { service: "s3", resource: "*" }],
    ["iam:listroles", { service: "iam", resource: "role/" }],
    ["iam:listusers", { service: "iam", resource: "user/" }],
    ["iam:listgroups", { service: "iam", resource: "group/" }],
    ["logs:describeloggroups", { service: "logs", resource: "log-group::log-stream:" }],
    ["dynamodb:listtables", { service: "dynamodb", resource: "table/*" }],
    ["ssm:describeparameters", { service: "ssm", resource: "*" }],
    ["sns:listtopics", { service: "sns", resource: "*" }],
    ["sqs:listqueues", { service: "sqs", resource: "" }],
    ["events:listrules", { service: "events", resource: "rule/*" }],
    ["states:liststatemachines", { service: "states", resource: "stateMachine:*" }],
  ]);

/**
 * @param action `service:Name`, in any letter case.
 * @returns whether the ARN of a policy covers the one that AWS compares the action with.
 */
export function coversTypeWideArn(action: string, arn: PolicyArn): boolean {
  const wide = typeWide.get(action.toLowerCase());
  return (
    wide !== undefined &&
    globsOverlap(arn.service, wide.service) &&
    globMatches(arn.resource, wide.resource)
  );
}
