import { checkCases } from "../../test/support/check-cases.ts";
import { embeddedServices } from "../services/embedded.ts";
import { accessNotGranted } from "./access-not-granted.ts";

const role = "arn:aws:iam::111122223333:role/app";
const allow = (Action: unknown, Resource = "*", more: object = {}) => ({
  Effect: "Allow",
  Action,
  Resource,
  ...more,
});
const deny = (Action: unknown) => ({ ...allow(Action), Effect: "Deny" });
const toLambda = { StringEquals: { "iam:PassedToService": "lambda.amazonaws.com" } };
const isUnknown = { Condition: { StringFuzzy: { "aws:SourceVpc": "vpc-0a1b2c3d" } } };
/** The options with one entry. */
const forbid = (more: object = {}) => ({
  forbidden: [{ id: "no-passrole", actions: ["iam:PassRole"], ...more }],
});
const found = { issue_type: "forbidden_access", severity: "high" } as const;
const undecided = { issue_type: "forbidden_access_undecided", severity: "high" } as const;

checkCases(
  accessNotGranted,
  [
    { name: "asks nothing without entries", statement: allow("*"), findings: [] },
    {
      name: "reports a statement that grants what an entry forbids, with a request that shows it",
      statement: [allow("s3:GetObject"), allow(["s3:PutObject", "iam:PassRole"], role)],
      options: forbid(),
      findings: [
        {
          ...found,
          at: 1,
          field_name: "action",
          action: "iam:PassRole",
          resource: role,
          path: "/Statement/1/Action/1",
          message: `Statement 2 allows \`iam:PassRole\`, which this organisation forbids (\`no-passrole\`). For example, a role session of \`arn:aws:iam::111122223333:role/example-role\` may call \`iam:PassRole\` on \`${role}\`.`,
          suggestion: "Take the entry out, or deny the action on the resources that are forbidden.",
        },
      ],
    },
    {
      name: "names an action that is forbidden where the entry or `NotAction` means more",
      statement: [
        allow("*"),
        { Effect: "Allow", NotAction: "s3:*", Resource: "*" },
        allow(["iam:PassRole", "iam:CreateUser"]),
        { Sid: "", ...allow(["iam:PassRole", "iam:Create*"]) },
      ],
      options: forbid({ actions: ["iam:Pass*", "iam:CreateUser"] }),
      findings: [
        { ...found, at: 0, action: "*", message: /^Statement 1 allows `iam:\w+`, which this/ },
        {
          ...found,
          at: 1,
          field_name: "not_action",
          action: "s3:*",
          message: /^Statement 2 allows `iam:\w+`, which this/,
        },
        {
          ...found,
          at: 2,
          action: "iam:PassRole, iam:CreateUser",
          message: /^Statement 3 allows `iam:PassRole` and `iam:CreateUser`, which this/,
        },
        { ...found, at: 3, message: /^Statement 4 allows `iam:\w+`, which this/ },
      ],
    },
    {
      name: "counts a Deny of the policy",
      statement: [allow("iam:*"), deny("iam:Pass*")],
      options: forbid(),
      findings: [],
    },
    {
      name: "an entry may forbid resources, whatever the action",
      statement: [
        allow("s3:GetObject", "arn:aws:s3:::a/*"),
        allow("s3:GetObject", "arn:aws:s3:::b/*"),
      ],
      options: forbid({ actions: [], resources: ["arn:aws:s3:::b/*"] }),
      findings: [{ ...found, at: 1 }],
    },
    {
      name: "accepts the conditions of `unless`, and suggests them",
      statement: [
        allow("iam:PassRole", role, { Condition: toLambda }),
        allow("iam:PassRole", role),
      ],
      options: forbid({ unless: [toLambda] }),
      findings: [{ ...found, at: 1, suggestion: /, or add the condition under which/ }],
    },
    {
      name: "fills the texts of an entry in, and values of the policy as they are",
      statement: { Sid: "Pass{action}", ...allow("iam:Pass*", role) },
      options: forbid({
        message: "{statement}: {action} on {resource} {other}",
        suggestion: "no {action}",
        severity: "low",
      }),
      findings: [
        {
          ...found,
          severity: "low",
          message: `Statement \`Pass{action}\`: \`iam:PassRole\` on \`${role}\` {other}`,
          suggestion: "no `iam:PassRole`",
        },
      ],
    },
    {
      name: "drops the findings that an entry ignores",
      statement: [
        { Sid: "Admin", ...allow("iam:PassRole", `${role}/a`) },
        { Sid: "Other", ...allow("iam:PassRole", `${role}/b`) },
        { Sid: "More", ...allow("iam:*", `${role}/c`) },
        allow("iam:PassRole", `${role}/d`),
      ],
      options: forbid({
        ignore_patterns: [{ sid: "Admin" }, { action: "^iam:\\*$" }, { resource: "/d$" }],
      }),
      findings: [{ ...found, at: 1 }],
    },
    {
      name: "asks identity, resource and trust policies, and others where the entry says so",
      statement: allow("iam:PassRole"),
      type: "SERVICE_CONTROL_POLICY",
      options: {
        forbidden: [
          { id: "usual", actions: ["iam:PassRole"] },
          { id: "scp", actions: ["iam:PassRole"], policy_types: ["identity", "scp"] },
          { id: "rcp", actions: ["iam:PassRole"], policy_types: ["rcp"] },
        ],
      },
      findings: [{ ...found, message: /\(`scp`\)/ }],
    },
    {
      name: "is low where the action works on no resource of the kind",
      statement: allow("iam:PassRole", "arn:aws:sqs:us-east-1:111122223333:orders"),
      options: forbid(),
      findings: [{ ...found, severity: "low", message: /No resource of that kind works with/ }],
    },
    ...(
      [
        ["low", "low"],
        ["critical", "high"],
        [null, "high"],
      ] as const
    ).map(([severity, reported]) => ({
      name: `says what could not be decided, as ${reported} for an entry with severity ${severity}`,
      statement: allow("iam:PassRole", role, isUnknown),
      options: forbid({ severity }),
      findings: [
        {
          ...undecided,
          severity: reported,
          field_name: "condition" as const,
          condition_key: "aws:SourceVpc",
          message:
            "Whether this policy allows what this organisation forbids (`no-passrole`) could not be decided: the condition operator `StringFuzzy` is not known.",
          suggestion: "Use a condition operator of the IAM grammar.",
        },
      ],
    })),
    {
      name: "takes the configured severity of what could not be decided",
      statement: allow("iam:PassRole", role, isUnknown),
      options: { ...forbid(), undecided_severity: "info" },
      findings: [{ ...undecided, severity: "info" }],
    },
    {
      name: "calls the resource of a trust policy `*`",
      type: "TRUST_POLICY",
      statement: {
        Effect: "Allow",
        Principal: { AWS: "arn:aws:iam::111122223333:root" },
        Action: "sts:AssumeRole",
      },
      options: forbid({ actions: ["sts:AssumeRole"], message: "{action} on {resource}" }),
      findings: [{ ...found, message: "`sts:AssumeRole` on `*`" }],
    },
    {
      name: "leaves a statement that cannot be read to policy_structure",
      statement: allow(["iam:PassRole", 5]),
      options: forbid(),
      findings: [],
    },
  ],
  embeddedServices(),
);
