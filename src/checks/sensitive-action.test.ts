import { expect, test } from "vitest";
import { checkCases } from "../../test/support/check-cases.ts";
import { actionConditionEnforcement } from "./action-condition-enforcement.ts";
import { sensitiveAction } from "./sensitive-action.ts";

const allow = (Action: unknown, Condition?: object) => ({
  Effect: "Allow",
  Action,
  Resource: "*",
  ...(Condition ? { Condition } : {}),
});
const mfa = { Bool: { "aws:MultiFactorAuthPresent": "true" } };
const missing = { issue_type: "missing_condition", field_name: "action" } as const;
const escalation = {
  issue_type: "privilege_escalation",
  statement_index: -1,
  field_name: null,
  action: null,
} as const;

checkCases(sensitiveAction, [
  {
    name: "reports a sensitive action without a condition, at its entry, in AWS's spelling",
    statement: allow(["s3:ListBucket", "iam:createaccesskey"]),
    findings: [
      {
        ...missing,
        at: 0,
        severity: "critical",
        action: "iam:CreateAccessKey",
        path: "/Statement/0/Action/1",
        message:
          "The sensitive action `iam:CreateAccessKey` is granted on every resource without any condition. It is sensitive because it hands out, creates or resets credentials, tokens, keys or secrets.",
        suggestion: /^Name the resources in `Resource`, such as `arn:aws:iam::/,
      },
    ],
  },
  {
    name: "each category has its severity",
    statement: ["iam:CreateAccessKey", "s3:GetObject", "iam:PassRole", "s3:PutBucketPolicy"].map(
      (action) => allow(action),
    ),
    findings: ["critical", "high", "critical", "high"].map((severity, at) => ({
      ...missing,
      at,
      severity: severity as "critical",
    })),
  },
  {
    name: "several actions make one finding with the worst severity, no action, texts of the first",
    statement: allow(["s3:GetObject", "iam:*"]),
    findings: [
      { ...escalation, severity: "high" },
      {
        ...missing,
        at: 0,
        severity: "critical",
        action: null,
        path: "/Statement/0/Action/0",
        message:
          "6 sensitive actions are granted on every resource without any condition: `s3:GetObject`, `iam:AttachRolePolicy`, `iam:CreateAccessKey`, `iam:CreateRole`, `iam:PassRole`, `iam:TagRole`.",
        suggestion: /^Name the resources/,
      },
    ],
  },
  {
    name: "names ten actions and the number of the rest",
    statement: allow(Array.from({ length: 12 }, (_, index) => `x:A${index}`)),
    options: { sensitive_actions: ["x:*"] },
    findings: [{ ...missing, message: /^12 sensitive .*`x:A9` and 2 more\.$/ }],
  },
  {
    name: "says by which entry a single action is granted",
    statement: allow("iam:Pass*"),
    findings: [
      {
        ...missing,
        action: "iam:PassRole",
        message: /granted by `iam:Pass\*` on every resource without/,
      },
    ],
  },
  {
    name: "a condition silences it, unless it limits neither who nor what; the message says why",
    statement: [
      allow("iam:CreateAccessKey", mfa),
      allow("iam:CreateAccessKey", { StringNotEquals: { "aws:PrincipalTag/x": "y" } }),
      allow("iam:CreateAccessKey", { StringEqualsIfExists: { "aws:SourceVpc": "vpc-1" } }),
      allow("iam:CreateAccessKey", { Null: { "aws:MultiFactorAuthAge": "false" } }),
      allow("iam:CreateAccessKey", { IpAddress: { "aws:SourceIp": "0.0.0.0/0" } }),
      allow("iam:CreateAccessKey", { "ForAllValues:StringEquals": { "aws:TagKeys": ["x"] } }),
    ],
    findings: [
      { ...missing, at: 2, message: /holds for requests without `aws:SourceVpc` too/ },
      { ...missing, at: 3, message: /`Null` asks only whether `aws:MultiFactorAuthAge` is in/ },
      {
        ...missing,
        at: 4,
        message: /`aws:SourceIp` holds for more than 16 million public addresses/,
      },
      { ...missing, at: 5, message: /holds for requests without `aws:TagKeys` too/ },
    ],
  },
  {
    name: "leaves `*` to the wildcard checks, and Deny and NotAction alone",
    statement: [
      allow(["*", "*:*"]),
      { Effect: "Deny", Action: "iam:CreateAccessKey", Resource: "*" },
      { Effect: "Allow", NotAction: "s3:*", Resource: "*" },
    ],
    findings: [],
  },
  {
    name: "does not check trust policies",
    statement: {
      Effect: "Allow",
      Principal: { AWS: "111122223333" },
      Action: "sts:AssumeRoleWithSAML",
    },
    findings: [],
  },
  {
    name: "does not check SCPs",
    statement: allow("iam:CreateAccessKey"),
    type: "SERVICE_CONTROL_POLICY",
    findings: [],
  },
  {
    name: "normal and harmless actions are not on the list",
    statement: allow(["iam:GetServiceLinkedRoleDeletionStatus", "waf:GetChangeToken"]),
    findings: [],
  },
  {
    name: "the categories in use can be chosen",
    statement: allow(["iam:CreateAccessKey", "s3:PutBucketPolicy"]),
    options: { categories: ["resource_exposure"] },
    findings: [{ ...missing, severity: "high", action: "s3:PutBucketPolicy" }],
  },
  {
    name: "an action of two categories is in both and has the severity of the first",
    statement: allow("iam:CreateAccessKey"),
    options: {
      categories: ["priv_esc"],
      category_severities: { credential_exposure: "info", priv_esc: "error" },
    },
    findings: [{ ...missing, severity: "info" }],
  },
  {
    name: "a category's severity of none drops the finding; the other categories keep theirs",
    statement: [allow("s3:GetObject"), allow("s3:PutBucketPolicy")],
    options: { category_severities: { data_access: "none" } },
    findings: [{ ...missing, at: 1, severity: "high" }],
  },
  {
    name: "no categories: nothing at statement level, own entries included; combinations stay",
    statement: allow(["iam:PassRole", "ec2:RunInstances", "x:A"]),
    options: { categories: [], sensitive_actions: ["x:A"] },
    findings: [escalation],
  },
  {
    name: "own actions, patterns and groups add to the list",
    statement: [
      allow("x:One"),
      allow("X:TWO"),
      allow("x:Deep"),
      allow("x:Both"),
      allow("x:Bo"),
      allow(["x:P", "x:Q"]),
      allow("x:P"),
    ],
    options: {
      sensitive_actions: [
        "x:one",
        { any_of: ["x:Two", "x:D*"] },
        { all_of: ["x:P", "x:Q"], severity: "low" },
      ],
      sensitive_action_patterns: [{ all_of: ["^x:B", ".*h$"] }],
    },
    findings: [
      { ...escalation, severity: "low" },
      { ...escalation, severity: "medium", message: /`x:Both` \(statement 4\)/ },
      { ...missing, at: 0, severity: "medium", action: "x:One", message: /configuration names it/ },
      { ...missing, at: 1, action: "X:TWO" },
      { ...missing, at: 2 },
      { ...missing, at: 3 },
      { ...missing, at: 5, action: null },
    ],
  },
  {
    name: "user_only: own entries only, at both levels",
    statement: [allow("x:A"), allow(["iam:PassRole", "ec2:RunInstances"])],
    options: { merge_strategy: "user_only", sensitive_actions: { any_of: ["x:A"] } },
    findings: [{ ...missing, at: 0, action: "x:A" }],
  },
  {
    name: "defaults_only: own entries are ignored",
    statement: [allow("x:A"), allow("iam:PassRole")],
    options: { merge_strategy: "defaults_only", sensitive_actions: ["x:A"] },
    findings: [{ ...missing, at: 1 }],
  },
  {
    name: "replace_all: own entries of a level replace the defaults of that level only",
    statement: [allow("x:A"), allow(["iam:PassRole", "ec2:RunInstances"])],
    options: { merge_strategy: "replace_all", sensitive_actions: ["x:A"] },
    findings: [escalation, { ...missing, at: 0 }],
  },
  {
    name: "per_action_override: own combinations alone do not take the default actions away",
    statement: [allow("iam:PassRole"), allow("ec2:RunInstances"), allow(["x:A", "x:B"])],
    options: {
      merge_strategy: "per_action_override",
      sensitive_actions: { all_of: ["x:A", "x:B"] },
    },
    findings: [
      { ...escalation, message: /`x:A`/ },
      { ...missing, at: 0, action: "iam:PassRole" },
    ],
  },
  {
    name: "actions that a requirement sees to are left to it",
    statement: [allow("iam:PassRole"), allow(["iam:PassRole", "iam:CreateRole"])],
    peers: [actionConditionEnforcement],
    findings: [{ ...missing, at: 1, action: "iam:CreateRole" }],
  },
  {
    name: "requirements by expression, of all_of actions, or that only forbid see to nothing",
    statement: [allow("iam:PassRole"), allow("s3:GetObject"), allow("iam:CreateRole")],
    peers: [actionConditionEnforcement],
    config: {
      action_condition_enforcement: {
        requirements: [
          { action_patterns: ["^iam:PassRole$"], required_conditions: [{ condition_key: "a:b" }] },
          {
            actions: ["s3:GetObject"],
            required_conditions: { none_of: [{ condition_key: "a:b" }] },
          },
          {
            actions: { all_of: ["iam:CreateRole"] },
            required_conditions: [{ condition_key: "a:b" }],
          },
        ],
      },
    },
    findings: [
      { ...missing, at: 0 },
      { ...missing, at: 1 },
      { ...missing, at: 2 },
    ],
  },
  {
    name: "requirements with wildcards, and of any_of actions, see to all they cover",
    statement: [allow("iam:PassRole"), allow("s3:GetObject")],
    peers: [actionConditionEnforcement],
    config: {
      action_condition_enforcement: {
        requirements: [
          { actions: "IAM:*", required_conditions: [{ condition_key: "a:b" }] },
          {
            actions: { any_of: ["s3:Get*"] },
            required_conditions: { any_of: [{ condition_key: "a:b" }] },
          },
        ],
      },
    },
    findings: [],
  },
  {
    name: "in the policy of a resource, delegation to named principals is not reported",
    statement: { ...allow("s3:GetObject"), Principal: { AWS: "111122223333" } },
    peers: [actionConditionEnforcement],
    findings: [],
  },
  {
    name: "ignore patterns with an action drop that action, if all their fields match",
    statement: [
      { ...allow(["iam:CreateAccessKey", "iam:CreateRole"]), Sid: "One" },
      { ...allow("iam:CreateAccessKey"), Sid: "Two" },
    ],
    options: {
      ignore_patterns: [
        { action: "accesskey$", sid: "One" },
        { filepath: ".*", action: "." },
      ],
    },
    findings: [
      { ...missing, at: 0, action: "iam:CreateRole" },
      { ...missing, at: 1, action: "iam:CreateAccessKey" },
    ],
  },
  {
    name: "ignored actions do not count for combinations",
    statement: [allow(["iam:PassRole", "ec2:RunInstances"], mfa)],
    options: { ignore_patterns: [{ action: "^iam:PassRole$" }] },
    findings: [],
  },
  {
    name: "own texts replace the built-in ones, with {action} and {actions}",
    statement: [allow("iam:PassRole"), allow(["iam:PassRole", "iam:CreateRole"])],
    options: { message_single: "One: {action} {actions}", message_multiple: "Many: {actions}" },
    findings: [
      { message: "One: iam:PassRole {actions}" },
      { message: "Many: iam:PassRole, iam:CreateRole" },
    ],
  },
  {
    name: "own guidance replaces the built-in one key by key; that of an action wins, in any category",
    statement: [
      allow("ec2:RunInstances"),
      allow("s3:PutBucketPolicy"),
      allow("iam:PassRole"),
      allow("x:A"),
    ],
    options: {
      sensitive_actions: ["ec2:RunInstances", "x:A"],
      category_suggestions: {
        priv_esc: { suggestion: "Own.", example: "" },
        data_access: {
          action_overrides: { "S3:putbucketpolicy": { suggestion: "Own override." } },
        },
      },
    },
    findings: [
      { ...escalation },
      { at: 0, severity: "medium", suggestion: /^Name the resources/ },
      { at: 1, suggestion: "Own override." },
      { at: 2, suggestion: "Own.", example: null },
      { at: 3, suggestion: /^Limit the actions? with a condition/ },
    ],
  },
  {
    name: "a combination counts over all statements, and names who grants what",
    statement: [
      { ...allow("iam:createrole"), Sid: "Make" },
      allow("iam:*Policy", mfa),
      allow("iam:AttachRolePolicy", mfa),
    ],
    findings: [
      {
        ...escalation,
        severity: "high",
        message:
          "May create a role and attach any managed policy to it: `iam:AttachRolePolicy` (statement 2, statement 3) and `iam:CreateRole` (statement `Make`).",
        suggestion: /permissions boundary/,
        path: "/Statement/1/Action",
      },
      { ...missing, at: 0 },
    ],
  },
  {
    name: "it is one step lower when every statement that grants a member has a condition that counts",
    statement: [
      allow("iam:CreateRole", mfa),
      allow("iam:AttachRolePolicy", { StringNotEquals: { "a:b": "c" } }),
    ],
    findings: [{ ...escalation, severity: "medium", message: /has a condition that limits it\.$/ }],
  },
  {
    name: "a condition that every request meets does not lower it",
    statement: allow(["iam:CreateRole", "iam:AttachRolePolicy"], { StringLike: { "a:b": "*" } }),
    findings: [{ ...escalation, severity: "high" }, { ...missing }],
  },
  {
    name: "a combination needs every member; Deny and `*` do not count",
    statement: [
      allow("iam:CreateRole", mfa),
      allow("*"),
      { Effect: "Deny", Action: "iam:AttachRolePolicy", Resource: "*" },
    ],
    findings: [],
  },
  {
    name: "own combinations have own texts, with {actions} and {statements}, and the check's severity",
    statement: [{ ...allow("x:A", mfa), Sid: "S" }, allow("x:B")],
    options: {
      merge_strategy: "user_only",
      sensitive_actions: [
        {
          all_of: ["x:A", "x:B"],
          message: "{actions} by {statements}",
          suggestion: "Split.",
          example: "{}",
        },
      ],
    },
    findings: [
      {
        ...escalation,
        severity: "medium",
        message: "x:A, x:B by statement `S`, statement 2",
        suggestion: "Split.",
        example: "{}",
      },
    ],
  },
  {
    name: "one action may serve two expressions of a combination",
    statement: allow("x:CreateAndRun", mfa),
    options: { sensitive_action_patterns: { all_of: ["^x:Create", ".*run$"], severity: "high" } },
    findings: [{ ...escalation, severity: "medium" }],
  },
]);

test.each([
  ["an unknown category", { categories: ["nonsense"] }],
  ["an unknown merge strategy", { merge_strategy: "sometimes" }],
  ["an unknown category's severity", { category_severities: { nonsense: "high" } }],
  ["an expression that does not compile", { sensitive_action_patterns: [{ any_of: ["("] }] }],
  ["an empty group", { sensitive_actions: [{ all_of: [] }] }],
])("the configuration is refused for %s", (_, options) => {
  expect(sensitiveAction.options.safeParse(options).success).toBe(false);
});
