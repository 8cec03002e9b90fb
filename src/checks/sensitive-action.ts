import { defineCheck } from "../engine/check.ts";
import { typesChecked } from "../policy/type-facts.ts";
import { escalationReports } from "./sensitive-action/escalation.ts";
import { badPolicies, goodPolicies } from "./sensitive-action/examples.ts";
import { missingConditionReports } from "./sensitive-action/missing-condition.ts";
import { sensitiveOptions } from "./sensitive-action/options.ts";

export const sensitiveAction = defineCheck({
  check_id: "sensitive_action",
  default_severity: "medium",
  description:
    "Sensitive actions are granted under conditions, and do not combine to an escalation.",
  docstring: `Two findings about actions that attackers look for.

\`missing_condition\`: an Allow statement grants sensitive actions, by name or by wildcard, without any condition that counts. The built-in list has four categories with severities of their own (\`category_severities\`): credential exposure, data access, privilege escalation and resource exposure. Any condition counts but \`Null\` and those that let every request pass. Actions that \`action_condition_enforcement\` demands a condition for are left to that check.

\`privilege_escalation\`: the statements of the policy together grant a combination that lets the holder gain permissions or run code as somebody else, such as \`iam:PassRole\` with \`ec2:RunInstances\`. Resources play no role. When every statement concerned has a condition that counts, the severity is one step lower.

A bare \`*\` is left to the wildcard checks. Trust policies, SCPs and RCPs are not looked at.`,
  risk_explanation:
    "These actions hand out credentials, read data, change permissions or open resources. A " +
    "condition limits who can use them, from where and on what; without one, a leaked credential is " +
    "all it takes. Some harmless actions become an escalation path together.",
  risk_category: "privilege_escalation",
  documentation_url:
    "https://docs.aws.amazon.com/IAM/latest/UserGuide/best-practices.html#grant-least-privilege",
  remediation_steps: [
    "Add a condition that limits the caller, the network or the resource",
    "Give the actions of a dangerous combination to different identities",
    "Remove actions that are not used",
  ],
  applies_to_policy_types: typesChecked("sensitive"),
  options: sensitiveOptions,
  issue_types: {
    missing_condition: {
      severity: ["critical", "high", "medium"],
      when: "Sensitive actions are granted without a condition; the worst category decides.",
    },
    privilege_escalation: {
      severity: ["critical", "high", "medium", "low"],
      when: "A policy grants a dangerous combination; one step lower when all of it is conditioned.",
    },
  },
  examples: { bad: badPolicies, good: goodPolicies },
  runPolicy: escalationReports,
  runStatement: missingConditionReports,
});
