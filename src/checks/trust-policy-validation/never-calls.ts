import type { CheckContext, Report } from "../../engine/check.ts";
import { replaceValue } from "../../fixes/edits.ts";
import type { FixProposal } from "../../fixes/proposal.ts";
import type { PrincipalEntry, Statement } from "../../policy/model.ts";
import { serviceLabelOf } from "../principal-validation/patterns.ts";
import { quote } from "../shared/quote.ts";

/** A call that a service does not make under its own name. The pages were read on 2026-11-26. */
interface Row {
  /** Service principals without their suffix. */
  readonly services: readonly string[];
  /** Actions in lower case. */
  readonly actions: readonly string[];
  /** The principal that makes the call; absent: a role makes it. */
  readonly caller?: string;
  /** Who does what instead; a sentence. */
  readonly instead: string;
  readonly page: string;
}

const logs = ["s3:putobject", "s3:getbucketacl"];
const delivery = "delivery.logs.amazonaws.com";
const docs = "https://docs.aws.amazon.com";

const rows: readonly Row[] = [
  {
    services: ["vpc-flow-logs"],
    actions: logs,
    caller: delivery,
    instead: `Flow logs are delivered to buckets by \`${delivery}\`.`,
    page: `${docs}/vpc/latest/userguide/flow-logs-s3-permissions.html`,
  },
  {
    services: ["route53resolver"],
    actions: logs,
    caller: delivery,
    instead: `Query logs are delivered to buckets by \`${delivery}\`.`,
    page: `${docs}/Route53/latest/DeveloperGuide/resolver-query-logs-choosing-target-resource.html`,
  },
  {
    services: ["waf", "wafv2", "network-firewall"],
    actions: logs,
    caller: delivery,
    instead: `The logs of firewalls are delivered to buckets by \`${delivery}\`.`,
    page: `${docs}/waf/latest/developerguide/logging-s3.html`,
  },
  {
    services: ["elasticloadbalancing"],
    actions: logs,
    caller: "logdelivery.elasticloadbalancing.amazonaws.com",
    instead:
      "The logs of load balancers are delivered to buckets by `logdelivery.elasticloadbalancing.amazonaws.com`.",
    page: `${docs}/elasticloadbalancing/latest/application/enable-access-logging.html`,
  },
  {
    services: ["monitoring"],
    actions: ["sns:publish"],
    caller: "cloudwatch.amazonaws.com",
    instead: "Alarms publish as `cloudwatch.amazonaws.com`.",
    page: `${docs}/AmazonCloudWatch/latest/monitoring/Notify_Users_Alarm_Changes.html`,
  },
  {
    services: ["rds"],
    actions: ["sns:publish"],
    caller: "events.rds.amazonaws.com",
    instead: "Events of databases are published by `events.rds.amazonaws.com`.",
    page: `${docs}/AmazonRDS/latest/UserGuide/USER_Events.GrantingPermissions.html`,
  },
  {
    services: ["codebuild", "codedeploy", "codepipeline"],
    actions: ["sns:publish"],
    caller: "codestar-notifications.amazonaws.com",
    instead: "Notification rules publish as `codestar-notifications.amazonaws.com`.",
    page: `${docs}/dtconsole/latest/userguide/set-up-sns.html`,
  },
  {
    services: ["dynamodb", "kafka", "kinesis", "sqs"],
    actions: ["lambda:invokefunction"],
    instead: "Lambda reads from the source itself, with the role of the function.",
    page: `${docs}/lambda/latest/dg/invocation-eventsourcemapping.html`,
  },
  {
    services: ["pipes", "scheduler", "states"],
    actions: ["lambda:invokefunction", "sns:publish", "sqs:sendmessage"],
    instead: "It calls its targets with the role that it is given.",
    page: `${docs}/scheduler/latest/UserGuide/setting-up.html`,
  },
  {
    services: ["apigateway"],
    actions: ["sns:publish", "sqs:sendmessage"],
    instead: "An integration calls the service with the role that it names.",
    page: `${docs}/apigateway/latest/developerguide/integration-request-basic-setup.html`,
  },
  {
    services: ["lambda"],
    actions: ["sns:publish", "sqs:sendmessage"],
    instead: "A function, and its queue for failed events, use the role of the function.",
    page: `${docs}/lambda/latest/dg/invocation-async-retain-records.html`,
  },
];

/** Services that the policy of a resource lets in for calls which they do not make. */
export function* neverCalls(
  { allows, principals, actions }: Statement,
  { policy }: Pick<CheckContext, "policy">,
): Generator<Report> {
  if (!allows || policy.type !== "RESOURCE_POLICY") return;
  let named: ReadonlyMap<string, string> | undefined;
  for (const principal of principals) {
    const label = principal.type === "Service" ? serviceLabelOf(principal.text) : null;
    const ofService = label === null ? [] : rows.filter(({ services }) => services.includes(label));
    if (ofService.length === 0) continue;
    named ??= new Map(actions.map(({ text }) => [text.toLowerCase(), text]));
    for (const row of ofService) {
      const action = row.actions.find((one) => named?.has(one));
      if (action === undefined) continue;
      yield report(principal, named.get(action) ?? action, row);
      break;
    }
  }
}

function report({ text, node }: PrincipalEntry, action: string, row: Row): Report {
  const { caller, instead } = row;
  return {
    issue_type: "service_never_calls",
    node,
    field_name: "principal",
    action,
    message: `${quote(text)} does not call ${quote(action)} under its own name, so letting it in has no effect. ${instead}`,
    suggestion:
      caller === undefined
        ? "Remove the principal, and give that role the permission instead."
        : `Write ${quote(caller)}.`,
    fix: () => (caller === undefined ? null : replaced({ node }, caller)),
  };
}

function replaced({ node }: Pick<PrincipalEntry, "node">, caller: string): FixProposal {
  return {
    title: "Name the service that makes the call",
    effect: "changes",
    edits: [replaceValue(node, caller)],
  };
}
