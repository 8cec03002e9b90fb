import { checkCases } from "../../../test/support/check-cases.ts";
import { conditionEffect } from "../condition-effect.ts";

const statement = (Condition: object, Effect = "Deny") => ({
  Effect,
  Principal: "*",
  Action: "s3:*",
  Resource: "*",
  Condition,
});
const foreign = { StringNotEqualsIfExists: { "aws:SourceOrgID": "o-a1b2c3d4e5" } };
const ofUsers = { "aws:PrincipalIsAWSService": "false" };
const never = { issue_type: "condition_never_true", condition_key: "aws:PrincipalIsAWSService" };

checkCases(conditionEffect, [
  ...[
    { ...foreign, Null: { "aws:SourceAccount": "false" }, Bool: ofUsers },
    { ...foreign, Null: { "aws:SourceArn": "false" }, BoolIfExists: ofUsers },
    { StringEquals: { "aws:SourceAccount": "444455556666" }, Bool: ofUsers },
  ].map((condition) => ({
    name: `a source that has to be there, in calls that no service makes: ${JSON.stringify(condition)}`,
    type: "RESOURCE_CONTROL_POLICY" as const,
    statement: statement(condition),
    findings: [{ ...never, severity: "high" as const, message: /leaves these out/ }],
  })),
  ...[
    {
      ...foreign,
      Null: { "aws:SourceAccount": "false" },
      Bool: { "aws:PrincipalIsAWSService": "true" },
    },
    { StringNotEqualsIfExists: { "aws:PrincipalOrgID": "o-a1b2c3d4e5" }, BoolIfExists: ofUsers },
    { Null: { "aws:SourceAccount": "true" }, BoolIfExists: ofUsers },
  ].map((condition) => ({
    name: `accepts ${JSON.stringify(condition)}`,
    type: "RESOURCE_CONTROL_POLICY" as const,
    statement: statement(condition),
    findings: [],
  })),
]);

const account = (id: unknown, operator = "StringEquals") => ({
  [operator]: { "aws:SourceAccount": id },
});
const arn = (id: unknown, operator = "ArnLike") => ({
  [operator]: { "aws:SourceArn": [id].flat().map((one) => `arn:aws:sns:eu-west-1:${one}:orders`) },
});
const deliver = (Condition: object) => ({
  type: "RESOURCE_POLICY" as const,
  statement: {
    Effect: "Allow",
    Principal: { Service: "sns.amazonaws.com" },
    Action: "sqs:SendMessage",
    Resource: "arn:aws:sqs:eu-west-1:111122223333:orders",
    Condition,
  },
});
const [one, two, three] = ["111122223333", "444455556666", "777788889999"];
const accountNever = { issue_type: "condition_never_true", condition_key: "aws:SourceAccount" };

checkCases(conditionEffect, [
  {
    name: "a source of one account and an ARN of another one",
    ...deliver({ ...account(one), ...arn([two, three]) }),
    findings: [
      {
        ...accountNever,
        message:
          "`aws:SourceArn` requires a resource of the account `444455556666`, and `aws:SourceAccount` requires one of `111122223333`. The condition never holds, so this Allow grants nothing.",
        suggestion: "Write the account of the resource in both.",
      },
    ],
  },
  {
    name: "an ARN of an account that is excluded",
    ...deliver({ ...account([one, two], "StringNotEquals"), ...arn(two) }),
    findings: [
      {
        ...accountNever,
        message:
          /^`aws:SourceArn` requires a resource of an account that `StringNotEquals` on `aws:SourceAccount` excludes\./,
        suggestion: "Require the account with a positive operator, or remove the entry.",
      },
    ],
  },
  ...[
    { ...account([one, two]), ...arn([two, three]) },
    { ...account(one, "StringLike"), ...arn("*") },
    { ...account("1111*", "StringLike"), ...arn(two) },
    { ...account("${aws:PrincipalAccount}"), ...arn(two) },
    { ...account(one, "StringEqualsIfExists"), ...arn(two) },
    { ...account(one), ...arn(two, "ArnLikeIfExists") },
    { ...account(one), ...arn([]) },
    { ...account([]), ...arn(two) },
    { Null: { "aws:SourceAccount": "false" }, ...arn(two) },
    { ...account(one), Null: { "aws:SourceArn": "false" } },
    { ...account([one, two], "StringNotEquals"), ...arn([two, three]) },
  ].map((Condition) => ({
    name: `some source meets ${JSON.stringify(Condition)}`,
    ...deliver(Condition),
    findings: [],
  })),
  ...[
    { ...foreign, Null: { "aws:SourceAccount": "false" }, StringEquals: ofUsers },
    { ...foreign, Null: { "aws:SourceAccount": [] }, Bool: ofUsers },
    { ...foreign, Bool: { ...ofUsers, "aws:SecureTransport": "false" } },
  ].map((Condition) => ({
    name: `calls of users, or of services: ${JSON.stringify(Condition)}`,
    type: "RESOURCE_POLICY" as const,
    statement: statement(Condition),
    findings: [],
  })),
  {
    name: "what to write where a source is asked for in calls that no service makes",
    type: "RESOURCE_CONTROL_POLICY",
    statement: statement({ StringEquals: { "aws:SourceAccount": two }, Bool: ofUsers }),
    findings: [
      {
        message:
          /^`StringEquals` asks for `aws:SourceAccount`, which only calls of AWS services have, and `aws:PrincipalIsAWSService` leaves these out\./,
        suggestion: 'Write `"Bool": {"aws:PrincipalIsAWSService": "true"}`.',
      },
    ],
  },
]);
