import { z } from "zod";
import { type CheckContext, defineCheck, type Report } from "../engine/check.ts";
import type { Statement } from "../policy/model.ts";
import { grantsAccess } from "../policy/type-facts.ts";
import { hasWildcard, isAnyAction, isAnyResource } from "../policy/wildcard.ts";
import { badPolicies, goodPolicies } from "./not-action-not-resource/examples.ts";
import { excludesEveryType } from "./not-action-not-resource/excluded-types.ts";
import { excludedTexts, whatStaysGranted } from "./not-action-not-resource/texts.ts";
import { pathsOfWideGrant } from "./sensitive-action/wide-paths.ts";
import { grantCondition } from "./shared/grants/grant-conditions.ts";
import { grantsOf } from "./shared/grants/grants.ts";
import { listed } from "./shared/texts.ts";

export const notActionNotResource = defineCheck({
  check_id: "not_action_not_resource",
  default_severity: "high",
  description:
    "NotAction and NotResource do not grant by exclusion, nor deny less than they seem to.",
  docstring: `Reports \`NotAction\` and \`NotResource\` in Allow statements, because they grant all that is not on the list: services, actions and resources that do not exist yet included. A condition lowers the severity for \`NotAction\`, and for \`NotResource\` where the statement names its actions; both elements together are critical whatever the configuration says.

In a Deny the same elements are the usual way to exempt something, so they are only reported for review when they reach far, with severity \`low\`. An exemption of everything (\`NotAction\` or \`NotResource\` with \`*\`) denies nothing at all and is reported with the severity of the check. In an Allow such a list grants nothing and is reported as \`low\`.

What a Deny of the same policy takes back completely is not reported.

SCPs and RCPs grant nothing, so of their Allow statements only those without effect are reported.`,
  risk_explanation:
    "A list of exceptions grants everything that is not on it, now and in future. In a Deny, an " +
    "exception that covers everything leaves a guard rail that stops no request.",
  risk_category: "privilege_escalation",
  documentation_url:
    "https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_elements_notaction.html",
  remediation_steps: [
    "List what is granted, with Action and Resource",
    "Put what must never happen into a Deny statement with explicit lists",
    "Where an exception list is meant, add a condition and write down the reason",
  ],
  options: z.strictObject({}),
  issue_types: {
    not_action_allow: {
      severity: "medium",
      when: "An Allow grants everything but the `NotAction` list, under a condition.",
    },
    not_action_allow_no_condition: {
      severity: "check",
      when: "An Allow grants everything but the `NotAction` list, without a condition.",
    },
    not_resource_broad: {
      severity: ["high", "medium"],
      when: "An Allow reaches every resource but the `NotResource` list: medium where it names its actions and a condition limits them.",
    },
    combined_not_action_not_resource: {
      severity: "critical",
      when: "An Allow has both `NotAction` and `NotResource`.",
    },
    not_action_allow_ineffective: {
      severity: "low",
      when: "An Allow excludes all actions, so it grants nothing.",
    },
    not_resource_allow_ineffective: {
      severity: "low",
      when: "An Allow excludes all resources, so it grants nothing.",
    },
    not_action_deny_review: {
      severity: "low",
      when: "A Deny on all resources exempts the `NotAction` list.",
    },
    not_action_deny_ineffective: {
      severity: "check",
      when: "A Deny exempts all actions, so it denies nothing.",
    },
    not_resource_deny_ineffective: {
      severity: "check",
      when: "A Deny exempts all resources, so it denies nothing.",
    },
    not_resource_deny_review: {
      severity: "low",
      when: "A Deny of wildcard actions exempts the `NotResource` list.",
    },
  },
  examples: { bad: badPolicies, good: goodPolicies },

  concerns: ({ notActions, notResources }) => notActions.length > 0 || notResources.length > 0,

  *runStatement(statement, context) {
    if (statement.allows) {
      const ineffective = ineffectiveAllow(statement);
      if (ineffective) yield ineffective;
      else if (grantsAccess(context.policy.type)) yield* allowReports(statement, context);
    }
    if (statement.denies) yield* denyReports(statement);
  },
});

/** An Allow that excludes every action or every resource grants nothing. */
function ineffectiveAllow(statement: Statement): Report | null {
  const { notActions, notResources } = statement;
  const texts = excludedTexts(statement);
  const everyAction = notActions.find(({ text }) => isAnyAction(text));
  if (everyAction) {
    return {
      issue_type: "not_action_allow_ineffective",
      severity: "low",
      node: everyAction.node,
      field_name: "action",
      action: texts.actions.join(", "),
      message: `This Allow excludes every action (\`NotAction\` contains ${listed([everyAction.text])}), so it grants nothing.`,
      suggestion: "Remove the statement, or list with `Action` what it should grant.",
    };
  }
  const everyResource = notResources.find(({ text }) => isAnyResource(text));
  if (!everyResource) return null;
  return {
    issue_type: "not_resource_allow_ineffective",
    severity: "low",
    node: everyResource.node,
    field_name: "resource",
    resource: texts.resources.join(", "),
    message: `This Allow excludes every resource (\`NotResource\` contains ${listed([everyResource.text])}), so it grants nothing.`,
    suggestion: "Remove the statement, or name with `Resource` what it should reach.",
  };
}

