import { checkCases } from "../../test/support/check-cases.ts";
import { embeddedServices } from "../services/embedded.ts";
import { notActionNotResource } from "./not-action-not-resource.ts";

const mfa = { Bool: { "aws:MultiFactorAuthPresent": "true" } };
const bucket = "arn:aws:s3:::example-bucket/*";
const allow = (elements: object) => ({ Effect: "Allow", ...elements });
const deny = (elements: object) => ({ Effect: "Deny", ...elements });

checkCases(notActionNotResource, [
  {
    name: "an Allow that excludes actions, under a condition, has a fixed severity",
    statement: allow({ NotAction: "iam:*", Resource: "*", Condition: mfa }),
    options: { severity: "low" },
    findings: [
      {
        at: 0,
        issue_type: "not_action_allow",
        severity: "medium",
        field_name: "action",
        action: "iam:*",
        resource: null,
        path: "/Statement/0/NotAction",
        message:
          "`NotAction` in an Allow grants every action but `iam:*`, under a condition. Every service stays granted except `iam`.",
        suggestion:
          /^List the granted actions with `Action`\. If the exclusion is meant, make sure/,
      },
    ],
  },
  {
    name: "without a condition the severity is that of the check; the values are as written",
    statement: allow({ NotAction: ["iam:*", "sts:AssumeRole", "kms:Decrypt"], Resource: "*" }),
    findings: [
      {
        issue_type: "not_action_allow_no_condition",
        severity: "high",
        action: "iam:*, sts:AssumeRole, kms:Decrypt",
        field_name: "action",
        path: "/Statement/0/NotAction",
        message:
          /^`NotAction` in an Allow grants every action but `iam:\*`, `sts:AssumeRole`, `kms:Decrypt`, without any condition\. /,
        suggestion: /put what must never happen into a Deny/,
      },
    ],
  },
  {
    name: "an empty condition is none",
    statement: [
      allow({ NotAction: "iam:*", Resource: "*", Condition: {} }),
      allow({ NotAction: "iam:*", Resource: "*", Condition: { StringEquals: {} } }),
    ],
    findings: [
      { at: 0, issue_type: "not_action_allow_no_condition" },
      { at: 1, issue_type: "not_action_allow_no_condition" },
    ],
  },
  {
    name: "says what stays granted: at most five whole services, at most three services cut into",
    statement: [
      allow({ NotAction: ["a:*", "b:*", "c:*", "d:*", "e:*", "f:*"], Resource: "*" }),
      allow({ NotAction: ["a:X", "b:X", "c:X", "D:X", "a:Y"], Resource: "*" }),
      allow({ NotAction: ["a:*Get", "b:Get*", "c:**"], Resource: [bucket, "*"] }),
      allow({ NotAction: "s3", Resource: "*" }),
      allow({ NotAction: "iam:*", Resource: bucket }),
    ],
    findings: [
      { message: /Every service stays granted except `a`, `b`, `c`, `d`, `e` and 1 more\.$/ },
      { message: /including every other action of `a`, `b`, `c` and 1 more\.$/ },
      { message: /Every service stays granted except `c`\.$/ },
      { message: /any condition\. Every service stays granted\.$/ },
      {
        message:
          / Every other action that works on the resources of the statement stays granted\.$/,
      },
    ],
  },
  {
    name: "an Allow that excludes resources and names none, or names wildcards",
    statement: [
      allow({ Action: "s3:GetObject", NotResource: bucket }),
      allow({
        Action: "s3:GetObject",
        NotResource: bucket,
        Resource: ["arn:aws:s3:::a*", "arn:aws:s3:::b"],
      }),
      allow({ Action: "s3:GetObject", NotResource: bucket, Resource: "arn:aws:s3:::b/a" }),
    ],
    findings: [
      {
        at: 0,
        issue_type: "not_resource_broad",
        severity: "high",
        field_name: "resource",
        action: null,
        resource: bucket,
        path: "/Statement/0/NotResource",
        message: `\`NotResource\` in an Allow reaches every resource but \`${bucket}\`, those created later included.`,
        suggestion: /^Name the resources with `Resource`/,
      },
      { at: 1, issue_type: "not_resource_broad" },
    ],
  },
  {
    name: "a NotResource beside named actions and a condition that limits is medium",
    statement: [
      allow({ Action: "s3:GetObject", NotResource: bucket, Condition: mfa }),
      allow({ Action: ["s3:GetObject", "s3:Get*"], NotResource: bucket, Condition: mfa }),
      allow({
        Action: "s3:GetObject",
        NotResource: bucket,
        Condition: { Bool: { "aws:SecureTransport": "true" } },
      }),
    ],
    findings: [
      { at: 0, issue_type: "not_resource_broad", severity: "medium" },
      { at: 1, issue_type: "not_resource_broad", severity: "high" },
      { at: 2, issue_type: "not_resource_broad", severity: "high" },
    ],
  },
  {
    name: "a NotResource passes in an Allow with a principal, and in one that names resources",
    statement: [
      allow({ Action: "s3:GetObject", NotResource: bucket, Principal: "*" }),
      allow({ Action: "s3:GetObject", NotResource: bucket, NotPrincipal: { AWS: "1" } }),
      allow({ Action: "s3:GetObject", NotResource: bucket, Resource: "arn:aws:s3:::a" }),
    ],
    findings: [],
  },
  {
    name: "both exclusions are critical whatever the configuration says",
    statement: allow({ NotAction: "iam:*", NotResource: bucket, Condition: mfa }),
    options: { severity: "low" },
    findings: [
      {
        issue_type: "combined_not_action_not_resource",
        severity: "critical",
        field_name: "action",
        action: "iam:*",
        resource: bucket,
        path: "/Statement/0/NotAction",
        message: `\`NotAction\` and \`NotResource\` together grant nearly everything: every action but \`iam:*\`, on every resource but \`${bucket}\`.`,
        suggestion: /^Write down what is granted/,
      },
    ],
  },
  {
    name: "an Allow that excludes everything grants nothing",
    statement: [
      allow({ NotAction: ["iam:*", "*:*"], Resource: "*" }),
      allow({ NotAction: "iam:*", NotResource: ["**"] }),
      allow({ Action: "s3:GetObject", NotResource: "*" }),
    ],
    findings: [
      {
        at: 0,
        issue_type: "not_action_allow_ineffective",
        severity: "low",
        field_name: "action",
        action: "iam:*, *:*",
        path: "/Statement/0/NotAction/1",
        message:
          "This Allow excludes every action (`NotAction` contains `*:*`), so it grants nothing.",
        suggestion: "Remove the statement, or list with `Action` what it should grant.",
      },
      {
        at: 1,
        issue_type: "not_resource_allow_ineffective",
        severity: "low",
        field_name: "resource",
        resource: "**",
        message:
          "This Allow excludes every resource (`NotResource` contains `**`), so it grants nothing.",
        suggestion: "Remove the statement, or name with `Resource` what it should reach.",
      },
      { at: 2, issue_type: "not_resource_allow_ineffective", severity: "low" },
    ],
  },
  {
    name: "a condition that limits neither who nor what does not lower it",
    statement: allow({
      NotAction: "iam:*",
      Resource: "*",
      Condition: { Bool: { "aws:SecureTransport": "true" } },
    }),
    findings: [
      {
        issue_type: "not_action_allow_no_condition",
        severity: "high",
        message: /without a condition that limits it/,
      },
    ],
  },
  {
    name: "what a Deny takes back completely is not reported",
    statement: [
      allow({ NotAction: "iam:*", Resource: bucket }),
      deny({ Action: "*", Resource: "arn:aws:s3:::example-bucket*" }),
      allow({ Action: "sqs:SendMessage", NotResource: bucket }),
      allow({ Action: ["sqs:SendMessage", "kms:Decrypt"], NotResource: bucket }),
      deny({ Action: "sqs:*", Resource: "*" }),
    ],
    findings: [{ at: 3, issue_type: "not_resource_broad" }],
  },
  {
    name: "an Allow without effect is reported in SCPs too",
    statement: allow({ NotAction: "*", Resource: "*" }),
    type: "SERVICE_CONTROL_POLICY",
    findings: [{ issue_type: "not_action_allow_ineffective", severity: "low" }],
  },
  {
    name: "a Deny that exempts every action denies nothing",
    statement: deny({ NotAction: ["iam:*", "*"], Resource: "*" }),
    findings: [
      {
        issue_type: "not_action_deny_ineffective",
        severity: "high",
        field_name: "action",
        action: "iam:*, *",
        path: "/Statement/0/NotAction/1",
        message: "This Deny exempts every action (`NotAction` contains `*`), so it denies nothing.",
        suggestion: /^List in `NotAction` only what stays allowed/,
        example: null,
      },
    ],
  },
  {
    name: "a Deny on all resources that exempts actions is put up for review",
    statement: [
      deny({ NotAction: ["iam:*", "sts:*"], Resource: [bucket, "*"] }),
      deny({ NotAction: "iam:*", Resource: bucket }),
    ],
    options: { severity: "critical" },
    findings: [
      {
        at: 0,
        issue_type: "not_action_deny_review",
        severity: "low",
        field_name: "action",
        action: "iam:*, sts:*",
        path: "/Statement/0/NotAction",
        message:
          "This Deny on all resources exempts `iam:*`, `sts:*` and denies everything else. Make sure that both are meant.",
        suggestion: /^Keep the list as short as possible/,
        example: null,
      },
    ],
  },
  {
    name: "a Deny that exempts every resource denies nothing",
    statement: deny({ Action: "s3:*", NotResource: [bucket, "*"] }),
    findings: [
      {
        issue_type: "not_resource_deny_ineffective",
        severity: "high",
        field_name: "resource",
        resource: `${bucket}, *`,
        path: "/Statement/0/NotResource/1",
        message:
          "This Deny exempts every resource (`NotResource` contains `*`), so it denies nothing.",
        suggestion: /^List in `NotResource` only what stays allowed/,
      },
    ],
  },
  {
    name: "a Deny of wildcard actions that exempts resources is put up for review",
    statement: [
      deny({ Action: ["s3:PutObject", "s3:Get*"], NotResource: [bucket, "arn:aws:s3:::a"] }),
      deny({ Action: "s3:GetObject", NotResource: bucket }),
    ],
    findings: [
      {
        at: 0,
        issue_type: "not_resource_deny_review",
        severity: "low",
        field_name: "resource",
        resource: `${bucket}, arn:aws:s3:::a`,
        path: "/Statement/0/NotResource",
        message:
          /^This Deny of wildcard actions exempts the resources `[^`]+`, `arn:aws:s3:::a`\. /,
        suggestion: /^Keep the list as short as possible/,
      },
    ],
  },
  {
    name: "what is found about a Deny is found independently of the rest",
    statement: deny({ NotAction: "*", NotResource: "*", Resource: "*" }),
    findings: [
      { issue_type: "not_action_deny_ineffective" },
      { issue_type: "not_resource_deny_ineffective" },
    ],
  },
  {
    name: "in SCPs and RCPs only Deny statements are checked",
    statement: [
      allow({ NotAction: "iam:*", Resource: "*" }),
      deny({ NotAction: "*", Resource: "*" }),
    ],
    type: "SERVICE_CONTROL_POLICY",
    findings: [{ at: 1, issue_type: "not_action_deny_ineffective" }],
  },
  {
    name: "an ignore pattern meets the excluded actions as they are written",
    statement: allow({ NotAction: "iam:*", Resource: "*" }),
    options: { ignore_patterns: [{ action: "^iam:" }] },
    findings: [],
  },
]);

const keys = { NotResource: "arn:aws:kms:*:111122223333:key/*", Condition: mfa };

checkCases(
  notActionNotResource,
  [
    {
      name: "a pattern for the forms of one action is as narrow as its name, in any letter case",
      statement: [
        allow({ Action: ["kms:Decrypt", "kms:GenerateDataKey*"], ...keys }),
        allow({ Action: "KMS:GENERATEDATAKEY*", ...keys }),
        allow({ Action: "kms:Get*", ...keys }),
      ],
      findings: [
        { at: 0, severity: "medium" },
        { at: 1, severity: "medium" },
        { at: 2, severity: "high" },
      ],
    },
    {
      name: "a NotResource passes that leaves only requests without a resource, such as text messages",
      statement: [
        allow({ Action: "sns:Publish", NotResource: "arn:aws:sns:*:*:*" }),
        allow({ Action: ["sns:Publish", "sns:CreateTopic"], NotResource: "arn:aws:sns:*:*:*" }),
        allow({ Action: "sns:Publish", NotResource: "arn:aws:sns:*:111122223333:*" }),
        allow({ Action: "sns:*", NotResource: "arn:aws:sns:*:*:*" }),
        allow({ Action: "sns:ListTopics", NotResource: "arn:aws:sns:*:*:*" }),
      ],
      findings: [2, 3, 4].map((at) => ({ at, issue_type: "not_resource_broad" })),
    },
  ],
  embeddedServices(),
);
