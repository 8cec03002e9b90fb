import { checkCases } from "../../../test/support/check-cases.ts";
import { conditionEffect } from "../condition-effect.ts";

const root = "arn:aws:iam::*:root";
const deny = (Condition: object, Effect = "Deny") => ({
  Effect,
  Action: "*",
  Resource: "*",
  Condition,
});
const scp = "SERVICE_CONTROL_POLICY" as const;

checkCases(conditionEffect, [
  ...["StringNotLike", "ArnNotLike"].map((operator) => ({
    name: `an SCP that exempts root users with ${operator} is meant to stop them`,
    type: scp,
    statement: deny({ [operator]: { "aws:PrincipalArn": [root, "arn:aws-us-gov:iam::*:root"] } }),
    findings: [
      {
        issue_type: "condition_inverted",
        severity: "high" as const,
        message: `\`${operator}\` on \`aws:PrincipalArn\` exempts root users from this Deny, which stops all other callers.`,
        suggestion: `Write \`${operator.replace("Not", "")}\`, so that it stops root users.`,
        example: new RegExp(`"${operator.replace("Not", "")}"`),
      },
    ],
  })),
  ...[
    { name: "a Deny of root users", statement: deny({ ArnLike: { "aws:PrincipalArn": root } }) },
    {
      name: "an exemption for root users and a role",
      statement: deny({ ArnNotLike: { "aws:PrincipalArn": [root, "arn:aws:iam::*:role/admin"] } }),
    },
    {
      name: "a tag that ends as the ARN of a root user does",
      statement: deny({ StringNotLike: { "aws:PrincipalTag/owner": root } }),
    },
    {
      name: "an Allow",
      statement: deny({ ArnNotLike: { "aws:PrincipalArn": root } }, "Allow"),
    },
    {
      name: "an identity policy",
      type: "IDENTITY_POLICY" as const,
      statement: deny({ ArnNotLike: { "aws:PrincipalArn": root } }),
    },
    { name: "no value", statement: deny({ ArnNotLike: { "aws:PrincipalArn": [] } }) },
  ].map(({ name, type, statement }) => ({
    name: `without a finding about root users: ${name}`,
    type: type ?? scp,
    statement,
    findings: [],
  })),
]);
