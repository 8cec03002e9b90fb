import { checkCases } from "../../test/support/check-cases.ts";
import { notPrincipalValidation } from "./not-principal-validation.ts";
import { policyTypeValidation } from "./policy-type-validation.ts";

const root = "arn:aws:iam::123456789012:root";
const account = { AWS: root };
const role = "arn:aws:iam::123456789012:role/a";
const session = "arn:aws:sts::123456789012:assumed-role/a/s";
const with_ = (NotPrincipal: unknown, Effect?: unknown) => [
  {
    ...(Effect === undefined ? {} : { Effect }),
    NotPrincipal,
    Action: "s3:GetObject",
    Resource: "arn:aws:s3:::b/*",
  },
];
const usage = {
  at: 0,
  issue_type: "not_principal_usage",
  severity: "warning",
  field_name: "principal",
} as const;

checkCases(notPrincipalValidation, [
  {
    name: "is quiet without NotPrincipal, and when it is null",
    statement: [
      { Effect: "Allow", Principal: account, Action: "s3:GetObject", Resource: "*" },
      ...with_(null, "Deny"),
    ],
    findings: [],
  },
  ...[
    "*",
    { AWS: [root, role, session] },
    { AWS: ["123456789012", role] },
    { Service: "lambda.amazonaws.com" },
    { Federated: "arn:aws:iam::123456789012:saml-provider/idp" },
    [],
  ].map((principal) => ({
    name: `reports ${JSON.stringify(principal).slice(0, 30)} in a Deny, once`,
    statement: with_(principal, "Deny"),
    findings: [
      {
        ...usage,
        message: /with `"Deny"`/,
        suggestion: /`ArnNotEquals` on `aws:PrincipalArn`/,
        path: "/Statement/0/NotPrincipal",
      },
    ],
  })),
  ...["Allow", "allow"].map((effect) => ({
    name: `reports ${effect} as an error whatever is configured`,
    statement: with_(account, effect),
    options: { severity: "low" },
    findings: [
      {
        at: 0,
        issue_type: "not_principal_with_allow",
        severity: "error" as const,
        field_name: "principal" as const,
        message: /^`NotPrincipal` with `Allow` grants access to everyone except .* support it\.$/,
        suggestion: /^Name the principals that are meant in `Principal`/,
        example: null,
        aws_issue_code: "ALLOW_WITH_NOT_PRINCIPAL",
      },
    ],
  })),
  {
    name: "reports a missing or odd Effect as usage, and names it",
    statement: [...with_(account), ...with_(account, "Permit"), ...with_(account, 5)],
    type: "RESOURCE_POLICY",
    findings: [
      { ...usage, message: /without an `Effect`/ },
      { ...usage, at: 1, message: /with `"Permit"`/ },
      { ...usage, at: 2, message: /with `5`/ },
    ],
  },
  {
    name: "says when policy_type_validation reports the same element",
    type: "SERVICE_CONTROL_POLICY",
    statement: with_(account, "Deny"),
    peers: [policyTypeValidation],
    findings: [
      {
        ...usage,
        message: /sessions\. A service control policy cannot have it anyway\.$/,
        suggestion: /^Remove it, and write `ArnNotEquals` on `aws:PrincipalArn`/,
        example: null,
      },
    ],
  },
  {
    name: "says nothing of that where that check does not run, or the policy may have the element",
    type: "SERVICE_CONTROL_POLICY",
    statement: with_(account, "Deny"),
    findings: [{ ...usage, message: /each of its sessions\.$/ }],
  },
  {
    name: "says how a policy of a resource denies to all but some",
    type: "RESOURCE_POLICY",
    statement: with_(account, "Deny"),
    peers: [policyTypeValidation],
    findings: [
      {
        ...usage,
        message: /each of its sessions\.$/,
        suggestion: /^Write `"Principal": "\*"` with `ArnNotEquals` on/,
      },
    ],
  },
  ...(
    [
      [[role], `\`${role}\` without its account \`${root}\`, so AWS denies that principal too.`],
      [
        [root, session],
        `the session \`${session}\` without its role, so AWS denies that session too.`,
      ],
      [
        [root, `${role}b`, session],
        `the session \`${session}\` without its role, so AWS denies that session too.`,
      ],
      [
        [root, role, "arn:aws:iam::123456789012:user/b", "arn:aws:iam::210987654321:user/b"],
        "`arn:aws:iam::210987654321:user/b` without its account `arn:aws:iam::210987654321:root`, so AWS denies that principal too.",
      ],
    ] as const
  ).map(([AWS, gap], index) => ({
    name: `reports a list that lacks an account or a role as high (${index + 1})`,
    statement: with_({ AWS }, "Deny"),
    findings: [
      {
        ...usage,
        severity: "high" as const,
        message: `\`NotPrincipal\` with \`"Deny"\` lists ${gap}`,
      },
    ],
  })),
  {
    name: "finds the role of a session under its path, and keeps a configured severity",
    statement: [
      ...with_({ AWS: [root, "arn:aws:iam::123456789012:role/app/a", session] }, "Deny"),
      ...with_({ AWS: role }, "Deny"),
    ],
    options: { severity: "low" },
    findings: [
      { ...usage, severity: "low", message: /works only while/ },
      { ...usage, at: 1, severity: "low", message: /without its account/ },
    ],
  },
  {
    name: "shows the same Deny with a condition",
    statement: with_({ AWS: [root, role] }, "Deny"),
    findings: [
      {
        ...usage,
        example_path: "/Statement/0",
        example: /"Condition": \{\s+"ArnNotEquals": \{\s+"aws:PrincipalArn": \[/,
      },
    ],
  },
  {
    name: "writes an account as its root, and shows nothing where it cannot say the same",
    statement: [
      ...with_({ AWS: "123456789012" }, "Deny"),
      ...with_({ AWS: [root, session, role] }, "Deny"),
      ...with_({ Service: "lambda.amazonaws.com" }, "Deny"),
      ...with_({ Service: "123456789012" }, "Deny"),
      ...with_({ AWS: "0123456789012" }, "Deny"),
      ...with_([], "Deny"),
      ...with_(account, "Permit"),
      ...with_(account, "Deny").map((one) => ({
        ...one,
        Condition: { ArnNotLike: { "aws:PrincipalArn": role } },
      })),
    ],
    findings: [
      {
        ...usage,
        example: /"aws:PrincipalArn": "arn:aws:iam::123456789012:root"/,
      },
      ...[1, 2, 3, 4, 5, 6, 7].map((at) => ({ ...usage, at, example: null })),
    ],
  },
  {
    name: "lets the configured severity reach the usage finding",
    statement: with_(account, "Deny"),
    options: { severity: "high" },
    findings: [{ issue_type: "not_principal_usage", severity: "high" }],
  },
]);
