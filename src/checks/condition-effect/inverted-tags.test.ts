import { checkCases } from "../../../test/support/check-cases.ts";
import { conditionEffect } from "../condition-effect.ts";

const tag = { "aws:RequestTag/CostCenter": "false" };
const deny = (Action: string | string[], Condition: object) => ({
  Effect: "Deny",
  Action,
  Resource: "*",
  Condition,
});

const allow = (Action: string | string[], Condition: object) => ({
  ...deny(Action, Condition),
  Effect: "Allow",
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
  {
    name: "an Allow to create only what lacks a tag refuses the requests that set it",
    type: "IDENTITY_POLICY",
    statement: allow("ec2:RunInstances", { Null: { "aws:RequestTag/CostCenter": "true" } }),
    findings: [
      {
        issue_type: "condition_inverted",
        severity: "high",
        message:
          "`Null` on `aws:RequestTag/CostCenter` is `true`, so this Allow refuses the requests that set the tag and lets those without it through.",
        suggestion: 'Write `"Null": {"aws:RequestTag/CostCenter": "false"}`.',
        example: /"aws:RequestTag\/CostCenter": "false"/,
      },
    ],
  },
  {
    name: "an Allow to create what lacks each of two tags",
    type: "IDENTITY_POLICY",
    statement: allow(["ec2:RunInstances", "ec2:CreateTags"], {
      Null: { "aws:RequestTag/CostCenter": "true", "aws:RequestTag/team": true },
    }),
    findings: [
      { condition_key: "aws:RequestTag/CostCenter" },
      { condition_key: "aws:RequestTag/team" },
    ],
  },
  ...[
    allow(["ec2:RunInstances"], {
      Null: { "aws:RequestTag/a": "true", "aws:RequestTag/b": "false" },
    }),
    allow(["ec2:RunInstances"], {
      Null: { "aws:RequestTag/a": "true" },
      StringEquals: { "aws:RequestTag/b": "x" },
    }),
    allow(["ec2:RunInstances"], {
      Null: { "aws:RequestTag/a": "true" },
      StringEquals: { "aws:ResourceTag/b": "x" },
    }),
    allow(["ec2:RunInstances"], {
      Null: { "aws:RequestTag/a": "true" },
      "ForAllValues:StringEquals": { "aws:TagKeys": "x" },
    }),
    allow(["ec2:RunInstances"], {
      Null: { "aws:RequestTag/a": "true" },
      StringEquals: { "ec2:CreateAction": "RunInstances" },
    }),
    allow(["ec2:CreateTags", "s3:PutObjectTagging", "iam:TagRole"], {
      Null: { "aws:RequestTag/a": "true" },
    }),
    allow(["ec2:RunInstances"], { Null: { "aws:RequestTag/a": "false" } }),
    allow(["ec2:RunInstances"], { Bool: { "aws:RequestTag/a": "true" } }),
    allow(["ec2:RunInstances"], { Null: { "aws:PrincipalTag/a": "true" } }),
    {
      ...allow("*", { Null: { "aws:RequestTag/a": "true" } }),
      Action: undefined,
      NotAction: "iam:*",
    },
  ].map((statement) => ({
    name: `passes an Allow of ${JSON.stringify(statement.Action)} with ${JSON.stringify(statement.Condition)}`,
    type: "IDENTITY_POLICY" as const,
    statement,
    findings: [],
  })),
  ...[
    deny("ec2:RunInstances", { Bool: { "aws:RequestTag/CostCenter": "false" } }),
    deny("ec2:RunInstances", { Null: { "aws:PrincipalTag/CostCenter": "false" } }),
    { ...deny("*", { Null: tag }), Action: undefined, NotAction: "iam:*" },
  ].map((statement) => ({
    name: `passes a Deny of ${JSON.stringify(statement.Action)} with ${JSON.stringify(statement.Condition)}`,
    type: "SERVICE_CONTROL_POLICY" as const,
    statement,
    findings: [],
  })),
]);
