import { checkCases } from "../../../test/support/check-cases.ts";
import { embeddedServices } from "../../services/embedded.ts";
import { conditionEffect } from "../condition-effect.ts";

type Texts = string | readonly string[];

const statement = (Action: Texts, Resource: Texts, Condition: object, Effect = "Allow") => ({
  Effect,
  Action,
  Resource,
  Condition,
});
const start = "ec2:StartInstances";
const instances = (region: string) => `arn:aws:ec2:${region}:111122223333:instance/*`;
const queue = "arn:aws:sqs:eu-west-1:111122223333:orders";
const inRegion = (region: string, operator = "StringEquals") => ({
  [operator]: { "aws:RequestedRegion": region },
});
const ofAccount = (account: string, operator = "StringEquals") => ({
  [operator]: { "aws:ResourceAccount": account },
});
const never = { issue_type: "condition_never_true" };

checkCases(
  conditionEffect,
  [
    {
      name: "a Region other than that of the ARN",
      statement: [
        statement(start, instances("us-east-1"), inRegion("eu-west-1")),
        statement(start, instances("us-east-1"), inRegion("eu-*", "StringLike"), "Deny"),
      ],
      findings: [
        { at: 0, ...never, severity: "error", message: /of the Region `us-east-1`.*`eu-west-1`/ },
        { at: 1, ...never, severity: "high" },
      ],
    },
    {
      name: "an account other than that of the ARN",
      statement: statement("sqs:SendMessage", queue, ofAccount("444455556666")),
      findings: [{ ...never, message: /of the account `111122223333`.*asks for `444455556666`/ }],
    },
    {
      name: "several Regions and values, each named once",
      statement: statement(
        start,
        [instances("us-east-1"), instances("us-east-1"), instances("us-west-2")],
        { StringEquals: { "aws:RequestedRegion": ["eu-west-1", "eu-central-1"] } },
      ),
      findings: [
        {
          ...never,
          message:
            /^The resources are of the Regions `us-east-1` and `us-west-2`, and `StringEquals` on `aws:RequestedRegion` asks for `eu-west-1` and `eu-central-1`\./,
          suggestion: "Name the same Region in the ARN and in the condition.",
        },
      ],
    },
    {
      name: "one Region of two ARNs",
      statement: statement(
        start,
        [instances("us-east-1"), `${instances("us-east-1")}x`],
        inRegion("eu-west-1"),
      ),
      findings: [{ ...never, message: /^The resource is of the Region `us-east-1`, and/ }],
    },
    ...[
      statement(start, instances("us-east-1"), inRegion("us-east-1")),
      statement(start, instances("us-east-1"), inRegion("us-*", "StringLike")),
      statement(start, instances("*"), inRegion("eu-west-1")),
      statement(start, instances("${region}"), inRegion("eu-west-1")),
      statement(start, instances("us-east-1"), inRegion("${region}")),
      statement(start, "*", inRegion("eu-west-1")),
      statement("ec2:CopySnapshot", "arn:aws:ec2:us-east-1::snapshot/*", inRegion("eu-west-1")),
      statement(start, instances("us-east-1"), inRegion("eu-west-1", "StringEqualsIfExists")),
      statement(start, instances("us-east-1"), inRegion("eu-west-1", "StringNotEquals")),
      statement(start, instances("us-east-1"), {
        StringEquals: { "aws:RequestedRegion": ["eu-west-1", "us-east-1"] },
      }),
      statement(start, instances("us-east-1"), inRegion("US-EAST-1", "StringEqualsIgnoreCase")),
      statement(start, instances("us-east-1"), { StringEquals: { "aws:RequestedRegion": [] } }),
      statement(start, instances("us-east-1"), {
        StringEquals: { "aws:PrincipalTag/region": "x" },
      }),
      statement([start, "ec2:CopySnapshot"], instances("us-east-1"), inRegion("eu-west-1")),
      statement(start, [instances("us-east-1"), instances("eu-west-1")], inRegion("eu-west-1")),
      statement(start, [instances("us-east-1"), "*"], inRegion("eu-west-1")),
      statement(start, [instances("us-east-1"), "arn:aws:s3:::b"], inRegion("eu-west-1")),
      {
        ...statement(start, "x", inRegion("eu-west-1")),
        Action: undefined,
        NotAction: start,
        Resource: instances("us-east-1"),
      },
      {
        ...statement(start, "x", inRegion("eu-west-1")),
        Resource: undefined,
        NotResource: instances("us-east-1"),
      },
      statement("iam:GetRole", "arn:aws:iam::111122223333:role/x", inRegion("us-east-1")),
      statement("sqs:SendMessage", queue, ofAccount("111122223333")),
      statement("sqs:*", queue, ofAccount("111122223333", "StringNotEquals"), "Deny"),
      statement("s3:GetObject", "arn:aws:s3:::reports/*", ofAccount("444455556666")),
    ].map((one) => ({
      name: `accepts ${one.Effect} of ${one.Action} on ${one.Resource} under ${JSON.stringify(one.Condition)}`,
      statement: one,
      findings: [],
    })),
    ...["RunInstance", "CreateSecurityGroups"].map((action) => ({
      name: `ec2:CreateAction with ${action}, which is not an action`,
      statement: statement("ec2:CreateTags", instances("*"), {
        StringEquals: { "ec2:CreateAction": action },
      }),
      findings: [{ ...never, severity: "error" as const, suggestion: /^Did you mean/ }],
    })),
    ...["RunInstances", "CreateVolume", "Run*", "${action}"].map((action) => ({
      name: `accepts ec2:CreateAction with ${action}`,
      statement: statement("ec2:CreateTags", instances("*"), {
        StringLike: { "ec2:CreateAction": action },
      }),
      findings: [],
    })),
    {
      name: "names of aliases and ARNs of policies",
      statement: [
        statement("kms:Decrypt", "*", { StringEquals: { "kms:RequestAlias": "orders" } }),
        statement("iam:AttachRolePolicy", "*", {
          ArnLike: { "iam:PolicyARN": "arn:aws:iam::aws:ReadOnlyAccess" },
        }),
      ],
      findings: [
        { at: 0, ...never, message: /names of aliases, such as `alias\/orders`/ },
        { at: 1, ...never, message: /ARNs of policies/ },
      ],
    },
    ...[
      { StringEquals: { "kms:RequestAlias": "alias/orders" } },
      { StringLike: { "kms:RequestAlias": "alias/*" } },
      { ArnLike: { "iam:PolicyARN": "arn:aws:iam::*:policy/app/*" } },
      { ArnLike: { "iam:PolicyARN": "arn:aws:iam::aws:p*" } },
      { ArnEquals: { "iam:PermissionsBoundary": "arn:aws:iam::partner:policy/vendor/B" } },
      { ArnEquals: { "iam:PolicyARN": "arn:aws:iam::aws:policy/ReadOnlyAccess" } },
      { StringEquals: { "iam:PermissionsBoundary": "arn:aws:iam::111122223333:policy/path/B" } },
    ].map((condition) => ({
      name: `accepts ${JSON.stringify(condition)}`,
      statement: statement("iam:AttachRolePolicy", "*", condition),
      findings: [],
    })),
    {
      name: "a Deny of users with a boundary, and an Allow of public policies",
      statement: [
        statement("iam:CreateRole", "*", { Null: { "iam:PermissionsBoundary": "false" } }, "Deny"),
        statement("secretsmanager:PutResourcePolicy", "*", {
          Bool: { "secretsmanager:BlockPublicPolicy": "false" },
        }),
      ],
      findings: [
        { at: 0, issue_type: "condition_inverted", message: /with a boundary and not the others/ },
        {
          at: 1,
          issue_type: "condition_inverted",
          message: /do not ask to refuse public policies/,
        },
      ],
    },
    ...[
      ["iam:CreateRole", { Null: { "iam:PermissionsBoundary": "true" } }],
      ["iam:DeleteRolePermissionsBoundary", { Null: { "iam:PermissionsBoundary": "false" } }],
    ].map(([action, condition]) => ({
      name: `accepts a Deny of ${action} under ${JSON.stringify(condition)}`,
      statement: statement(action as string, "*", condition as object, "Deny"),
      findings: [],
    })),
  ],
  embeddedServices(),
);