function* allowReports(statement: Statement, context: CheckContext): Generator<Report> {
  const { notActions, notResources } = statement;
  if (isTakenBack(statement, context)) return;
  const { actions, resources } = excludedTexts(statement);

  if (notActions.length > 0 && notResources.length > 0) {
    yield {
      issue_type: "combined_not_action_not_resource",
      severity: "critical",
      node: statement.at("NotAction"),
      field_name: "action",
      action: actions.join(", "),
      resource: resources.join(", "),
      message: `\`NotAction\` and \`NotResource\` together grant nearly everything: every action but ${listed(actions, 5)}, on every resource but ${listed(resources, 5)}.`,
      suggestion:
        "Write down what is granted: `Action` with the actions, `Resource` with the ARNs.",
      escalation_paths: pathsOfWideGrant(statement, context),
    };
  } else if (notActions.length > 0) {
    const conditioned = grantCondition(statement, context).counts;
    const lack = statement.conditions.length > 0 ? "a condition that limits it" : "any condition";
    yield {
      issue_type: conditioned ? "not_action_allow" : "not_action_allow_no_condition",
      ...(conditioned ? { severity: "medium" } : {}),
      node: statement.at("NotAction"),
      field_name: "action",
      action: actions.join(", "),
      message: `\`NotAction\` in an Allow grants every action but ${listed(actions, 5)}${conditioned ? ", under a condition" : `, without ${lack}`}. ${whatStaysGranted(actions, statement)}`,
      suggestion: conditioned
        ? "List the granted actions with `Action`. If the exclusion is meant, make sure that the condition holds for every action that is left."
        : "List the granted actions with `Action`, and put what must never happen into a Deny statement. If the exclusion is meant, add a condition.",
      escalation_paths: pathsOfWideGrant(statement, context),
    };
  } else if (reachesFar(statement) && !excludesEveryType(statement, context)) {
    const narrowed =
      statement.actions.every(({ text }) => namesOne(text, context)) &&
      grantCondition(statement, context).counts;
    yield {
      issue_type: "not_resource_broad",
      ...(narrowed ? { severity: "medium" } : {}),
      node: statement.at("NotResource"),
      field_name: "resource",
      resource: resources.join(", "),
      message: `\`NotResource\` in an Allow reaches every resource but ${listed(resources, 5)}, those created later included.`,
      suggestion:
        "Name the resources with `Resource`; protect the excluded ones with a Deny statement.",
    };
  }
}

/**
 * One action, or a pattern for its forms, such as `kms:GenerateDataKey*`, which the guide of Amazon MWAA grants so:
 * https://docs.aws.amazon.com/mwaa/latest/userguide/mwaa-create-role.html
 */
function namesOne(text: string, { match }: Pick<CheckContext, "match">): boolean {
  const name = text.endsWith("*") ? text.slice(0, -1) : text;
  return !hasWildcard(text) || (!hasWildcard(name) && match(name).kind === "action");
}

/** A condition that never holds, or a Deny of the policy that covers all that is left. */
function isTakenBack(statement: Statement, context: CheckContext): boolean {
  const grants = grantsOf(statement, context);
  const entries = statement.notActions.length > 0 ? [anything] : statement.actions;
  return entries.length > 0 && entries.every(({ text }) => grants.breadthOfEntry(text) === "none");
}

const anything = { text: "*" };

/** No `Resource` beside the exclusion that would narrow it. */
function reachesFar(statement: Statement): boolean {
  if (statement.resources.length > 0) {
    return statement.resources.some(({ text }) => text.includes("*"));
  }
  return !statement.has("Principal") && !statement.has("NotPrincipal");
}

function* denyReports(statement: Statement): Generator<Report> {
  const { notActions, notResources } = statement;
  const texts = excludedTexts(statement);
  const everyAction = notActions.find(({ text }) => isAnyAction(text));
  if (everyAction) {
    yield {
      issue_type: "not_action_deny_ineffective",
      node: everyAction.node,
      field_name: "action",
      action: texts.actions.join(", "),
      message: `This Deny exempts every action (\`NotAction\` contains ${listed([everyAction.text])}), so it denies nothing.`,
      suggestion:
        "List in `NotAction` only what stays allowed, or list with `Action` what is denied.",
    };
  } else if (notActions.length > 0 && statement.resources.some(({ text }) => isAnyResource(text))) {
    yield {
      issue_type: "not_action_deny_review",
      severity: "low",
      node: statement.at("NotAction"),
      field_name: "action",
      action: texts.actions.join(", "),
      message: `This Deny on all resources exempts ${listed(texts.actions, 5)} and denies everything else. Make sure that both are meant.`,
      suggestion: "Keep the list as short as possible, or list with `Action` what is denied.",
    };
  }
  const everyResource = notResources.find(({ text }) => isAnyResource(text));
  if (everyResource) {
    yield {
      issue_type: "not_resource_deny_ineffective",
      node: everyResource.node,
      field_name: "resource",
      resource: texts.resources.join(", "),
      message: `This Deny exempts every resource (\`NotResource\` contains ${listed([everyResource.text])}), so it denies nothing.`,
      suggestion:
        "List in `NotResource` only what stays allowed, or name with `Resource` what is denied.",
    };
  } else if (notResources.length > 0 && statement.actions.some(({ text }) => text.includes("*"))) {
    yield {
      issue_type: "not_resource_deny_review",
      severity: "low",
      node: statement.at("NotResource"),
      field_name: "resource",
      resource: texts.resources.join(", "),
      message: `This Deny of wildcard actions exempts the resources ${listed(texts.resources, 5)}. Make sure that everything else is to be denied, and nothing more is exempt than these.`,
      suggestion: "Keep the list as short as possible, or name with `Resource` what is denied.",
    };
  }
}
