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
  ...[
    { DateLessThan: { "aws:CurrentTime": "2020-01-01T00:00:00Z" } },
    { DateLessThanEquals: { "aws:CurrentTime": ["2020-01-01", "2019-12-31T23:59:59Z"] } },
    { DateLessThan: { "aws:EpochTime": "1577836800" } },
    { NumericLessThan: { "aws:EpochTime": "1577836800" } },
    { DateLessThan: { "aws:CurrentTime": "2020" } },
    { DateLessThanIfExists: { "aws:CurrentTime": "2020-01-01T00:00:00Z" } },
    { DateEquals: { "aws:CurrentTime": "2020-01-01T00:00:00Z" } },
    { NumericEquals: { "aws:EpochTime": "1577836800" } },
    { DateLessThan: { "aws:TokenIssueTime": "2020-01-01T00:00:00Z" } },
  ].map((condition) => ({
    name: `an Allow whose time is over: ${JSON.stringify(condition)}`,
    statement: on(condition),
    findings: [
      {
        issue_type: "condition_never_true",
        severity: "error" as const,
        message: new RegExp(
          `${JSON.stringify(condition).includes('Equals"') && !JSON.stringify(condition).includes("Than") ? "holds" : "ends"} at \`.*\`, before 2026-01-31, the day of the reference data\\. The condition never`,
        ),
        suggestion: "Write an end in the future, or remove the statement.",
      },
    ],
  })),
  {
    name: "a Deny of older sessions did its work when those ended",
    statement: on({ DateLessThan: { "aws:TokenIssueTime": "2020-01-01T00:00:00Z" } }, "Deny"),
    findings: [
      {
        issue_type: "condition_never_true",
        severity: "info",
        message: /It denied older sessions, and those have expired since\.$/,
      },
    ],
  },
  {
    name: "a Deny until a time that has passed",
    statement: on({ DateLessThan: { "aws:CurrentTime": "2020-01-01T00:00:00Z" } }, "Deny"),
    findings: [{ severity: "high", message: /so this Deny stops no request\.$/ }],
  },
  ...[
    { DateGreaterThan: { "aws:CurrentTime": "2020-01-01T00:00:00Z" } },
    { DateGreaterThanEquals: { "aws:CurrentTime": ["2098-01-01", "2020-01-01"] } },
    {
      DateGreaterThan: { "aws:CurrentTime": "2020-01-01T00:00:00Z" },
      DateLessThan: { "aws:TokenIssueTime": "2098-01-01T00:00:00Z" },
    },
    {
      DateGreaterThan: { "aws:CurrentTime": "2020-01-01T00:00:00Z" },
      DateLessThanX: { "aws:CurrentTime": "2098-01-01T00:00:00Z" },
    },
    {
      DateGreaterThan: { "aws:CurrentTime": "2020-01-01T00:00:00Z" },
      DateLessThan: { "s3:object-lock-retain-until-date": "2098-01-01T00:00:00Z" },
    },
  ].map((condition) => ({
    name: `an Allow since a time that has passed, without an end: ${JSON.stringify(condition)}`,
    statement: on(condition),
    findings: [
      {
        issue_type: "condition_always_true",
        severity: "info" as const,
        message:
          /begins at `.*`, before 2026-01-31, the day of the reference data, so it holds for every request since\. It no longer limits anything\.$/,
        suggestion: "Add an end where the grant is for a time; else remove the entry.",
      },
    ],
  })),
  ...[
    {
      DateGreaterThan: { "aws:CurrentTime": "2020-01-01" },
      DateLessThan: { "aws:CurrentTime": "2098-01-01" },
    },
    {
      DateGreaterThan: { "aws:CurrentTime": "2020-01-01" },
      NumericLessThan: { "aws:EpochTime": "4070908800" },
    },
    {
      DateGreaterThan: { "aws:CurrentTime": "2020-01-01" },
      DateLessThan: { "aws:CurrentTime": "${aws:PrincipalTag/end}" },
    },
    { DateGreaterThan: { "aws:TokenIssueTime": "2020-01-01" } },
    { DateGreaterThan: { "s3:object-lock-retain-until-date": "2020-01-01" } },
    { DateLessThanIfExists: { "aws:TokenIssueTime": "2020-01-01" } },
    { "ForAnyValue:DateLessThan": { "aws:CurrentTime": "2020-01-01" } },
    { DateLessThan: { "aws:CurrentTime": ["2020-01-01", "2098-01-01"] } },
    { DateLessThan: { "aws:CurrentTime": ["2020-01-01", "soon"] } },
    { DateLessThan: { "aws:CurrentTime": "2026-01-31T00:00:00Z" } },
    { DateLessThan: { "aws:CurrentTime": [] } },
    { DateNotEquals: { "aws:CurrentTime": "2020-01-01" } },
  ].map((condition) => ({
    name: `times that some requests meet: ${JSON.stringify(condition)}`,
    statement: on(condition),
    findings: [],
  })),
  {
    name: "a Deny since a time that has passed",
    statement: on({ DateGreaterThan: { "aws:CurrentTime": "2020-01-01T00:00:00Z" } }, "Deny"),
    findings: [],
  },
  {
    name: "what to write in place of one second",
    statement: on({ DateEquals: { "aws:CurrentTime": "2099-01-01T00:00:00Z" } }),
    findings: [
      {
        message:
          "`DateEquals` on `aws:CurrentTime` holds in the very second `2099-01-01T00:00:00Z` only. At every other time this Allow grants nothing.",
        suggestion: "Write an end with `DateLessThan`, and a start with `DateGreaterThan`.",
      },
    ],
  },
]);
