import { expect } from "vitest";
import { checkCases } from "../../../test/support/check-cases.ts";
import { trust } from "../../../test/support/trust-statement.ts";
import { actionValidation } from "../action-validation.ts";
import { trustPolicyValidation } from "../trust-policy-validation.ts";

const account = "arn:aws:iam::111122223333";
const saml = `${account}:saml-provider/idp`;
const issuer = "oidc.eks.eu-west-1.amazonaws.com/id/EXAMPLED539D4633E53DE1B71EXAMPLE";
const cluster = `${account}:oidc-provider/${issuer}`;
const wrongType = {
  issue_type: "invalid_principal_type_for_assume_action",
  severity: "high",
  field_name: "principal",
} as const;
const missing = {
  issue_type: "missing_required_condition_for_assume_action",
  severity: "high",
  field_name: "condition",
} as const;
const unexpected = { issue_type: "unexpected_trust_action", severity: "error" } as const;
const noTags = { issue_type: "missing_tag_session", severity: "high" } as const;
const deputy = { issue_type: "confused_deputy_risk" } as const;
const pods = { Service: "pods.eks.amazonaws.com" };

checkCases(trustPolicyValidation, [
  {
    name: "IAM accepts only assume-role actions in a trust policy",
    type: "TRUST_POLICY",
    statement: [
      trust({ AWS: `${account}:root` }, ["sts:AssumeRole", "s3:GetObject"]),
      trust({ AWS: `${account}:root` }, "*"),
      { Effect: "Allow", Principal: { AWS: `${account}:root` }, NotAction: "sts:AssumeRole" },
      trust({ AWS: `${account}:root` }, "sts:GetCallerIdentity"),
    ],
    findings: [
      {
        at: 0,
        issue_type: "unexpected_trust_action",
        severity: "error",
        path: "/Statement/0/Action/1",
      },
      { at: 1, issue_type: "unexpected_trust_action", example: /"Action": "sts:AssumeRole"/ },
      { at: 2, issue_type: "unexpected_trust_action", field_name: "not_action" },
      { at: 3, issue_type: "unexpected_trust_action" },
    ],
  },
  {
    name: "EKS Pod Identity needs sts:TagSession in some statement",
    type: "TRUST_POLICY",
    statement: [trust({ Service: "pods.eks.amazonaws.com" }, "sts:AssumeRole")],
    findings: [
      {
        at: 0,
        issue_type: "missing_tag_session",
        severity: "high",
        path: "/Statement/0/Principal/Service",
        example: /"sts:AssumeRole",\s+"sts:TagSession"/,
      },
      { at: 0, issue_type: "confused_deputy_risk" },
    ],
  },
  {
    name: "EKS Pod Identity with both actions",
    type: "TRUST_POLICY",
    statement: [
      trust({ Service: "pods.eks.amazonaws.com" }, ["sts:AssumeRole", "sts:tagsession"], {
        StringEquals: { "aws:SourceAccount": "111122223333" },
      }),
    ],
    findings: [],
  },
  {
    name: "shows the action that suits the principal",
    type: "TRUST_POLICY",
    statement: [
      trust({ AWS: `${account}:root` }, "sts:AssumeRoleWithWebIdentity"),
      trust({ Federated: saml }, "sts:AssumeRole"),
      trust({ Federated: cluster }, "sts:AssumeRole", {
        StringEquals: {
          [`${issuer}:aud`]: "sts.amazonaws.com",
          [`${issuer}:sub`]: "system:serviceaccount:shop:web",
        },
      }),
      trust({ Federated: cluster }, "sts:AssumeRole"),
    ],
    findings: [
      {
        ...wrongType,
        at: 0,
        suggestion: "Write `sts:AssumeRole`, or name a principal of type `Federated`.",
        example: /"Action": "sts:AssumeRole"/,
      },
      { ...missing, at: 0 },
      { ...wrongType, at: 1, example: /"sts:AssumeRoleWithSAML".*"SAML:aud"/s },
      {
        ...wrongType,
        at: 2,
        suggestion:
          "Write `sts:AssumeRoleWithWebIdentity`, or name a principal of type `AWS`, `Service`.",
        example: /"Action": "sts:AssumeRoleWithWebIdentity"/,
      },
      { ...wrongType, at: 3, example: null },
    ],
  },
  {
    name: "says what to write in place of an action that IAM does not accept",
    type: "TRUST_POLICY",
    statement: [
      trust({ AWS: `${account}:root` }, [
        "sts:AssumeRole",
        "sts:T*",
        "sts:AssumeRoleX",
        "s3:GetObject",
      ]),
      trust({ AWS: `${account}:root`, Service: "ec2.amazonaws.com" }, ["**"]),
      trust({ Federated: saml }, "s3:GetObject"),
      { Effect: "Allow", Principal: { AWS: `${account}:root` }, NotAction: "s3:*" },
    ],
    findings: [
      {
        ...unexpected,
        at: 0,
        field_name: "action",
        action: "s3:GetObject",
        message:
          "IAM accepts only assume-role actions in a trust policy; `s3:GetObject` is not one.",
        suggestion: "Remove it. What the role may do belongs in its permissions policies.",
        example: /"Action": \[\s+"sts:AssumeRole",\s+"sts:T\*",\s+"sts:AssumeRoleX"\s+\]/,
        fix: expect.objectContaining({ effect: "repairs", needs_input: [] }),
      },
      {
        ...unexpected,
        at: 1,
        suggestion: "Write the assume-role action of the principal, such as `sts:AssumeRole`.",
        example: /"Action": "sts:AssumeRole"/,
        fix: null,
      },
      { ...unexpected, at: 2, example: null, fix: null },
      {
        ...unexpected,
        at: 3,
        field_name: "not_action",
        path: "/Statement/3/NotAction",
        message: "IAM does not accept `NotAction` in a trust policy.",
        suggestion: "List the assume-role actions in `Action`.",
        example:
          /^\{\s+"Effect": "Allow",\s+"Principal": [^}]+\},\s+"Action": "sts:AssumeRole"\s+\}$/,
      },
    ],
  },
  {
    name: "leaves a name without its service to action_validation, where that runs",
    type: "TRUST_POLICY",
    statement: trust({ AWS: `${account}:root` }, ["AssumeRole", "s3:GetObject"]),
    peers: [actionValidation],
    findings: [{ ...unexpected, action: "s3:GetObject" }],
  },
  {
    name: "and reports it where that does not run",
    type: "TRUST_POLICY",
    statement: trust({ AWS: `${account}:root` }, "AssumeRole"),
    findings: [{ ...unexpected, action: "AssumeRole" }],
  },
  {
    name: "shows no action that would not suit every principal, or beside a pattern",
    type: "TRUST_POLICY",
    statement: [
      trust({ Federated: `${account}:oidc-provider/idp.example.com` }, "sts:AssumeRole"),
      trust({ Federated: saml, AWS: `${account}:root` }, "sts:AssumeRole"),
      trust({ Federated: saml }, ["sts:AssumeRole", "sts:Tag*"]),
    ],
    findings: [0, 1, 2].map((at) => ({ ...wrongType, at, example: null })),
  },
  {
    name: "pods may get their tags by another statement for the same service, and by no other",
    type: "TRUST_POLICY",
    statement: [
      trust(pods, "sts:AssumeRole"),
      trust({ Service: "ec2.amazonaws.com" }, "sts:TagSession"),
      { ...trust(pods, "sts:TagSession"), Effect: "Deny" },
    ],
    findings: [
      {
        ...noTags,
        at: 0,
        action: "sts:AssumeRole",
        field_name: "principal",
        message: /^`pods\.eks\.amazonaws\.com` tags the sessions that it starts, and no statement/,
        suggestion: "Add `sts:TagSession` to `Action`.",
        fix: expect.objectContaining({ effect: "changes" }),
      },
      deputy,
    ],
  },
  {
    name: "a statement for pods alone may tag their sessions",
    type: "TRUST_POLICY",
    statement: [
      trust({ ...pods, AWS: `${account}:root` }, "sts:AssumeRole", {
        StringEquals: { "aws:SourceAccount": "111122223333" },
      }),
      trust({ ...pods, AWS: `${account}:root` }, ["sts:SetSourceIdentity", "sts:TagSession"]),
    ],
    findings: [],
  },
]);
