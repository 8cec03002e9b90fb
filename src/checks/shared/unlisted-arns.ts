import { globMatches, globsOverlap } from "../../policy/wildcard.ts";
import type { PolicyArn } from "../../services/arn-overlap.ts";

const reference = "https://docs.aws.amazon.com/service-authorization/latest/reference";

interface Row {
  /** `service:Name`, or a service for all of its actions, in lower case. */
  readonly action: string;
  /** Of the ARN. */
  readonly service: string;
  /** The part after the fifth colon. */
  readonly resource: string;
  /** Where AWS says so; a page of the reference where public denials name this ARN. */
  readonly page: string;
}

/**
 * Actions for which the reference lists no resource type, and which AWS authorizes against an ARN that
 * means the whole type. A star of these rows is a character of the ARN that AWS asks about. For every other
 * action without a resource type only `*` works.
 */
const typeWide: readonly Row[] = [
  // The ARN of one bucket does not work.
  {
    action: "s3:listallmybuckets",
    service: "s3",
    resource: "*",
    page: "https://docs.aws.amazon.com/AmazonS3/latest/userguide/example-policies-s3.html",
  },
  ...[
    "purchasereservedcapacityofferings",
    "describereservedcapacity",
    "describereservedcapacityofferings",
  ].map((name) => ({
    action: `dynamodb:${name}`,
    service: "dynamodb",
    resource: "*",
    page: "https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/iam-policy-prevent-purchase-reserved-capacity.html",
  })),
  ...[
    ["iam:listroles", "role/", "awsidentityandaccessmanagementiam"],
    ["iam:listusers", "user/", "awsidentityandaccessmanagementiam"],
    ["iam:listgroups", "group/", "awsidentityandaccessmanagementiam"],
    ["iam:listinstanceprofiles", "instance-profile/", "awsidentityandaccessmanagementiam"],
    ["iam:listvirtualmfadevices", "mfa/", "awsidentityandaccessmanagementiam"],
    ["iam:listopenidconnectproviders", "oidc-provider/*", "awsidentityandaccessmanagementiam"],
    ["cloudformation:liststacks", "stack/*/*", "awscloudformation"],
    ["eks:listclusters", "cluster/*", "amazonelastickubernetesservice"],
    ["kafka:listclusters", "/v1/clusters", "amazonmanagedstreamingforapachekafka"],
    ["logs:describeloggroups", "log-group::log-stream:", "amazoncloudwatchlogs"],
    ["dynamodb:listtables", "table/*", "amazondynamodb"],
    ["ssm:describeparameters", "*", "awssystemsmanager"],
    ["ssm:describeinstanceinformation", "*", "awssystemsmanager"],
    ["ssm:getcommandinvocation", "*", "awssystemsmanager"],
    ["sns:listtopics", "*", "amazonsns"],
    ["sns:listsubscriptions", "*", "amazonsns"],
    ["sqs:listqueues", "", "amazonsqs"],
    ["events:listrules", "rule/*", "amazoneventbridge"],
    ["states:liststatemachines", "stateMachine:*", "awsstepfunctions"],
  ].map(([action = "", resource = "", page = ""]) => ({
    action,
    service: action.slice(0, action.indexOf(":")),
    resource,
    page: `${reference}/list_${page}.html`,
  })),
];

const links =
  "https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/CloudWatch-Unified-Cross-Account-Setup.html";
const zonalShift =
  "https://docs.aws.amazon.com/r53recovery/latest/dg/arc-zonal-shift.resource-types.html";

/**
 * ARNs of one resource that AWS authorizes an action against, and that the reference does not list for it. A star
 * of these rows is any text.
 */
