import { z } from "zod";
import { defineCheck } from "../engine/check.ts";
import { isAnyAction, isAnyResource } from "../policy/wildcard.ts";
import { actionsOf } from "../services/statement-actions.ts";
import { pathsOfWideGrant } from "./sensitive-action/wide-paths.ts";
import { grantsOf } from "./shared/grants/grants.ts";
import { quote } from "./shared/quote.ts";
import { textOptions } from "./shared/text-options.ts";

const suggestion =
  "Replace both wildcards: list the actions that are called and the ARNs of the resources they are " +
  "called on. If an administrator is meant, attach the AWS managed policy `AdministratorAccess` to " +
  "a role that needs MFA.";
export const fullWildcard = defineCheck({
  check_id: "full_wildcard",
  default_severity: "critical",
  description: "An Allow statement does not grant every action on every resource.",
  docstring: `Reports an Allow statement that holds \`*\` (or \`*:*\`) in \`Action\` and \`*\` in \`Resource\`: administrator access to the whole account.

Conditions do not silence it: they say when, and the grant is still everything. Entries beside the wildcards do not matter either. A Deny of the same policy silences it only where it takes everything back.

When the statement has nothing but these wildcards, the finding replaces those of the narrower checks on the same statement (see \`supersedes\`), which would only repeat it; its message then names them. In the policy of a resource \`*\` means that resource, so only identity policies are checked. The setting \`suppress_superseded_findings: false\` keeps them all.`,
  risk_explanation:
    "This is an administrator policy, whatever its name says. It grants everything in the account, " +
    "logging and the permissions of other principals included.",
  risk_category: "privilege_escalation",
  documentation_url:
    "https://docs.aws.amazon.com/IAM/latest/UserGuide/best-practices.html#grant-least-privilege",
  remediation_steps: [
    "Write down what the workload or the person needs to do, and grant that",
    "Give people and machines separate roles",
    "If an administrator role is intended, use the AWS managed policy on a role that needs MFA and is reviewed",
  ],
  applies_to_policy_types: ["IDENTITY_POLICY"],
  supersedes: [
    "wildcard_action",
    "wildcard_resource",
    "service_wildcard",
    "action_resource_matching",
    "sensitive_action",
    "action_condition_enforcement",
    "mfa_condition_antipattern",
  ],
  covers: (statement) =>
    !statement.has("NotAction") &&
    !statement.has("NotResource") &&
    statement.actions.every(({ text }) => isAnyAction(text)) &&
    statement.resources.every(({ text }) => isAnyResource(text)),
  options: z.strictObject(textOptions()),
  issue_types: {
    security_risk: {
      severity: "check",
      when: "An Allow statement grants all actions on all resources.",
    },
  },
  examples: {
    bad: [
      {
        title: "A deployment role with administrator access.",
        policy: {
          Version: "2012-10-17",
          Statement: [{ Sid: "Deploy", Effect: "Allow", Action: "*", Resource: "*" }],
        },
      },
    ],
    good: [
      {
        title: "A deployment role that updates one service's functions.",
        policy: {
          Version: "2012-10-17",
          Statement: [
            {
              Sid: "Deploy",
              Effect: "Allow",
              Action: ["lambda:UpdateFunctionCode", "lambda:PublishVersion"],
              Resource: "arn:aws:lambda:eu-central-1:111122223333:function:shop-*",
            },
          ],
        },
      },
      {
        title: "A guard rail that denies everything outside one region.",
        policy: {
          Version: "2012-10-17",
          Statement: [
            {
              Sid: "OneRegionOnly",
              Effect: "Deny",
              Action: "*",
              Resource: "*",
              Condition: { StringNotEquals: { "aws:RequestedRegion": "eu-central-1" } },
            },
          ],
        },
      },
    ],
  },

  concerns: (statement, { match }) => statement.allows && !actionsOf(statement, match).areNames,

  *runStatement(statement, context) {
    const action = statement.actions.find(({ text }) => isAnyAction(text));
    const resource = statement.resources.find(({ text }) => isAnyResource(text));
    if (!action || !resource) return;
    if (grantsOf(statement, context).breadthOfEntry(action.text) === "none") return;
    const { options, policy } = context;
    const limits =
      statement.conditions.length > 0 || policy.statements.some(({ denies }) => denies);
    const message =
      `The action ${quote(action.text)} on the resource ${quote(resource.text)} grants every action ` +
      `on every resource${limits ? ", except where conditions or Deny statements prevent it" : ": administrator access to the whole account"}.`;
    yield {
      issue_type: "security_risk",
      node: action.node,
      field_name: "action",
      message: options.message ?? message,
      suggestion: options.suggestion ?? suggestion,
      escalation_paths: pathsOfWideGrant(statement, context),
      example: options.example,
    };
  },
});
