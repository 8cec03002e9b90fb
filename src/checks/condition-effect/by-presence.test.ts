import { checkCases } from "../../../test/support/check-cases.ts";
import { conditionEffect } from "../condition-effect.ts";

const never = { issue_type: "condition_never_true" };
const always = { issue_type: "condition_always_true" };
const allow = (Condition: object, more: object = {}) => ({
  Effect: "Allow",
  Action: "s3:GetObject",
  Resource: "arn:aws:s3:::reports/*",
  Condition,
  ...more,
});
const deny = (Condition: object) => ({ ...allow(Condition), Effect: "Deny" });
const identity = "IDENTITY_POLICY" as const;
const boundary = "PERMISSIONS_BOUNDARY" as const;
const rcp = "RESOURCE_CONTROL_POLICY" as const;
const everyone = { Principal: "*" };
const roles = { Principal: { AWS: "arn:aws:iam::111122223333:root" } };
const services = { Principal: { Service: "sns.amazonaws.com" } };
const account = { "aws:SourceAccount": "111122223333" };
const athena = { "aws:CalledVia": "athena.amazonaws.com" };

checkCases(conditionEffect, [
  {
    name: "a test that only service principals meet in a policy for users and roles",
    type: identity,
    statement: allow({ StringEquals: { "aws:PrincipalServiceName": "sns.amazonaws.com" } }),
    findings: [
      {
        ...never,
        message:
          "Only calls of service principals meet a test of `aws:PrincipalServiceName`, and this policy applies to users and roles. The condition never holds, so this Allow grants nothing.",
        suggestion:
          "For calls that a service makes for the caller, test `aws:CalledVia` or `aws:ViaAWSService`; to name a service, use the policy of the resource.",
      },
    ],
  },
  ...[
    { Bool: { "aws:PrincipalIsAWSService": "true" } },
    { "ForAnyValue:StringLike": { "aws:PrincipalServiceNamesList": "*.sns.amazonaws.com" } },
  ].map((Condition) => ({
    name: `a service principal is required of users and roles: ${JSON.stringify(Condition)}`,
    type: "SESSION_POLICY" as const,
    statement: allow(Condition),
    findings: [never],
  })),
  ...[
    { Bool: { "aws:PrincipalIsAWSService": "false" } },
    { Bool: { "aws:PrincipalIsAWSService": ["true", "false"] } },
    { Bool: { "aws:PrincipalIsAWSService": [] } },
    { StringNotEquals: { "aws:PrincipalServiceName": "sns.amazonaws.com" } },
    { Bool: { "aws:ViaAWSService": "true" } },
  ].map((Condition) => ({
    name: `calls of users and roles meet ${JSON.stringify(Condition)}`,
    type: "SERVICE_CONTROL_POLICY" as const,
    statement: deny(Condition),
    findings: [],
  })),
  {
    name: "a service that a caller may leave out: how to require it",
    type: boundary,
    statement: allow({ StringEqualsIfExists: { "kms:ViaService": "s3.eu-west-1.amazonaws.com" } }),
    findings: [
      {
        ...always,
        message:
          "`StringEqualsIfExists` holds without the key, and calls of users and roles have no `kms:ViaService` unless a service makes the call for them. This entry limits nothing.",
        suggestion: "Write `StringEquals`, so that the key must be there.",
        example: /"StringEquals": \{\s+"kms:ViaService"/,
      },
    ],
  },
  ...["aws:CalledViaFirst", "aws:CalledViaLast"].map((key) => ({
    name: `a service in ${key} that a caller may leave out`,
    type: boundary,
    statement: allow({ StringEqualsIfExists: { [key]: "athena.amazonaws.com" } }),
    findings: [{ ...always, condition_key: key }],
  })),
  {
    name: "a service that a caller may leave out under ForAllValues: two ways to require it",
    type: identity,
    statement: allow({ "ForAllValues:StringEquals": athena }),
    findings: [
      {
        ...always,
        suggestion:
          'Add `"Null": {"aws:CalledVia": "false"}`, or write `ForAnyValue:StringEquals`, so that the key must be there.',
        example: /"Null": \{\s+"aws:CalledVia": "false"/,
      },
    ],
  },
  {
    name: "a source that users and roles never have, under IfExists",
    type: identity,
    statement: allow({ StringEqualsIfExists: account }),
    findings: [
      {
        ...always,
        message:
          "`StringEqualsIfExists` holds without the key, and calls of users and roles have no `aws:SourceAccount`. This entry limits nothing.",
        suggestion: "Remove the test, or put it into the policy of the resource.",
        example: null,
      },
    ],
  },
  {
    name: "a source that roles lack under IfExists in the policy of a resource",
    type: "RESOURCE_POLICY",
    statement: allow({ StringEqualsIfExists: account }, roles),
    findings: [{ ...always, suggestion: "Write `StringEquals`, so that the key must be there." }],
  },
  {
    name: "IfExists on a source beside a test that requires no service",
    type: "RESOURCE_POLICY",
    statement: allow(
      {
        StringEqualsIfExists: account,
        Bool: { "aws:ViaAWSService": "false" },
        StringNotEquals: athena,
      },
      roles,
    ),
    findings: [always],
  },
  ...[
    { Bool: { "aws:ViaAWSService": "true" } },
    { Bool: { "aws:PrincipalIsAWSService": "true" } },
    { Null: { "aws:SourceArn": "false" } },
    { Null: { "aws:SourceAccount": "false" } },
    { ArnLike: { "aws:SourceArn": "arn:aws:sns:*:111122223333:*" } },
  ].map((more) => ({
    name: `IfExists on a source beside ${JSON.stringify(more)}, which only calls of services meet`,
    type: "RESOURCE_POLICY" as const,
    statement: allow({ StringEqualsIfExists: account, ...more }, { Principal: { AWS: "*" } }),
    findings: [],
  })),
  ...[
    { name: "for a service", statement: allow({ StringEqualsIfExists: account }, services) },
    { name: "that requires the key", statement: allow({ StringEquals: account }, services) },
    {
      name: "of another key",
      statement: allow({ StringEqualsIfExists: { "aws:PrincipalTag/team": "a" } }, roles),
    },
    {
      name: "of no value",
      statement: allow({ StringEqualsIfExists: { "aws:SourceAccount": [] } }, roles),
    },
    {
      name: "that excludes a service",
      statement: allow({ "ForAllValues:StringNotEquals": athena }, roles),
    },
  ].map(({ name, statement }) => ({
    name: `passes a test ${name}`,
    type: "RESOURCE_POLICY" as const,
    statement,
    findings: [],
  })),
  ...[rcp, "SERVICE_CONTROL_POLICY" as const, identity].map((type) => ({
    name: `a Deny of foreign sources that stops users and roles too says what to write: ${type}`,
    type,
    statement: {
      ...deny({ StringNotEquals: account }),
      ...(type === rcp ? everyone : {}),
      Resource: "*",
    },
    findings: [
      {
        ...always,
        message:
          "`StringNotEquals` on `aws:SourceAccount` also holds without the key, and calls of users and roles have no `aws:SourceAccount`. So the Deny stops these calls too.",
        suggestion:
          type === rcp
            ? 'Add `"Null": {"aws:SourceAccount": "false"}` and `"Bool": {"aws:PrincipalIsAWSService": "true"}` to the condition.'
            : "Test a key of the caller, such as `aws:PrincipalOrgID`, or write this test into a resource control policy.",
      },
    ],
  })),
  ...[
    { StringNotEquals: { ...account, "aws:PrincipalOrgID": "o-a1b2c3d4e5" } },
    { StringNotEquals: { ...account, "aws:PrincipalTag/team": "a" } },
    { StringNotEquals: account, ArnNotLike: { "aws:PrincipalArn": "arn:aws:iam::111122223333:*" } },
    { StringNotEquals: account, Bool: { "aws:PrincipalIsAWSService": "true" } },
    { StringEquals: account },
    { StringNotEquals: { "aws:SourceAccount": [] } },
  ].map((Condition) => ({
    name: `an RCP whose Deny spares the own callers: ${JSON.stringify(Condition)}`,
    type: rcp,
    statement: { ...deny(Condition), ...everyone, Resource: "*" },
    findings: [],
  })),
  ...[
    { StringEquals: { "aws:PrincipalOrgID": "o-a1b2c3d4e5" } },
    { StringNotEquals: { "aws:PrincipalType": "User" } },
    { Bool: { "aws:PrincipalIsAWSService": "false" } },
    { StringNotEquals: { "aws:PrincipalIsAWSService": "true" } },
  ].map((more) => ({
    name: `a Deny of foreign sources beside ${JSON.stringify(more)}, which own callers meet`,
    type: rcp,
    statement: {
      ...deny({ ArnNotLike: { "aws:SourceArn": "arn:aws:sns:*:111122223333:*" }, ...more }),
      ...everyone,
      Resource: "*",
    },
    findings: [always],
  })),
  {
    name: "Null with both values holds with the key and without it",
    type: identity,
    statement: allow({ Null: { "aws:PrincipalTag/team": ["true", "False"] } }),
    findings: [
      {
        ...always,
        message:
          "`Null` on `aws:PrincipalTag/team` has both `true` and `false`, so it holds with the key and without it. This entry limits nothing.",
        suggestion: "Write the one value that is meant.",
      },
    ],
  },
  ...[
    [identity, "aws:PrincipalArn", "every signed request"],
    ["RESOURCE_POLICY", "aws:SecureTransport", "every request"],
  ].map(([type, key, all]) => ({
    name: `the absence of ${key}, which ${all} has`,
    type: type as typeof identity,
    statement: allow({ Null: { [`${key}`]: "true" } }, type === identity ? {} : roles),
    findings: [
      {
        ...never,
        message: `\`Null\` asks that \`${key}\` is absent, but ${all} has it. The condition never holds, so this Allow grants nothing.`,
        suggestion: "Remove the entry, or test the value of the key.",
      },
    ],
  })),
  {
    name: "the presence of a key that every request has",
    type: "RESOURCE_POLICY",
    statement: allow({ Null: { "aws:SecureTransport": "false" } }, roles),
    findings: [
      {
        ...always,
        message:
          "`Null` asks that `aws:SecureTransport` is there, and every request has it. This entry limits nothing.",
        suggestion: "Test the value of the key, or remove the entry.",
      },
    ],
  },
  ...[
    allow({ Null: { "aws:PrincipalArn": "true" } }, everyone),
    allow({ Null: { "aws:SecureTransport": "yes" } }, everyone),
    allow({ Null: { "aws:SecureTransport": ["true", "yes"] } }, everyone),
    allow({ Null: { "aws:SecureTransport": [] } }, everyone),
    allow({ Null: { "aws:MultiFactorAuthPresent": ["true", "false"] } }, everyone),
  ].map((statement) => ({
    name: `passes ${JSON.stringify(statement.Condition)} in the policy of a resource`,
    type: "RESOURCE_POLICY" as const,
    statement,
    findings: [],
  })),
]);
