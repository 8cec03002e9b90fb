import { z } from "zod";
import { ConfiguredSeverity } from "../../spec/severity.ts";
import { defineCheck } from "../engine/check.ts";
import type { Policy, Statement } from "../policy/model.ts";
import { typesChecked } from "../policy/type-facts.ts";
import { isAnyAction, isOnlyWildcards } from "../policy/wildcard.ts";
import { isGrantedByResource, usualFirst } from "../services/domain-policy.ts";
import type { Action, ActionMatch } from "../services/model.ts";
import { actionsOf } from "../services/statement-actions.ts";
import { wholeGrant } from "./service-wildcard/grant.ts";
import { readingPatterns } from "./service-wildcard/patterns.ts";
import { readCondition } from "./shared/condition-limits.ts";
import { joinWords } from "./shared/quote.ts";
import { textOption, textOptions } from "./shared/text-options.ts";
import { fillIn, listed } from "./shared/texts.ts";

const placeholders = "{action} as written, {service} in lower case";
const tagOperators: ReadonlySet<string> = new Set([
  "StringEquals",
  "StringLike",
  "StringEqualsIgnoreCase",
]);

export const serviceWildcard = defineCheck({
  check_id: "service_wildcard",
  default_severity: "high",
  description: "An Allow statement does not grant every action of a service.",
  docstring: `Reports each entry such as \`iam:*\` in the \`Action\` of an Allow statement, unless \`allowed_services\` names the service. \`s3:Get*\` and other patterns that leave something out are not reported here.

The severity is \`high\`, and lower where less can go wrong: \`medium\` on named resources, on resources that must carry a tag, and for services that people use whole and that hold no data or permissions, such as AWS Support and Cost Explorer, \`low\` in the policy of a resource whose principals are named, and for services that only read or have at most 5 actions in the reference data. The statement of the default key policy, \`kms:*\` for the account, is not reported. What a Deny of the same policy takes back does not count. A configured severity is used as it is.

A grant to resources that carry the caller's own tag value (\`aws:ResourceTag/owner\` compared with \`\${aws:PrincipalTag/owner}\`) is reported with \`abac_mitigated_severity\`: what the caller can reach is then limited, what it can do there is not.`,
  risk_explanation:
    "A whole service mixes reading with writing, deleting and giving permissions to others, and it " +
    "grows with each action that AWS adds.",
  risk_category: "privilege_escalation",
  documentation_url:
    "https://docs.aws.amazon.com/IAM/latest/UserGuide/best-practices.html#grant-least-privilege",
  remediation_steps: [
    "List the actions that are used, or patterns with a verb such as Get* and List*",
    "Put deletion and permission management into separate statements",
    "Where owners manage their own resources, compare resource tags with tags of the caller",
  ],
  applies_to_policy_types: typesChecked("grants"),
  options: z.strictObject({
    allowed_services: z
      .array(z.string())
      .default(["logs", "cloudwatch", "xray"])
      .describe("Service prefixes, any letter case, that may be granted whole."),
    abac_mitigated_severity: ConfiguredSeverity.default("low").describe(
      "Severity when tags of the caller limit the grant; none: no finding then.",
    ),
    abac_mitigated_message: textOption(
      "Replaces the built-in message when tags of the caller limit the grant.",
      placeholders,
    ),
    ...textOptions(placeholders),
  }),
  issue_types: {
    overly_permissive: {
      severity: ["high", "medium", "low"],
      when: "An Allow statement grants a whole service; medium on named resources, on resources with a tag and for services such as AWS Support, low for named principals and for small or reading services, `abac_mitigated_severity` when tags limit it.",
    },
  },
  examples: {
    bad: [
      {
        title: "An application that may do anything with queues, deleting them included.",
        policy: {
          Version: "2012-10-17",
          Statement: [
            {
              Sid: "UseTheQueues",
              Effect: "Allow",
              Action: "sqs:*",
              Resource: "arn:aws:sqs:eu-central-1:111122223333:orders-*",
            },
          ],
        },
      },
    ],
    good: [
      {
        title: "The application sends and receives.",
        policy: {
          Version: "2012-10-17",
          Statement: [
            {
              Sid: "UseTheQueues",
              Effect: "Allow",
              Action: ["sqs:SendMessage", "sqs:ReceiveMessage", "sqs:DeleteMessage"],
              Resource: "arn:aws:sqs:eu-central-1:111122223333:orders-*",
            },
          ],
        },
      },
    ],
  },

  concerns: (statement, { match }) => statement.allows && !actionsOf(statement, match).areNames,

  *runStatement(statement, context) {
    const { options, match } = context;
    const limit = limitByTags(statement);
    for (const { text: action, node } of statement.actions) {
      const service = wholeService(action);
      if (service === null || isAllowed(service, options.allowed_services)) continue;
      const grant = wholeGrant(action, statement, context);
      // Each action of the service has been compared with each resource.
      yield null;
      if (!grant) continue;
      const meaning = match(action);
      const fill = (template: string) => fillIn(template, { action, service });
      const own = limit === null ? options.message : options.abac_mitigated_message;
      yield {
        issue_type: "overly_permissive",
        node,
        field_name: "action",
        action,
        severity:
          limit === null
            ? (context.configuredSeverity ?? grant.severity)
            : options.abac_mitigated_severity,
        message: own === null ? `${grant.sentence}${limit ?? ""}` : fill(own),
        suggestion:
          options.suggestion === null ? suggest(meaning, context.policy) : fill(options.suggestion),
        example: options.example && fill(options.example),
      };
    }
  },
});

