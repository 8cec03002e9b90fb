import { checkCases } from "../../test/support/check-cases.ts";
import { embeddedServices } from "../services/embedded.ts";
import { noNewAccess } from "./no-new-access.ts";

const allow = (
  Action: unknown,
  Resource = "arn:aws:s3:::example-reports/*",
  more: object = {},
) => ({
  Effect: "Allow",
  Action,
  Resource,
  ...more,
});
const deny = (Action: unknown, more: object = {}) => ({
  ...allow(Action, "*", more),
  Effect: "Deny",
});
const isUnknown = { Condition: { StringFuzzy: { "aws:SourceVpc": "vpc-0a1b2c3d" } } };
const added = { issue_type: "new_access", severity: "high" } as const;
const removed = { issue_type: "removed_deny", severity: "high" } as const;
const undecided = { issue_type: "new_access_undecided", severity: "high" } as const;

checkCases(
  noNewAccess,
  [
    { name: "asks nothing without a baseline", statement: allow("*", "*"), findings: [] },
    {
      name: "reports what the baseline does not allow, at the entry, with a request that shows it",
      statement: [
        allow("s3:GetObject"),
        { Sid: "Upload", ...allow(["s3:GetObject", "s3:PutObject"]) },
      ],
      baseline: [allow("s3:GetObject")],
      findings: [
        {
          ...added,
          at: 1,
          field_name: "action",
          action: "s3:PutObject",
          resource: "arn:aws:s3:::example-reports/*",
          path: "/Statement/1/Action/1",
          example: null,
          message:
            "Statement `Upload` allows `s3:PutObject` where the baseline does not. For example, a role session of `arn:aws:iam::111122223333:role/example-role` may call `s3:PutObject` on `arn:aws:s3:::example-reports/example`.",
          suggestion: /^Take the entry out/,
        },
      ],
    },
    {
      name: "says of `NotAction` that it allows all but its entries",
      statement: { Effect: "Allow", NotAction: ["iam:*", "sts:*"], Resource: "*" },
      baseline: [allow("s3:*", "*")],
      findings: [
        {
          ...added,
          field_name: "not_action",
          action: "iam:*, sts:*",
          path: "/Statement/0/NotAction/0",
          message:
            /^Statement 1 allows every action but `iam:\*` and `sts:\*` where the baseline does not\. /,
        },
      ],
    },
    {
      name: "names ten entries",
      statement: allow("abcdefghijk".split("").map((letter) => `s3:${letter}*`)),
      baseline: [],
      findings: [
        {
          ...added,
          action: "s3:a*, s3:b*, s3:c*, s3:d*, s3:e*, s3:f*, s3:g*, s3:h*, s3:i*, s3:j*",
          message: / allows `s3:a\*`, .*, `s3:j\*` and 1 more where the baseline does not\./,
        },
      ],
    },
    {
      name: "compares by meaning: a narrower policy and another spelling allow nothing new",
      statement: [allow("*", "*"), deny("iam:*")],
      baseline: [{ Effect: "Allow", NotAction: "iam:*", Resource: "*" }],
      findings: [],
    },
    {
      name: "names the Deny of the baseline that is gone, and what it denied",
      statement: allow("s3:*"),
      baseline: [allow("s3:*"), { Sid: "Keep", ...deny("s3:DeleteObject") }],
      findings: [
        {
          ...removed,
          action: "s3:*",
          path: "/Statement/0/Action",
          message:
            /^Statement 1 allows `s3:DeleteObject`, which statement `Keep` of the baseline denied and nothing denies now\. For example, a role session .* may call `s3:DeleteObject` on/,
          suggestion: "Restore statement `Keep` of the baseline, or take the entry out.",
        },
      ],
    },
    {
      name: "names the entries of a statement that a Deny without Sid denied",
      statement: allow(["s3:DeleteObject", "s3:PutObject", "s3:GetObject"]),
      baseline: [allow("s3:*"), deny(["s3:DeleteObject", "s3:PutObject"])],
      findings: [
        {
          ...removed,
          message:
            /^Statement 1 allows `s3:DeleteObject` and `s3:PutObject`, which statement 2 of the baseline denied/,
        },
      ],
    },
    {
      name: "is low where the action works on no resource of the kind",
      statement: allow("s3:GetObject", "arn:aws:sqs:us-east-1:111122223333:orders"),
      baseline: [allow("s3:GetObject")],
      findings: [{ ...added, severity: "low", message: /No resource of that kind works with/ }],
    },
    {
      name: "is low where only actions are new that AWS may add later",
      statement: allow("sqs:*", "*"),
      baseline: [
        allow(["sqs:A*", "sqs:C*", "sqs:D*", "sqs:G*", "sqs:L*"], "*"),
        allow(["sqs:P*", "sqs:R*", "sqs:S*", "sqs:T*", "sqs:U*"], "*"),
      ],
      findings: [{ ...added, severity: "low", message: /Only actions that the reference data of/ }],
    },
    {
      name: "leaves those out where the configuration says so",
      statement: allow("sqs:*", "*"),
      baseline: [
        allow(["sqs:A*", "sqs:C*", "sqs:D*", "sqs:G*", "sqs:L*"], "*"),
        allow(["sqs:P*", "sqs:R*", "sqs:S*", "sqs:T*", "sqs:U*"], "*"),
      ],
      options: { unknown_actions: "ignore" },
      findings: [],
    },
    {
      name: "says what stopped the comparison, at its place",
      statement: [allow("s3:GetObject"), allow("s3:PutObject", "*", isUnknown)],
      baseline: [allow("s3:GetObject")],
      findings: [
        {
          ...undecided,
          at: 1,
          field_name: "condition",
          condition_key: "aws:SourceVpc",
          path: "/Statement/1/Condition/StringFuzzy/aws:SourceVpc",
          message:
            "Whether this policy allows more than its baseline could not be decided: the condition operator `StringFuzzy` is not known.",
          suggestion: "Use a condition operator of the IAM grammar.",
        },
      ],
    },
    {
      name: "says so where a statement of the baseline stopped it",
      statement: allow("s3:GetObject"),
      baseline: [{ Effect: "Allow", Action: 5, Resource: "*" }],
      findings: [
        {
          ...undecided,
          at: -1,
          field_name: null,
          path: "",
          message: /could not be decided: in the baseline, a statement cannot be read: /,
        },
      ],
    },
    {
      name: "takes the configured severity of an undecided comparison",
      statement: allow("s3:PutObject", "*", isUnknown),
      baseline: [allow("s3:GetObject")],
      options: { undecided_severity: "info" },
      findings: [{ ...undecided, severity: "info" }],
    },
    {
      name: "leaves a statement that cannot be read to policy_structure",
      statement: [allow("s3:GetObject"), allow(["s3:PutObject", 5])],
      baseline: [allow("s3:GetObject")],
      findings: [],
    },
    {
      name: "says that a baseline is not a policy document",
      statement: allow("s3:GetObject"),
      baseline: "5",
      findings: [{ issue_type: "baseline_unreadable", severity: "error", at: -1 }],
    },
    {
      name: "reports as many statements as the configuration says",
      statement: ["a", "b", "c"].map((name) => allow("s3:GetObject", `arn:aws:s3:::${name}/*`)),
      baseline: [],
      options: { max_statements: 2 },
      findings: [
        { ...added, at: 0 },
        { ...added, at: 1 },
      ],
    },
  ],
  embeddedServices(),
);
