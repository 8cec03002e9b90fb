import { z } from "zod";
import { defineCheck } from "../engine/check.ts";
import { deniedWholly } from "./redundancy/denied.ts";
import {
  onlyDecidingNumber,
  withoutCoveredActions,
  withoutCoveredResources,
  withoutRepeated,
  withoutSessions,
} from "./redundancy/fixes.ts";
import { deniesOf } from "./shared/grants/denies.ts";

export const redundancy = defineCheck({
  check_id: "redundancy",
  default_severity: "info",
  description: "Entries, values and statements that another one already covers.",
  docstring: `Reports what can be removed without changing access.

- An entry of an \`Action\` or \`Resource\` list that another entry of the list covers; \`related\` has the covered entries.
- Statements that say the same, and several numbers under one comparison.
- A role session beside its role in a trust policy.
- An Allow that a Deny without a condition covers whole: a Deny always wins, so the Allow grants nothing. This one is \`high\`, since the access that its author expects is missing.

The others are not dangerous: the policy is longer than it needs to be, and readers take the narrow entry for the limit.`,
  risk_explanation:
    "Readers take the narrow entry for the limit, although the wide one beside it decides.",
  risk_category: "configuration",
  documentation_url:
    "https://docs.aws.amazon.com/IAM/latest/UserGuide/access-analyzer-reference-policy-checks.html",
  remediation_steps: [
    "Remove the entries that are covered.",
    "If the narrow entries are what you mean, remove the wide one.",
  ],
  options: z.strictObject({}),
  issue_types: {
    redundant_action: {
      severity: "check",
      when: "An entry of a list of actions covers another one.",
    },
    redundant_resource: {
      severity: "check",
      when: "An entry of a list of resources covers another one.",
    },
    redundant_statement: {
      severity: "check",
      when: "Two statements are equal but for the Sid and the order of lists.",
    },
    redundant_condition_value: {
      severity: "check",
      when: "Of several numbers under a comparison only one decides.",
    },
    redundant_principal: { severity: "check", when: "A role session is listed beside its role." },
    denied_grant: {
      severity: "high",
      when: "A Deny of the policy covers everything that an Allow grants.",
    },
  },
  // The engine reports what AWS's own policy check finds; see src/access-analyzer/rules.
  aws_codes: {
    REDUNDANT_ACTION: { issue_type: "redundant_action", fix: withoutCoveredActions },
    REDUNDANT_RESOURCE: { issue_type: "redundant_resource", fix: withoutCoveredResources },
    REDUNDANT_STATEMENT: { issue_type: "redundant_statement", fix: withoutRepeated },
    REDUNDANT_CONDITION_VALUE_NUM: {
      issue_type: "redundant_condition_value",
      fix: onlyDecidingNumber,
    },
    REDUNDANT_PRINCIPAL_IN_ROLE_TRUST_POLICY: {
      issue_type: "redundant_principal",
      fix: withoutSessions,
    },
  },
  examples: {
    bad: [
      {
        title: "One pattern covers the other entry.",
        policy: {
          Version: "2012-10-17",
          Statement: [
            {
              Effect: "Allow",
              Action: ["s3:Get*", "s3:GetObject"],
              Resource: "arn:aws:s3:::reports/*",
            },
          ],
        },
      },
      {
        title: "The Deny takes back all that is allowed.",
        policy: {
          Version: "2012-10-17",
          Statement: [
            { Effect: "Allow", Action: "s3:GetObject", Resource: "arn:aws:s3:::reports/*" },
            { Effect: "Deny", Action: "s3:*", Resource: "*" },
          ],
        },
      },
    ],
    good: [
      {
        title: "Each entry adds something.",
        policy: {
          Version: "2012-10-17",
          Statement: [
            {
              Effect: "Allow",
              Action: ["s3:GetObject", "s3:PutObject"],
              Resource: "arn:aws:s3:::reports/*",
            },
          ],
        },
      },
    ],
  },

  concerns: ({ allows }, { policy, services }) => allows && deniesOf(policy, services.date).exist,
  runStatement: (statement, context) => deniedWholly(statement, context),
});
