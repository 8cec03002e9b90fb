import { expect } from "vitest";
import { checkCases } from "../../../test/support/check-cases.ts";
import { actionConditionEnforcement } from "../action-condition-enforcement.ts";

const anyRole = "arn:aws:iam::111122223333:role/*";
const allow = (Action: unknown, more: object = {}) => ({
  Effect: "Allow",
  Action,
  Resource: "*",
  ...more,
});
const passRole = (more: object = {}) => allow("iam:PassRole", { Resource: anyRole, ...more });
const missing = { issue_type: "missing_required_condition" } as const;
const missingAny = { issue_type: "missing_required_condition_any_of" } as const;
const detected = { issue_type: "action_detected" } as const;
const rules = (...requirements: object[]) => ({ requirements });
/** A requirement of one condition. */
const needs = (actions: unknown, condition: object, more: object = {}) =>
  rules({ actions, required_conditions: [condition], ...more });
/** A fix with this effect and condition, which asks for these placeholders. */
const fixes = (effect: string, Condition: object, ...placeholders: string[]) =>
  expect.objectContaining({
    effect,
    needs_input: placeholders.map((placeholder) => expect.objectContaining({ placeholder })),
    patch: expect.arrayContaining([expect.objectContaining({ value: Condition })]),
  });

checkCases(actionConditionEnforcement, [
  {
    name: "says of one action and of several what is granted, and what to do",
    statement: [allow("x:A"), allow(["x:A", "x:B"])],
    options: rules(
      { actions: "x:B" },
      { actions: ["x:A", "x:B"] },
      { actions: { none_of: ["x:B"] } },
      { actions: { none_of: ["x:A", "x:B"] } },
    ),
    findings: [
      {
        ...detected,
        message: "`x:B` is granted, which the organisation's configuration wants to know.",
        suggestion: "Remove it if there is no need, or have the grant reviewed.",
      },
      {
        ...detected,
        message:
          "`x:A`, `x:B` are granted in 2 statements, which the organisation's configuration wants to know.",
        suggestion: "Remove them if there is no need, or have the grant reviewed.",
      },
      {
        issue_type: "forbidden_action",
        message: "`x:B` may not be granted.",
        suggestion: "Remove it from `Action`, or narrow the wildcard.",
      },
      {
        at: 0,
        message: "`x:A` may not be granted.",
        suggestion:
          "Remove it from `Action`, or narrow the wildcard. The requirement concerns 2 statements.",
      },
      {
        at: 1,
        message: "`x:A`, `x:B` may not be granted.",
        suggestion: /^Remove them from `Action`/,
      },
    ],
  },
  {
    name: "says what several entries and wildcards are granted without",
    statement: [allow(["x:A", "x:B"]), allow("iam:*"), allow(["iam:PassR*", "iam:Pass*"])],
    options: rules(
      { actions: ["x:A", "x:B"], required_conditions: [{ condition_key: "a:b" }] },
      {
        actions: ["iam:PassRole", "iam:CreateRole"],
        required_conditions: {
          all_of: [{ condition_key: "a:b" }, { condition_key: "a:c", description: "Add a:c." }],
        },
      },
    ),
    findings: [
      {
        ...missing,
        at: 0,
        message: "`x:A`, `x:B` are granted without the condition `a:b`.",
        suggestion: "Add `a:b` to the statement's `Condition`.",
      },
      {
        at: 1,
        message:
          "`iam:*` (which covers `iam:PassRole`, `iam:CreateRole`) is granted without the condition `a:b`. All 2 conditions of the requirement are needed together.",
        suggestion:
          "Add `a:b` to the statement's `Condition`. The requirement concerns 2 statements.",
      },
      { at: 1, suggestion: "Add a:c. The requirement concerns 2 statements." },
      { at: 2, message: /^`iam:PassR\*`, `iam:Pass\*` are granted without/ },
      { at: 2 },
    ],
  },
  {
    name: "the fix names the one service that takes roles, or asks for it",
    statement: [passRole()],
    findings: [
      {
        ...missing,
        fix: fixes(
          "narrows",
          { StringEquals: { "iam:PassedToService": "<service>.amazonaws.com" } },
          "<service>",
        ),
      },
    ],
  },
  {
    name: "names all services of a few, also those of other statements, and not those of a Deny",
    statement: [
      passRole(),
      allow(["ec2:RunInstances", "lambda:CreateFunction"]),
      allow("ecs:RunTask", { Effect: "Deny" }),
    ],
    findings: [
      {
        ...missing,
        example:
          /"iam:PassedToService": \[\s+"ec2\.amazonaws\.com",\s+"lambda\.amazonaws\.com"\s+\]/,
      },
    ],
  },
  {
    name: "shows and fixes no entry with a wildcard, and no statement with `NotAction`",
    statement: [
      allow("iam:Pass*", { Resource: anyRole }),
      allow(["iam:Pass*", "ec2:RunInstances"]),
    ],
    findings: [0, 1].map((at) => ({ ...missing, at, example: null, fix: null })),
  },
  {
    name: "moves the action to a statement where the condition is, and leaves one that grants",
    statement: [
      allow(["iam:PassRole", "ec2:RunInstances"]),
      allow(["iam:PassRole", "ec2:RunInstances"], { Resource: anyRole }),
    ],
    findings: [
      {
        ...missing,
        at: 0,
        example_path: "/Statement",
        fix: expect.objectContaining({ effect: "narrows" }),
      },
      { ...missing, at: 1, example: null, fix: null },
    ],
  },
  {
    name: "replaces a test of the key that is not enough",
    statement: passRole({
      Condition: { StringEquals: { "IAM:passedtoservice": "ec2.amazonaws.com", "x:y": "1" } },
    }),
    options: needs("iam:PassRole", {
      condition_key: "iam:PassedToService",
      operator: "StringEquals",
      expected_value: "lambda.amazonaws.com",
    }),
    findings: [{ ...missing, fix: expect.objectContaining({ effect: "changes" }) }],
  },
  {
    name: "asks for values by the type of the key, and for none under a named operator",
    statement: allow("x:A"),
    options: rules(
      ...[
        { condition_key: "aws:PrincipalOrgID" },
        { condition_key: "aws:SourceIp" },
        { condition_key: "aws:SourceArn" },
        { condition_key: "aws:MultiFactorAuthAge" },
        { condition_key: "a:b", operator: "StringLike" },
        { condition_key: "a:b", expected_value: "c" },
      ].map((condition) => ({ actions: "x:A", required_conditions: [condition] })),
    ),
    findings: [
      { fix: fixes("narrows", { StringEquals: { "aws:PrincipalOrgID": "<value>" } }, "<value>") },
      { fix: fixes("narrows", { IpAddress: { "aws:SourceIp": "<value>" } }, "<value>") },
      { fix: fixes("narrows", { ArnLike: { "aws:SourceArn": "<value>" } }, "<value>") },
      { fix: null },
      { fix: null },
      { fix: fixes("narrows", { StringEquals: { "a:b": "c" } }) },
    ],
  },
  {
    name: "does not repeat the wildcard for a condition that weighs less",
    statement: [
      allow(["kms:Decrypt", "sqs:SendMessage"]),
      allow(["kms:Decrypt", "sqs:SendMessage"], {
        Resource: [
          "arn:aws:kms:eu-west-1:111122223333:key/k",
          "arn:aws:sqs:eu-west-1:111122223333:q",
        ],
      }),
    ],
    options: needs("kms:Decrypt", { condition_key: "aws:PrincipalOrgID" }, { severity: "low" }),
    findings: [
      { ...missing, at: 0, severity: "low", fix: null },
      { ...missing, at: 1, fix: expect.objectContaining({ effect: "narrows" }) },
    ],
  },
  {
    name: "bounds objects by the account of the caller, as a variable where the version has them",
    statement: allow("s3:GetObject"),
    findings: [
      {
        ...missingAny,
        example: /"aws:ResourceAccount": "\$\{aws:PrincipalAccount\}"/,
        fix: fixes("narrows", {
          StringEquals: { "aws:ResourceAccount": "${aws:PrincipalAccount}" },
        }),
      },
    ],
  },
  {
    name: "and as a number where it has none",
    policy: { Version: "2008-10-17", Statement: [allow("s3:GetObject")] },
    findings: [
      {
        ...missingAny,
        example: /"aws:ResourceAccount": "111122223333"/,
        fix: fixes(
          "narrows",
          { StringEquals: { "aws:ResourceAccount": "<account-id>" } },
          "<account-id>",
        ),
      },
    ],
  },
  {
    name: "shows the example of an alternative, and no fix where the author chooses",
    statement: allow("x:A"),
    options: rules(
      {
        actions: "x:A",
        required_conditions: {
          any_of: [{ condition_key: "a:b" }, { condition_key: "c:d", example: "{}" }],
        },
      },
      { actions: "x:A", required_conditions: { any_of: [{ condition_key: "a:b" }] } },
    ),
    findings: [
      {
        ...missingAny,
        message: "`x:A` is granted without any of these conditions: `a:b` or `c:d`.",
        example: "{}",
        fix: null,
      },
      { ...missingAny, example: null, fix: null },
    ],
  },
]);
