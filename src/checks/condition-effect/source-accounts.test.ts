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
