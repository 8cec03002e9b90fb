import { replaceVariables } from "../../../policy/arn.ts";
import { globMatches } from "../../../policy/wildcard.ts";

const reference = "https://docs.aws.amazon.com/service-authorization/latest/reference";

/**
 * Actions for which the reference lists no resource type, and which AWS authorizes against an ARN that
 * means the whole type. Read on 2026-11-22; rows with a page of the reference rest on public denials,
 * which name this ARN. For every other action without a resource type only `*` works.
 */
const table: readonly (readonly [action: string, resource: string, page: string])[] = [
  // A single bucket's ARN does not work.
  [
    "s3:ListAllMyBuckets",
    "*",
    "https://docs.aws.amazon.com/AmazonS3/latest/userguide/example-policies-s3.html",
  ],
  ["iam:ListRoles", "role/", `${reference}/list_awsidentityandaccessmanagementiam.html`],
  ["iam:ListUsers", "user/", `${reference}/list_awsidentityandaccessmanagementiam.html`],
  ["iam:ListGroups", "group/", `${reference}/list_awsidentityandaccessmanagementiam.html`],
  [
    "logs:DescribeLogGroups",
    "log-group::log-stream:",
    `${reference}/list_amazoncloudwatchlogs.html`,
  ],
  ["dynamodb:ListTables", "table/*", `${reference}/list_amazondynamodb.html`],
  ["ssm:DescribeParameters", "*", `${reference}/list_awssystemsmanager.html`],
  ["sns:ListTopics", "*", `${reference}/list_amazonsns.html`],
  ["sqs:ListQueues", "", `${reference}/list_amazonsqs.html`],
  ["events:ListRules", "rule/*", `${reference}/list_amazoneventbridge.html`],
  ["states:ListStateMachines", "stateMachine:*", `${reference}/list_awsstepfunctions.html`],
];

const byAction = new Map(table.map(([action, resource]) => [action.toLowerCase(), resource]));

/**
 * @param action `service:Name`, any letter case.
 * @param resource The part after the fifth colon of an ARN in the policy, of the action's service.
 * @returns whether AWS authorizes the action against an ARN that this one covers.
 */
export function coversWholeType(action: string, resource: string): boolean {
  const wanted = byAction.get(action.toLowerCase());
  // A star of the table is a character of the ARN that AWS asks about.
  return wanted !== undefined && globMatches(replaceVariables(resource, "*"), wanted);
}
