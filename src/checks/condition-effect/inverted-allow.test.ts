import { checkCases } from "../../../test/support/check-cases.ts";
import { conditionEffect } from "../condition-effect.ts";

const allow = { Effect: "Allow", Action: "s3:GetObject", Resource: "arn:aws:s3:::reports/*" };
const trust = {
  Effect: "Allow",
  Principal: { AWS: "arn:aws:iam::444455556666:root" },
  Action: "sts:AssumeRole",
};
const age = "aws:MultiFactorAuthAge";

checkCases(conditionEffect, [
  {
    name: "an Allow for sign-ins that are older than an hour is meant for more recent ones",
    type: "IDENTITY_POLICY",
    statement: { ...allow, Condition: { NumericGreaterThanIfExists: { [age]: "3600" } } },
    findings: [
      {
        issue_type: "condition_inverted",
        severity: "high",
        message:
          "`NumericGreaterThanIfExists` on `aws:MultiFactorAuthAge` makes this Allow hold for sign-ins that are old, and not for recent ones.",
        suggestion: "Write `NumericLessThan`, so that the sign-in must be recent.",
        example: /"NumericLessThan"/,
      },
    ],
  },
  ...[
    {
      name: "a sign-in within an hour",
      Condition: { NumericLessThan: { [age]: "3600" } },
    },
    {
      name: "a sign-in of a certain time",
      Condition: { NumericGreaterThan: { [age]: "60" }, NumericLessThanEquals: { [age]: "3600" } },
    },
    { name: "an age of exactly", Condition: { NumericEquals: { [age]: "3600" } } },
    { name: "another number", Condition: { NumericGreaterThan: { "s3:max-keys": "10" } } },
    { name: "a key that must be there", Condition: { Null: { [age]: "false" } } },
  ].map(({ name, Condition }) => ({
    name: `an Allow by a number without a finding: ${name}`,
    type: "IDENTITY_POLICY" as const,
    statement: { ...allow, Condition },
    findings: [],
  })),
  {
    name: "an Allow only without an MFA sign-in says which callers remain",
    type: "IDENTITY_POLICY",
    statement: { ...allow, Condition: { Null: { [age]: "true" } } },
    findings: [
      {
        issue_type: "condition_inverted",
        message:
          "`Null` on `aws:MultiFactorAuthAge` is `true`, so this Allow holds only for callers that did not sign in with MFA.",
        suggestion: 'Write `"Bool": {"aws:MultiFactorAuthPresent": "true"}`.',
      },
    ],
  },
  {
    name: "a trust policy for callers without an external id says which callers remain",
    type: "TRUST_POLICY",
    statement: { ...trust, Condition: { Null: { "sts:ExternalId": "true" } } },
    findings: [
      {
        issue_type: "condition_inverted",
        message: /so this Allow holds only for callers that send no external id\.$/,
        suggestion:
          'Write `"StringEquals": {"sts:ExternalId": …}` with the id that you agreed on with the other party.',
      },
    ],
  },
  {
    name: "an identity policy may let its callers assume roles only without an external id",
    type: "IDENTITY_POLICY",
    statement: {
      Effect: "Allow",
      Action: "sts:AssumeRole",
      Resource: "arn:aws:iam::444455556666:role/reader",
      Condition: { Null: { "sts:ExternalId": "true" } },
    },
    findings: [],
  },
  ...[
    {
      name: "a Deny of old sign-ins",
      Effect: "Deny",
      Condition: { NumericGreaterThan: { [age]: "3600" } },
    },
    { name: "a Deny without MFA", Effect: "Deny", Condition: { Null: { [age]: "true" } } },
    {
      name: "a statement whose effect is unknown",
      Effect: "Permit",
      Condition: { NumericGreaterThan: { [age]: "3600" } },
    },
  ].map(({ name, Effect, Condition }) => ({
    name: `a test of MFA without a finding: ${name}`,
    type: "IDENTITY_POLICY" as const,
    statement: { ...allow, Effect, Condition },
    findings: [],
  })),
]);
