import { checkCases } from "../../../test/support/check-cases.ts";
import { conditionEffect } from "../condition-effect.ts";

const tag = { "aws:RequestTag/CostCenter": "false" };
const deny = (Action: string | string[], Condition: object) => ({
  Effect: "Deny",
  Action,
  Resource: "*",
  Condition,
});

checkCases(conditionEffect, [
  ...["IDENTITY_POLICY", "SERVICE_CONTROL_POLICY"].map((type) => ({
    name: `a Deny of what has the tag that is to be required: ${type}`,
    type: type as "IDENTITY_POLICY",
    statement: deny(["ec2:RunInstances", "ec2:CreateVolume"], { Null: tag }),
    findings: [
      {
        issue_type: "condition_inverted",
        severity: "high" as const,
        condition_key: "aws:RequestTag/CostCenter",
        message: /this Deny stops the requests that set the tag and not those without it\.$/,
      },
    ],
  })),
  {
    name: "a Deny of uploads that have the tag that is to be required",
    type: "RESOURCE_POLICY",
    statement: {
      ...deny("s3:PutObject", { Null: { "s3:RequestObjectTag/class": "false" } }),
      Principal: "*",
    },
    findings: [{ issue_type: "condition_inverted", severity: "high", example: /"true"/ }],
  },
  ...[
    deny("s3:PutObjectTagging", { Null: { "s3:RequestObjectTag/class": "false" } }),
    deny("s3:PutObject", { Null: { "s3:RequestObjectTag/class": "true" } }),
    deny("ec2:RunInstances", { Null: { "aws:RequestTag/CostCenter": "true" } }),
    deny(["ec2:CreateTags", "ec2:RunInstances"], { Null: tag }),
    deny("ec2:TerminateInstances", { Null: tag }),
    deny("*", { Null: tag }),
    deny("ec2:RunInstances", {
      Null: tag,
      ArnNotLike: { "aws:PrincipalArn": "arn:aws:iam::*:role/Admin" },
    }),
    deny("ec2:RunInstances", {
      Null: tag,
      StringNotEquals: { "aws:RequestTag/CostCenter": ["a", "b"] },
    }),
    { ...deny("ec2:RunInstances", { Null: tag }), Effect: "Allow" },
  ].map((statement) => ({
    name: `accepts ${statement.Effect} ${statement.Action} with ${JSON.stringify(statement.Condition)}`,
    statement,
    findings: [],
  })),
]);
