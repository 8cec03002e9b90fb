import { checkCases } from "../../../test/support/check-cases.ts";
import { conditionEffect } from "../condition-effect.ts";

const account = "arn:aws:iam::444455556666:root";
const of = (AWS: unknown, Condition: object, Effect = "Allow") => ({
  Effect,
  Principal: { AWS },
  Action: "s3:GetObject",
  Resource: "arn:aws:s3:::reports/*",
  Condition,
});
const arn = (id: string) => `arn:aws:iam::${id}:role/ci`;

checkCases(conditionEffect, [
  ...[
    of(account, { ArnLike: { "aws:PrincipalArn": arn("777788889999") } }),
    of("444455556666", { StringEquals: { "aws:PrincipalAccount": "777788889999" } }),
    of([account, "111122223333"], { ArnEquals: { "aws:PrincipalArn": arn("777788889999") } }),
  ].map((statement) => ({
    name: `no principal is a caller that is required: ${JSON.stringify(statement.Condition)}`,
    type: "RESOURCE_POLICY" as const,
    statement,
    findings: [
      {
        issue_type: "condition_never_true",
        severity: "error" as const,
        message: /^The principals of the statement are of the account .*`777788889999`/,
      },
    ],
  })),
  ...[
    of(account, { ArnLike: { "aws:PrincipalArn": arn("444455556666") } }),
    of(account, { ArnLike: { "aws:PrincipalArn": [arn("444455556666"), arn("777788889999")] } }),
    of(account, { ArnLike: { "aws:PrincipalArn": "arn:aws:iam::*:role/ci" } }),
    of(account, { ArnLike: { "aws:PrincipalArn": "arn:aws:iam::4444*:role/ci" } }),
    of("*", { StringEquals: { "aws:PrincipalAccount": "777788889999" } }),
    of([account, "*"], { StringEquals: { "aws:PrincipalAccount": "777788889999" } }),
    of(account, { StringNotEquals: { "aws:PrincipalAccount": "777788889999" } }, "Deny"),
    of(account, { StringEquals: { "aws:PrincipalAccount": "${aws:ResourceAccount}" } }),
    of(account, { StringEqualsIfExists: { "aws:PrincipalAccount": "777788889999" } }),
    of(account, { StringLike: { "aws:PrincipalArn": "777788889999" } }),
    of(account, { StringEquals: { "aws:ResourceAccount": "777788889999" } }),
    of(account, { StringEquals: { "aws:PrincipalAccount": [] } }),
    of(account, { StringEqualsX: { "aws:PrincipalAccount": "777788889999" } }),
  ].map((statement) => ({
    name: `callers of the principals: ${JSON.stringify(statement)}`,
    type: "RESOURCE_POLICY" as const,
    statement,
    findings: [],
  })),
]);