/** @returns the service, in lower case, that an entry such as `ec2:*` grants whole; else null. */
function wholeService(action: string): string | null {
  const service = isAnyAction(action) ? undefined : /^([^:]+):\*+$/.exec(action)?.[1];
  return service?.toLowerCase() ?? null;
}

function isAllowed(service: string, allowed: readonly string[]): boolean {
  return allowed.some((one) => one.toLowerCase() === service);
}

/**
 * What a test of the resource's tag against that of the caller leaves, for the message; null where there is none, or
 * where every resource passes it.
 */
function limitByTags(statement: Statement): string | null {
  const entry = readCondition(statement).entries.find(
    ({ entry: { operator, keyLower, values }, passesWhenAbsent }) =>
      tagOperators.has(operator?.base.name ?? "") &&
      keyLower.startsWith("aws:resourcetag/") &&
      !passesWhenAbsent &&
      values.some(({ text }) => isOfCaller(text)) &&
      !values.some(({ text }) => isOnlyWildcards(text)),
  )?.entry;
  if (!entry) return null;
  const others = [
    ...(entry.values.every(({ text }) => isOfCaller(text)) ? [] : ["another value that is listed"]),
    ...(entry.operator?.ifExists ? ["no such tag"] : []),
  ];
  return ` Tags of the caller limit it to resources that carry ${joinWords(["the same value", ...others], 0, "or")}.`;
}

function isOfCaller(text: string): boolean {
  return text.toLowerCase().includes("${aws:principaltag/");
}

const reads = ({ accessLevel }: Action) => accessLevel === "read" || accessLevel === "list";

function suggest(meaning: ActionMatch, { type }: Policy): string {
  if (meaning.kind !== "pattern") return "Name the actions that are called.";
  const granted = meaning.actions.filter(({ qualified }) => isGrantedByResource(qualified));
  const isWhole = granted.length === meaning.actions.length || type !== "RESOURCE_POLICY";
  const patterns = isWhole ? readingPatterns(meaning.service) : [];
  if (patterns.length > 0) {
    return `Name the actions that are called, or patterns with a verb such as ${listed(patterns)}.`;
  }
  const shown = isWhole ? meaning.actions : usualFirst(granted).filter(reads);
  const names = shown.map(({ qualified }) => qualified);
  return `Name the actions that are called, such as ${listed(names.slice(0, 2))}.`;
}