const single: readonly Row[] = [
  // The answer to a task is authorized against the state machine, that of an activity against the activity. AWS's CDK
  // grants it so, too: `StateMachine.grantTaskResponse`.
  ...["states:sendtasksuccess", "states:sendtaskfailure", "states:sendtaskheartbeat"].flatMap(
    (action) =>
      ["stateMachine:*", "activity:*"].map((resource) => ({
        action,
        service: "states",
        resource,
        page: "https://docs.aws.amazon.com/step-functions/latest/dg/concept-create-iam-advanced.html",
      })),
  ),
  {
    action: "states:invokehttpendpoint",
    service: "states",
    resource: "stateMachine:*",
    page: "https://docs.aws.amazon.com/step-functions/latest/dg/call-https-apis.html",
  },
  // Routes of WebSocket APIs: API, stage and route key.
  {
    action: "execute-api:invoke",
    service: "execute-api",
    resource: "*/*/*",
    page: "https://docs.aws.amazon.com/apigateway/latest/developerguide/apigateway-websocket-control-access-iam.html",
  },
  // Policies of IoT Core.
  {
    action: "iot:describejobexecution",
    service: "iot",
    resource: "topic/$aws/things/*",
    page: "https://docs.aws.amazon.com/iot/latest/developerguide/basic-jobs-example.html",
  },
  ...["get", "update"].map((verb) => ({
    action: `greengrass:${verb}connectivityinfo`,
    service: "iot",
    resource: "thing/*",
    page: "https://docs.aws.amazon.com/greengrass/v2/developerguide/device-auth.html",
  })),
  // The policy of a cluster.
  {
    action: "kafka:getbootstrapbrokers",
    service: "kafka",
    resource: "cluster/*",
    page: "https://docs.aws.amazon.com/msk/latest/developerguide/mvpc-cluster-owner-action-policy.html",
  },
  {
    action: "bedrock:createguardrail",
    service: "bedrock",
    resource: "guardrail/*",
    page: "https://docs.aws.amazon.com/bedrock/latest/userguide/guardrail-profiles-permissions.html",
  },
  // These ARNs of users have no Region.
  ...["createuser", "createadmin", "createreader"].map((name) => ({
    action: `quicksight:${name}`,
    service: "quicksight",
    resource: "user/*",
    page: "https://docs.aws.amazon.com/quicksight/latest/user/set-iam-policy.html",
  })),
  {
    action: "codedeploy:putlifecycleeventhookexecutionstatus",
    service: "codedeploy",
    resource: "deploymentgroup:*",
    page: "https://docs.aws.amazon.com/codedeploy/latest/userguide/tutorial-lambda-sam-template.html",
  },
  {
    action: "applicationinsights:link",
    service: "applicationinsights",
    resource: "application/*",
    page: links,
  },
  {
    action: "internetmonitor:link",
    service: "internetmonitor",
    resource: "monitor/*",
    page: links,
  },
  ...[
    ["ec2", "instance/*"],
    ["ssm", "managed-instance/*"],
    ["ssm", "managed-instance-inventory/*"],
  ].map(([service = "", resource = ""]) => ({
    action: "ssm:putinventory",
    service,
    resource,
    page: `${reference}/list_awssystemsmanager.html`,
  })),
  // With a path prefix, the call is authorized against that path, which ends with a slash.
  ...["role", "user", "group", "instance-profile"].map((type) => ({
    action: `iam:list${type.replace("-", "")}s`,
    service: "iam",
    resource: `${type}/*/`,
    page: "https://docs.aws.amazon.com/systems-manager/latest/userguide/sysman-maintenance-perm-console.html",
  })),
  // A target of EventBridge may name the family, without a revision.
  {
    action: "ecs:runtask",
    service: "ecs",
    resource: "task-definition/*",
    page: "https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-use-identity-based.html",
  },
  { action: "arc-zonal-shift", service: "eks", resource: "cluster/*", page: zonalShift },
  {
    action: "arc-zonal-shift",
    service: "autoscaling",
    resource: "autoScalingGroup:*",
    page: zonalShift,
  },
];

const wideRows = Map.groupBy(typeWide, ({ action }) => action);
const singleRows = Map.groupBy(single, ({ action }) => action);

const servicesOf = (rows: readonly Row[]): ReadonlySet<string> =>
  new Set(rows.map(({ action }) => action.split(":", 1)[0] ?? action));
const wideServices = servicesOf(typeWide);
const singleServices = servicesOf(single);

/** @returns whether {@link coversTypeWideArn} may hold for an action of the service, by its prefix. */
export function hasTypeWideArns(prefix: string): boolean {
  return wideServices.has(prefix);
}

/** @returns whether {@link mayBeUnlisted} may hold for an action of the service, by its prefix. */
export function hasUnlistedArns(prefix: string): boolean {
  return singleServices.has(prefix);
}

/** @returns whether one of the two below may hold for the action, `service:Name` in any letter case. */
export function hasOwnArns(action: string): boolean {
  const name = action.toLowerCase();
  return (
    wideRows.has(name) || singleRows.has(name) || singleRows.has(name.slice(0, name.indexOf(":")))
  );
}

/**
 * @param action `service:Name`, in any letter case.
 * @returns whether an ARN of a policy covers the one that means the whole type.
 */
export function coversTypeWideArn(action: string, { service, resource }: PolicyArn): boolean {
  const rows = wideRows.get(action.toLowerCase()) ?? [];
  return rows.some(
    (row) => globsOverlap(service, row.service) && globMatches(resource, row.resource),
  );
}

/**
 * @param action `service:Name`, in any letter case.
 * @returns whether an ARN of a policy may be that of one resource that the reference does not list.
 */
export function mayBeUnlisted(action: string, { service, resource }: PolicyArn): boolean {
  const name = action.toLowerCase();
  const rows = singleRows.get(name) ?? singleRows.get(name.slice(0, name.indexOf(":"))) ?? [];
  return rows.some(
    (row) => globsOverlap(service, row.service) && globsOverlap(resource, row.resource),
  );
}
