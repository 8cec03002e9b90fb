import { z } from "zod";
import { defineCheck } from "../engine/check.ts";
import { typesChecked } from "../policy/type-facts.ts";
import { isAnyAction } from "../policy/wildcard.ts";
import { quote } from "./shared/quote.ts";
import { textOptions } from "./shared/text-options.ts";
import { snippet } from "./shared/texts.ts";

const suggestion =
  "List the actions that are really called, such as `s3:GetObject`. Where that list would be too " +
  "long, give a service and a verb, such as `s3:Get*`.";
const example = snippet({ Action: ["s3:GetObject", "s3:ListBucket"] });

export const wildcardAction = defineCheck({
  check_id: "wildcard_action",
  default_severity: "medium",
  description: "An Allow statement does not grant every action.",
  docstring: `Reports an Allow statement whose \`Action\` holds \`*\`, or another spelling of the same grant such as \`*:*\`.

Such a statement covers every action of every service, IAM included, and every action that AWS adds later. A narrow \`Resource\` or a condition changes where and when, not what: the finding stays.

\`NotAction\` is the subject of \`not_action_not_resource\`. Where \`Resource\` is a wildcard too, \`full_wildcard\` says so and stands for this check.`,
  risk_explanation:
    "The holder can do anything to the resources, including handing on the access or covering the " +
    "tracks. One leaked credential is then enough to take over everything the statement reaches.",
  risk_category: "privilege_escalation",
  documentation_url:
    "https://docs.aws.amazon.com/IAM/latest/UserGuide/best-practices.html#grant-least-privilege",
  remediation_steps: [
    "Find out which actions are used: service last accessed data, CloudTrail, or a generated policy",
    "List these actions in place of the wildcard",
    "Where a list would be too long, use a service prefix with a verb, such as s3:Get*",
  ],
  applies_to_policy_types: typesChecked("grants"),
  options: z.strictObject(textOptions()),
  issue_types: {
    overly_permissive: { severity: "check", when: "An Allow statement grants all actions." },
  },
  examples: {
    bad: [
      {
        title:
          "A bucket policy for one role that hands over the whole bucket, its policy included.",
        policy: {
          Version: "2012-10-17",
          Statement: [
            {
              Sid: "LetTheBuildRoleUseTheBucket",
              Effect: "Allow",
              Principal: { AWS: "arn:aws:iam::111122223333:role/build" },
              Action: "*",
              Resource: ["arn:aws:s3:::example-artifacts", "arn:aws:s3:::example-artifacts/*"],
            },
          ],
        },
      },
    ],
    good: [
      {
        title: "The same role gets what a build needs: to read and write objects.",
        policy: {
          Version: "2012-10-17",
          Statement: [
            {
              Sid: "LetTheBuildRoleReadAndWrite",
              Effect: "Allow",
              Principal: { AWS: "arn:aws:iam::111122223333:role/build" },
              Action: ["s3:GetObject", "s3:PutObject"],
              Resource: "arn:aws:s3:::example-artifacts/*",
            },
          ],
        },
      },
    ],
  },

  *runStatement(statement, { options }) {
    const entry = statement.allows && statement.actions.find(({ text }) => isAnyAction(text));
    if (!entry) return;
    const message = `The action ${quote(entry.text)} grants every action of every service, those that AWS adds later included.`;
    yield {
      issue_type: "overly_permissive",
      node: entry.node,
      field_name: "action",
      message: options.message ?? message,
      suggestion: options.suggestion ?? suggestion,
      example: options.example ?? example,
    };
  },
});
