import { checkCases } from "../../../test/support/check-cases.ts";
import { conditionEffect } from "../condition-effect.ts";

const inverted = { issue_type: "condition_inverted", severity: "high" as const };
const org = "o-a1b2c3d4e5";
const trust = (Principal: object, Action: string, Condition: object) => ({
  type: "TRUST_POLICY" as const,
  statement: { Effect: "Allow", Principal, Action, Condition },
});
const bucket = (Condition: object, Effect = "Allow") => ({
  type: "RESOURCE_POLICY" as const,
  statement: {
    Effect,
    Principal: "*",
    Action: "s3:GetObject",
    Resource: "arn:aws:s3:::reports/*",
    Condition,
  },
});
const identity = (Condition: object) => ({
  type: "IDENTITY_POLICY" as const,
  statement: {
    Effect: "Allow",
    Action: "s3:GetObject",
    Resource: "arn:aws:s3:::reports/*",
    Condition,
  },
});
const saml = { Federated: "arn:aws:iam::111122223333:saml-provider/okta" };
const build = "arn:aws:iam::444455556666:role/build";
const bySaml = "sts:AssumeRoleWithSAML";

checkCases(conditionEffect, [
  {
    name: "an Allow that excludes an organization says whom it lets in, and how to require it",
    ...bucket({ StringNotEqualsIfExists: { "aws:PrincipalOrgID": org } }),
    findings: [
      {
        ...inverted,
        message:
          "`StringNotEqualsIfExists` on `aws:PrincipalOrgID` holds where the value is not `o-a1b2c3d4e5`, so this Allow holds for callers of every other account or organization.",
        suggestion:
          "Write `StringEquals` to require the value. To make an exception, require a value as well, or put the exception into a Deny.",
        example: /"StringEquals": \{\s+"aws:PrincipalOrgID"/,
      },
    ],
  },
  {
    name: "of many excluded values the message names three",
    ...bucket({
      StringNotEquals: {
        "aws:PrincipalAccount": ["111111111111", "222222222222", "333333333333", "444444444444"],
      },
    }),
    findings: [{ message: /is not `111111111111`, `222222222222` and `333333333333`, so/ }],
  },
  ...[
    {
      ...trust(saml, bySaml, {
        StringNotEquals: { "SAML:aud": "https://signin.aws.amazon.com/saml" },
      }),
      admits: "tokens that were issued for any other audience",
    },
    ...[
      "*",
      "444455556666",
      "arn:aws:iam::444455556666:root",
      "arn:aws-cn:iam::444455556666:root",
    ].map((AWS) => ({
      ...trust({ AWS }, "sts:AssumeRole", {
        ArnNotLike: { "aws:PrincipalArn": "arn:*:iam::*:role/build" },
      }),
      admits: "every other caller that the principal covers",
    })),
    {
      ...trust({ AWS: [build, "444455556666"] }, "sts:AssumeRole", {
        ArnNotEquals: { "aws:PrincipalArn": build },
      }),
      admits: "every other caller that the principal covers",
    },
    {
      ...identity({
        StringNotEquals: { "aws:ResourceAccount": ["${aws:PrincipalAccount}", "111122223333"] },
      }),
      admits: "resources of every other account or organization",
    },
    {
      ...identity({ StringNotLike: { "aws:ResourceTag/owner": "${aws:username}" } }),
      admits: "everything but what belongs to the caller",
    },
    {
      ...identity({
        StringNotEquals: { "s3:ExistingObjectTag/team": "${aws:PrincipalTag/team}" },
        StringEquals: { "aws:ResourceTag/stage": "test" },
      }),
      admits: "everything but what belongs to the caller",
    },
  ].map(({ admits, ...one }) => ({
    name: `an Allow with ${JSON.stringify(one.statement.Condition)} holds for ${admits}`,
    ...one,
    findings: [{ ...inverted, message: new RegExp(`so this Allow holds for ${admits}\\.$`) }],
  })),
  ...[
    { name: "in a Deny", ...bucket({ StringNotEquals: { "aws:PrincipalOrgID": org } }, "Deny") },
    { name: "of no value", ...bucket({ StringNotEquals: { "aws:PrincipalOrgID": [] } }) },
    {
      name: "of a role beside the account that is required",
      ...bucket({
        ArnNotLike: { "aws:PrincipalArn": build },
        StringEquals: { "aws:PrincipalAccount": "444455556666" },
      }),
    },
    {
      name: "of a role that the principals name already",
      ...trust({ AWS: build }, "sts:AssumeRole", {
        ArnNotEquals: { "aws:PrincipalArn": "arn:aws:iam::444455556666:role/old" },
      }),
    },
    {
      name: "of a role among those of a resource",
      ...bucket({ ArnNotEquals: { "aws:PrincipalArn": build } }),
    },
    {
      name: "of the caller's own account, as AWS's policies have it",
      ...identity({ StringNotEquals: { "aws:ResourceAccount": "${aws:PrincipalAccount}" } }),
    },
    {
      name: "of an account of the callers in an identity policy",
      ...identity({ StringNotEquals: { "aws:PrincipalAccount": "444455556666" } }),
    },
    {
      name: "of a tag that is not the caller's",
      ...identity({ StringNotEquals: { "aws:ResourceTag/stage": "${aws:CurrentTime}" } }),
    },
    {
      name: "of the caller's tag among others",
      ...identity({ StringNotEquals: { "aws:ResourceTag/owner": ["${aws:username}", "none"] } }),
    },
    {
      name: "of a part beside the caller's own that is required",
      ...identity({
        StringNotLike: { "s3:ExistingObjectTag/owner": "${aws:username}-archive" },
        StringLike: { "aws:ResourceTag/owner": "${aws:username}*" },
      }),
    },
    {
      name: "of an audience outside a trust policy",
      ...bucket({ StringNotEquals: { "SAML:aud": "https://signin.aws.amazon.com/saml" } }),
    },
  ].map(({ name, ...one }) => ({
    name: `an exclusion without a finding: ${name}`,
    ...one,
    findings: [],
  })),
  ...[
    { StringEqualsIfExists: { "aws:PrincipalAccount": "444455556666" } },
    { Null: { "aws:PrincipalArn": "false" } },
    { StringNotLike: { "aws:PrincipalTag/team": "guest*" } },
    { "ForAllValues:StringEquals": { "aws:PrincipalOrgPaths": "o-a1b2c3d4e5/*" } },
    { StringEquals: { "aws:UserAgent": "x" } },
    { StringEqualsX: { "aws:PrincipalAccount": "444455556666" } },
  ].map((beside) => ({
    name: `an excluded organization beside ${JSON.stringify(beside)}, which requires no caller`,
    ...bucket({ StringNotEquals: { "aws:PrincipalOrgID": org }, ...beside }),
    findings: [{ ...inverted, condition_key: "aws:PrincipalOrgID" }],
  })),
]);
