import { checkCases } from "../../../test/support/check-cases.ts";
import { conditionEffect } from "../condition-effect.ts";

const on = (Condition: object, Effect = "Allow") => ({
  Effect,
  Action: "s3:GetObject",
  Resource: "arn:aws:s3:::reports/*",
  Condition,
});

checkCases(conditionEffect, [
  {
    name: "an Allow for one second",
    statement: on({ DateEquals: { "aws:CurrentTime": "2099-01-01T00:00:00Z" } }),
    findings: [
      {
        issue_type: "condition_never_true",
        severity: "error",
        message:
          /holds in the very second .* only\. At every other time this Allow grants nothing\.$/,
      },
    ],
  },
  {
    name: "a Deny for one second",
    statement: on({ DateEquals: { "aws:CurrentTime": "2099-01-01" } }, "Deny"),
    findings: [{ issue_type: "condition_never_true", severity: "high", message: /this Deny/ }],
  },
  ...[
    { DateLessThan: { "aws:CurrentTime": "2099-01-01T00:00:00Z" } },
    { DateGreaterThan: { "aws:CurrentTime": "2099-01-01T00:00:00Z" } },
    { DateNotEquals: { "aws:CurrentTime": "2099-01-01T00:00:00Z" } },
    { DateEquals: { "aws:TokenIssueTime": "2099-01-01T00:00:00Z" } },
    { DateEquals: { "aws:CurrentTime": `\${aws:PrincipalTag/day}` } },
  ].map((condition) => ({
    name: `accepts ${JSON.stringify(condition)}`,
    statement: on(condition),
    findings: [],
  })),
  {
    name: "a Deny of the requests through a VPC endpoint",
    statement: on({ Null: { "aws:SourceVpce": "false" } }, "Deny"),
    findings: [
      {
        issue_type: "condition_inverted",
        severity: "high",
        message: /stops the requests that come through a VPC endpoint and not the others/,
      },
    ],
  },
  ...[
    { Null: { "aws:SourceVpce": "true" } },
    {
      Null: { "aws:SourceVpc": "false" },
      StringNotEquals: { "aws:SourceVpce": "vpce-0a1b2c3d4e5f67890" },
    },
    { StringNotEquals: { "aws:SourceVpce": "vpce-0a1b2c3d4e5f67890" } },
  ].map((condition) => ({
    name: `accepts a Deny with ${JSON.stringify(condition)}`,
    statement: on(condition, "Deny"),
    findings: [],
  })),
]);
