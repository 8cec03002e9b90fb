import { defineCheck } from "../engine/check.ts";
import { typesChecked } from "../policy/type-facts.ts";
import { escalationReports } from "./sensitive-action/escalation.ts";
import { badPolicies, goodPolicies } from "./sensitive-action/examples.ts";
import { mayReport, missingConditionReports } from "./sensitive-action/missing-condition.ts";
import { sensitiveOptions } from "./sensitive-action/options.ts";

export const sensitiveAction = defineCheck({
  check_id: "sensitive_action",
  default_severity: "medium",
  description:
    "Sensitive actions are granted under conditions, and do not combine to an escalation.",
  docstring: `Two findings about actions that attackers look for.

\`missing_condition\`: an Allow statement grants sensitive actions, by name or by wildcard, without a condition that limits who may use them, or on what. The built-in list has four categories: credential exposure, data access, privilege escalation and resource exposure. The severity is that of the category where the resources are not named, and at most \`medium\` where they are; actions that attach or write policies stay \`high\` on a name, because the name does not limit the rights that are gained. A few actions are \`medium\` whatever their category, such as those that hand out tokens with no more rights than their caller's (\`sts:GetSessionToken\`). What is bound to the caller by a policy variable (\`user/\${aws:username}\`) is not reported, rights-granting actions excepted. In the policy of a resource only one thing is reported: a whole account that may change that policy. A severity that the configuration sets is used as it is.

\`Null\` on anything but a tag, values that match everything, and tests of the connection, the Region, the caller's own account or organization do not count as limits; the message says why. Actions that \`action_condition_enforcement\` asks a condition for are left to that check.

\`privilege_escalation\`: the statements of an identity policy together let the holder gain rights, such as \`iam:PassRole\` with \`ec2:RunInstances\`. Reported are combinations, \`iam:PassRole\` on every role beside an action that uses it, and the documented paths of the catalogue pathfinding.cloud (\`escalation_paths\`). The resources of the deciding action lower the severity where they limit what is gained, and so does a condition on every statement concerned; where a path uses the role of something that already runs, a condition on the deciding action is enough. \`iam:PassedToService\` with other services ends a combination.

What a Deny of the same policy takes back for certain is not granted. A bare \`*\` and \`NotAction\` are left to the checks about them; their findings name the documented paths (\`escalation_paths\`).`,
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
      when: "Sensitive actions are granted without a condition that limits them; category and resources decide.",
    },
    privilege_escalation: {
      severity: ["critical", "high", "medium", "low"],
      when: "A policy grants a dangerous combination or a documented path; lower for names and conditions.",
    },
  },
  examples: { bad: badPolicies, good: goodPolicies },
  runPolicy: escalationReports,
  concerns: mayReport,
  runStatement: missingConditionReports,
});
