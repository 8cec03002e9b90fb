import { checkCases } from "../../../test/support/check-cases.ts";
import { conditionEffect } from "../condition-effect.ts";

const source = { ArnEquals: { "aws:SourceArn": "arn:aws:sns:eu-west-1:111122223333:orders" } };
const send = (Condition: object, members: object = {}) => ({
  Effect: "Allow",
  Action: "sqs:SendMessage",
  Resource: "arn:aws:sqs:eu-west-1:111122223333:orders",
  Condition,
  ...members,
});

checkCases(conditionEffect, [
  ...[source, { StringEquals: { "aws:SourceAccount": "111122223333" } }].map((condition) => ({
    name: `an identity policy that requires ${JSON.stringify(condition)}`,
    statement: send(condition),
    findings: [
      {
        issue_type: "condition_never_true",
        severity: "error" as const,
        message: /an identity policy belongs to a user, group or role\. .* grants nothing\.$/,
      },
    ],
  })),
  {
    name: "an optional source in an identity policy, without the advice to require it",
    statement: send({ StringEqualsIfExists: { "aws:SourceAccount": "111122223333" } }),
    findings: [
      {
        issue_type: "condition_always_true",
        suggestion: "Remove the test, or put it into the policy of the resource.",
        example: null,
      },
    ],
  },
  ...[
    {
      Principal: { AWS: "arn:aws:iam::444455556666:root" },
      Action: "events:PutEvents",
      Resource: "arn:aws:events:eu-west-1:111122223333:event-bus/central",
      Condition: {
        ArnEquals: { "aws:SourceArn": "arn:aws:events:eu-west-1:444455556666:rule/forward" },
      },
    },
    {
      Principal: { AWS: "arn:aws:iam::444455556666:role/importer" },
      Action: ["kms:Decrypt", "kms:GenerateDataKey"],
      Resource: "*",
      Condition: {
        StringLike: { "aws:SourceArn": "arn:aws:comprehend:us-west-2:111122223333:*" },
      },
    },
  ].map((statement) => ({
    name: `accepts a source that a service sends with calls for an account: ${statement.Action}`,
    type: "RESOURCE_POLICY" as const,
    statement: { Effect: "Allow", ...statement },
    findings: [],
  })),
  ...[
    { ArnEquals: { "aws:SourceArn": "arn:aws:sns:eu-west-1:444455556666:orders" } },
    { StringEquals: { "aws:SourceAccount": "444455556666" } },
  ].map((Condition) => ({
    name: `reports that accounts never send ${JSON.stringify(Condition)}`,
    type: "RESOURCE_POLICY" as const,
    statement: {
      Effect: "Allow",
      Principal: { AWS: "arn:aws:iam::444455556666:root" },
      Action: "events:PutEvents",
      Resource: "arn:aws:events:eu-west-1:111122223333:event-bus/central",
      Condition,
    },
    findings: [{ issue_type: "condition_never_true", severity: "error" as const }],
  })),
  {
    name: "a key that requests of one of the principals lack",
    type: "RESOURCE_POLICY",
    statement: send(
      { StringEquals: { "aws:PrincipalOrgID": "o-a1b2c3d4e5" } },
      { Principal: { AWS: "111122223333", Service: "sns.amazonaws.com" } },
    ),
    findings: [
      {
        issue_type: "condition_never_true",
        severity: "medium",
        message: /This Allow grants nothing to `sns\.amazonaws\.com`\.$/,
      },
    ],
  },
  ...[
    { StringEqualsIfExists: { "aws:PrincipalOrgID": "o-a1b2c3d4e5" } },
    { StringEquals: { "aws:PrincipalAccount": "111122223333" } },
    { StringNotEquals: { "aws:PrincipalOrgID": "o-a1b2c3d4e5" } },
  ].map((condition) => ({
    name: `accepts ${JSON.stringify(condition)} for an account and a service`,
    type: "RESOURCE_POLICY" as const,
    statement: send(condition, {
      Principal: { AWS: "111122223333", Service: "sns.amazonaws.com" },
    }),
    findings: "StringNotEquals" in condition ? [{ issue_type: "condition_inverted" }] : [],
  })),
  {
    name: "accepts the source in the policy of the resource",
    type: "RESOURCE_POLICY",
    statement: send(source, { Principal: { Service: "sns.amazonaws.com" } }),
    findings: [],
  },
  ...[
    { ArnEquals: { "ec2:SourceInstanceARN": "arn:aws:ec2:eu-west-1:111122223333:instance/*" } },
    {
      ArnEquals: {
        "lambda:SourceFunctionArn": "arn:aws:lambda:eu-west-1:111122223333:function:orders",
      },
    },
    { StringEquals: { "aws:SourceVpc": "vpc-0a1b2c3d4e5f67890" } },
    { StringEquals: { "aws:SourceIdentity": "ana" } },
    { Null: { "aws:SourceArn": "true" } },
    {
      StringEquals: {
        "aws:SourceAccount": "111122223333",
        "aws:SourceArn": "arn:aws:cloudtrail:eu-west-1:111122223333:eventdatastore/3c4d5e6f",
      },
    },
  ].map((condition) => ({
    name: `accepts ${JSON.stringify(condition)} in an identity policy`,
    statement: send(condition),
    findings: [],
  })),
]);
