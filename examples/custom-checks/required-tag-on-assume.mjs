// A custom check: role sessions of people must carry a cost centre.
//
// Add it to the config, with a path relative to the config file:
//
//   custom_checks:
//     - module: ./custom-checks/required-tag-on-assume.mjs
//       severity: high
//       config: { tag: CostCentre }
//
import { addCondition, defineCheck } from "validator-mcp/check";
import { z } from "zod";

export const requiredTagOnAssume = defineCheck({
  check_id: "required_tag_on_assume",
  default_severity: "medium",
  description: "Trust policies that allow a role session without the session tag for billing.",
  docstring:
    "Reports each Allow of `sts:AssumeRole` to an AWS principal without a condition on " +
    "`aws:RequestTag/<tag>`: the costs of the session could not be assigned.",
  applies_to_policy_types: ["TRUST_POLICY"],
  options: z.strictObject({
    tag: z.string().min(1).default("CostCentre").describe("Key of the session tag."),
  }),
  issue_types: {
    session_tag_missing: { severity: "check", when: "no condition asks for the session tag" },
  },
  examples: {
    bad: [
      {
        title: "Any session of the account may assume the role.",
        policy: {
          Version: "2012-10-17",
          Statement: [
            {
              Effect: "Allow",
              Principal: { AWS: "arn:aws:iam::111122223333:root" },
              Action: "sts:AssumeRole",
            },
          ],
        },
      },
    ],
    good: [
      {
        title: "Only sessions with a cost centre may assume the role.",
        policy: {
          Version: "2012-10-17",
          Statement: [
            {
              Effect: "Allow",
              Principal: { AWS: "arn:aws:iam::111122223333:root" },
              Action: ["sts:AssumeRole", "sts:TagSession"],
              Condition: { StringLike: { "aws:RequestTag/CostCentre": "cc-*" } },
            },
          ],
        },
      },
    ],
  },

  *runStatement(statement, { options }) {
    if (!statement.allows) return;
    const key = `aws:requesttag/${options.tag}`.toLowerCase();
    if (statement.conditions.some(({ keyLower }) => keyLower === key)) return;
    const assume = statement.actions.find(({ text }) => text.toLowerCase() === "sts:assumerole");
    if (!assume || !statement.principals.some(({ type }) => type === "AWS")) return;
    yield {
      issue_type: "session_tag_missing",
      node: assume.node,
      field_name: "action",
      action: assume.text,
      condition_key: `aws:RequestTag/${options.tag}`,
      message: `\`${assume.text}\` is allowed without the session tag \`${options.tag}\`.`,
      suggestion: `Add a condition on \`aws:RequestTag/${options.tag}\`, and allow \`sts:TagSession\`.`,
      fix: () => ({
        title: "Require the session tag",
        effect: "narrows",
        edits: [
          addCondition(statement, "StringLike", `aws:RequestTag/${options.tag}`, "<cost-centre>"),
        ],
        needs_input: [
          { placeholder: "<cost-centre>", meaning: "Allowed values of the tag.", example: "cc-*" },
        ],
      }),
    };
  },
});
