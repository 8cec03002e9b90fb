import { z } from "zod";
import { type ConfiguredSeverity, severityRank } from "../../spec/severity.ts";
import { defineCheck } from "../engine/check.ts";
import { hasWildcard, isAnyResource } from "../policy/wildcard.ts";
import { quote } from "./shared/quote.ts";
import { textOptions } from "./shared/text-options.ts";
import { listed } from "./shared/texts.ts";
import { type BroadEntry, broadEntries, isBroad } from "./wildcard-resource/broad.ts";
import { correctionOf } from "./wildcard-resource/correction.ts";
import { allowedWildcards, badPolicy, goodPolicy } from "./wildcard-resource/facts.ts";
import { namedResources } from "./wildcard-resource/fix.ts";
import { keptActions } from "./wildcard-resource/kept.ts";
import { type ResourceLimit, resourceLimit } from "./wildcard-resource/limits.ts";
import { onlyDescribe } from "./wildcard-resource/reading.ts";
import { kindsOf, suggestionFor, whatFor } from "./wildcard-resource/wording.ts";

export const wildcardResource = defineCheck({
  check_id: "wildcard_resource",
  default_severity: "medium",
  description: "An Allow statement does not reach all resources where it could name some.",
  docstring: `Reports an Allow statement on \`*\`, or on an ARN that is just as broad (\`arn:aws:s3:::*\`, \`arn:aws:kms:*:*:*\`), for actions that can be limited to named resources.

Actions without resource types in the AWS service data need \`*\` and are not reported. Neither are the actions of \`allowed_wildcards\`, mostly reading ones; a bare \`*\` action is never excused.

The severity falls to \`low\` when a condition limits the resources: by \`aws:ResourceAccount\`, \`s3:ResourceAccount\`, \`aws:ResourceOrgID\` or \`aws:ResourceOrgPaths\`, or by tags or service keys that the actions concerned support (\`cloudwatch:namespace\`, \`dynamodb:LeadingKeys\`, \`iam:AWSServiceName\`, \`kms:ViaService\` and the like). \`aws:RequestTag/…\` and \`aws:TagKeys\` limit only actions that create what they tag. A negated operator, \`IfExists\`, or a value that matches everything limits nothing. It also falls to \`low\` where the actions that take resources, beside those of \`allowed_wildcards\`, only describe or list them: they read no data, no secrets and no permissions.

An entry whose actions all need \`*\`, or are unknown, is not reported here.

In the policy of a resource \`*\` means that resource, so only identity policies are checked.`,
  risk_explanation:
    "A permission that was meant for one resource reaches all of them, in other environments too, " +
    "and all that are created later.",
  risk_category: "resource_exposure",
  documentation_url:
    "https://docs.aws.amazon.com/IAM/latest/UserGuide/best-practices.html#grant-least-privilege",
  remediation_steps: [
    "Name resource ARNs, with wildcards only in the last part",
    "Move actions without resource types to a separate statement with Resource *",
    "If resources cannot be named, limit them with aws:ResourceAccount, aws:ResourceOrgID or resource tags",
  ],
  applies_to_policy_types: ["IDENTITY_POLICY"],
  options: z.strictObject({
    allowed_wildcards: z
      .array(z.string())
      .default([...allowedWildcards])
      .describe("Actions, wildcards allowed, that may have Resource `*`; an empty list: none."),
    ...textOptions(),
  }),
  issue_types: {
    overly_permissive: {
      severity: "check",
      when: "An Allow statement reaches all resources; at most low when a condition limits them, or the actions only describe them.",
    },
  },
  examples: { bad: [badPolicy], good: [goodPolicy] },

  concerns: ({ allows, resources }) => allows && resources.some(isBroad),

  *runStatement(statement, context) {
    const broad = broadEntries(statement.resources);
    const [first] = broad;
    if (!first) return;
    const { options } = context;
    const kept = keptActions(statement, broad, options.allowed_wildcards, context);
    const kinds = kindsOf(kept, statement, context);
    if (kinds.limitable.every(({ isExcused }) => isExcused)) return;
    const limit = resourceLimit(statement, kept.actions);
    const isReading = limit.kind !== "limited" && onlyDescribe(kinds.limitable);
    const message = `${reach(first)}${whatFor(kinds)}.`;
    yield {
      issue_type: "overly_permissive",
      node: first.entry.node,
      field_name: "resource",
      severity: lowered(context.severity, limit.kind === "limited" || isReading),
      message: [options.message ?? message, reason(limit), isReading ? readingReason : ""]
        .filter((part) => part)
        .join(" "),
      suggestion: options.suggestion ?? suggestionFor(kinds),
      example: options.example,
      correction: () => correctionOf(statement, broad, kept.actions, context),
      fix: () => namedResources(statement, broad, kept, context),
    };
  },
});

function reach({ entry: { text }, service }: BroadEntry): string {
  if (isAnyResource(text)) return `${quote(text)} reaches every resource`;
  const what = service === null ? "every resource" : `every resource of ${quote(service)}`;
  return `${quote(text)} does not name a resource and reaches ${what}`;
}

const readingReason = "They change nothing, so the severity is lower.";

function lowered(severity: ConfiguredSeverity, isLess: boolean): ConfiguredSeverity {
  return isLess && severityRank[severity] > severityRank.low ? "low" : severity;
}

function reason(limit: ResourceLimit): string {
  switch (limit.kind) {
    case "limited":
      return `The condition on ${listed(limit.keys, 5)} limits what the statement reaches, so the severity is lower.`;
    case "unsupported_keys":
      // Actions that only tag support these keys, for the tags.
      if (limit.keys.every((key) => /^aws:(?:RequestTag\/|TagKeys$)/i.test(key))) {
        return `The condition on ${listed(limit.keys, 5)} limits which tags are set, not the resources.`;
      }
      if (limit.actions.every(hasWildcard)) {
        return `The condition on ${listed(limit.keys, 5)} limits only the actions that support it, and not every action of ${listed(limit.actions, 3)} does.`;
      }
      return `The condition on ${listed(limit.keys, 5)} does not limit the resources: ${listed(limit.actions, 3)} ${
        limit.actions.length === 1 ? "does" : "do"
      } not support it.`;
    default:
      return "";
  }
}
