import { describe } from "vitest";
import { checkCases } from "../../../test/support/check-cases.ts";
import { fixCases } from "../../../test/support/fix-cases.ts";
import { policyTypeValidation } from "../policy-type-validation.ts";

const account = "111122223333";
const role = `arn:aws:iam::${account}:role/app`;
const read = { Effect: "Allow", Action: "s3:GetObject", Resource: "arn:aws:s3:::reports/*" };
const trust = { Effect: "Allow", Principal: { AWS: role }, Action: "sts:AssumeRole" };
const rcp = { Effect: "Deny", Principal: "*", Action: "s3:*", Resource: "*" };
const hint = { issue_type: "policy_type_hint", severity: "info" } as const;
const byName =
  "If it is another type, declare that type, or give the file a name that does not match the pattern.";

checkCases(policyTypeValidation, [
  {
    name: "says that the name of a file and a Principal contradict each other",
    file: "policies/app-boundary.json",
    statement: [read, { ...read, Principal: { AWS: role } }],
    findings: [
      {
        ...hint,
        message: "A file name pattern makes this a permissions boundary, but it has `Principal`.",
        suggestion: byName,
      },
      { issue_type: "unexpected_principal" },
    ],
  },
  {
    name: "says that the name of a file and a missing Principal contradict each other",
    file: "rcps/app.json",
    statement: read,
    findings: [
      {
        ...hint,
        message:
          "A file name pattern makes this a resource control policy, but it has no `Principal`.",
      },
      { issue_type: "invalid_rcp_effect" },
      { issue_type: "missing_rcp_principal" },
    ],
  },
  {
    name: "takes the name of a file that the content suits",
    file: "policies/app-boundary.json",
    statement: read,
    findings: [],
  },
  {
    name: "hints at an RCP by its form",
    type: "RESOURCE_POLICY",
    statement: rcp,
    findings: [
      {
        ...hint,
        message:
          'The policy is checked as RESOURCE_POLICY, but it has the form of a RESOURCE_CONTROL_POLICY: every statement denies `"Principal": "*"` actions of named services on `"Resource": "*"`.',
        suggestion: "If it is one, declare its type: `rcp`. Other rules then apply to it.",
      },
    ],
  },
  {
    name: "hints at a trust policy and at a resource policy by their content",
    type: "IDENTITY_POLICY",
    statement: trust,
    findings: [
      {
        ...hint,
        message:
          "The policy is checked as IDENTITY_POLICY, but its content is that of a TRUST_POLICY: it says who may assume a role.",
      },
      { issue_type: "unexpected_principal" },
    ],
  },
  {
    name: "hints at a resource policy by its principals",
    type: "IDENTITY_POLICY",
    statement: [read, { ...read, Principal: { AWS: role } }],
    findings: [
      {
        ...hint,
        message:
          "The policy is checked as IDENTITY_POLICY, but its content is that of a RESOURCE_POLICY: it names principals.",
      },
      { issue_type: "unexpected_principal" },
    ],
  },
  {
    name: "says what a trust policy without a principal lacks",
    type: "TRUST_POLICY",
    statement: { Effect: "Allow", Action: "sts:AssumeRole" },
    findings: [
      {
        issue_type: "missing_principal",
        message: /^The statement has no `Principal`\. A trust policy must say who may assume/,
        suggestion:
          "Add a `Principal` with the accounts, roles, services or identity providers that are meant.",
      },
    ],
  },
  {
    name: "says what a resource policy without a principal lacks",
    type: "RESOURCE_POLICY",
    statement: [{ ...read, Principal: { AWS: role } }, read],
    findings: [
      {
        issue_type: "missing_principal",
        message: /^The statement has no `Principal`\. A resource policy must say who is meant, and/,
        suggestion: "Add a `Principal` with the accounts, roles or services that are meant.",
      },
    ],
  },
  ...(["SERVICE_CONTROL_POLICY", "IDENTITY_POLICY"] as const).map((type) => ({
    name: `says what to do with a principal of ${type}`,
    type,
    statement: { ...read, Effect: "Deny", Principal: "*" },
    findings: [
      ...(type === "IDENTITY_POLICY" ? [hint] : []),
      {
        issue_type: type === "IDENTITY_POLICY" ? "unexpected_principal" : "invalid_principal",
        suggestion:
          type === "IDENTITY_POLICY"
            ? /^Remove it: the statement applies to the user, group or role that has the policy\./
            : /^Remove it: an SCP applies to the principals of the accounts it is attached to\./,
      },
    ],
  })),
  {
    name: "says what NotPrincipal of a trust policy becomes",
    type: "TRUST_POLICY",
    statement: { Effect: "Allow", NotPrincipal: { AWS: role }, Action: "sts:AssumeRole" },
    findings: [
      {
        issue_type: "invalid_not_principal",
        path: "/Statement/0/NotPrincipal",
        message:
          "The statement has `NotPrincipal`, which a role trust policy cannot have; IAM refuses the document.",
        suggestion:
          "Name those who may assume the role in `Principal`; keep others out with a condition on `aws:PrincipalArn`.",
      },
    ],
  },
]);

describe("an RCP", () => {
  const full = { Effect: "Allow", Principal: "*", Action: "*", Resource: "*" };
  const type = "RESOURCE_CONTROL_POLICY" as const;
  const allowed = {
    issue_type: "invalid_rcp_effect",
    path: "/Statement/0/Effect",
    message: '`Effect` is `"Allow"`; a statement of an RCP can only deny.',
  } as const;
  const star = { issue_type: "invalid_rcp_wildcard_action" } as const;
  checkCases(policyTypeValidation, [
    {
      name: "may have an empty condition",
      type,
      statement: { ...full, Condition: {} },
      findings: [],
    },
    {
      name: "that allows everything under a condition is not the one of Organizations",
      type,
      statement: { ...full, Condition: { Bool: { "aws:SecureTransport": "true" } } },
      findings: [allowed, star],
    },
    {
      name: "that allows everything but an action is not the one of Organizations",
      type,
      statement: { ...full, NotResource: "*" },
      findings: [allowed, star],
    },
    {
      name: "that allows some actions is not the one of Organizations",
      type,
      statement: { ...full, Action: "s3:*" },
      findings: [allowed],
    },
    {
      name: "that allows everything twice is not the one of Organizations",
      type,
      statement: { ...full, Action: ["*", "s3:*"] },
      findings: [allowed, star],
    },
    {
      name: "that allows some resources is not the one of Organizations",
      type,
      statement: { ...full, Resource: "arn:aws:s3:::reports" },
      findings: [allowed, star],
    },
    {
      name: "that allows a role is not the one of Organizations",
      type,
      statement: { ...full, Principal: { AWS: role } },
      findings: [allowed, { issue_type: "invalid_rcp_principal" }, star],
    },
    {
      name: "that denies the bare star says which services there are",
      type,
      statement: { ...rcp, Action: "*" },
      findings: [
        {
          ...star,
          message: "The action is the bare `*`; an RCP must name the services it denies.",
          suggestion: /^Name services, for instance `s3:\*`\. RCPs cover `.*`\.$/,
        },
      ],
    },
    {
      name: "says what to do with actions of other services, each once",
      type,
      statement: { ...rcp, Action: ["ec2:*", "ec2:*", ":x"] },
      findings: [
        {
          issue_type: "unsupported_rcp_service",
          message:
            "RCPs do not cover the service of `ec2:*` and `:x`, so Organizations refuses the document.",
          suggestion: /^Remove these actions, or deny them in an SCP\. RCPs cover /,
        },
      ],
    },
    {
      name: "says what to do with an action of another service",
      type,
      statement: { ...rcp, Action: "ec2:*" },
      findings: [{ suggestion: /^Remove the action, or deny it in an SCP\. RCPs cover / }],
    },
    {
      name: "says what a statement without a resource lacks",
      type,
      statement: { Effect: "Deny", Principal: "*", Action: "s3:*" },
      findings: [
        {
          issue_type: "missing_rcp_resource",
          message:
            "The statement has neither `Resource` nor `NotResource`; a statement of an RCP needs one.",
        },
      ],
    },
    {
      name: "says what a statement without a principal lacks",
      type,
      statement: { Effect: "Deny", Action: "s3:*", Resource: "*" },
      findings: [
        {
          issue_type: "missing_rcp_principal",
          message:
            'The statement has no `Principal`; in an RCP every statement says `"Principal": "*"`.',
          suggestion:
            'Write `"Principal": "*"`. To exempt some principals, use a condition on `aws:PrincipalArn` or `aws:PrincipalOrgID`.',
        },
      ],
    },
    {
      name: "points at NotAction and NotPrincipal",
      type,
      statement: { Effect: "Deny", NotPrincipal: { AWS: role }, NotAction: "s3:*", Resource: "*" },
      findings: [
        { issue_type: "invalid_rcp_not_principal", path: "/Statement/0/NotPrincipal" },
        { issue_type: "invalid_rcp_not_action", path: "/Statement/0/NotAction" },
      ],
    },
  ]);

  fixCases([
    {
      name: "puts the principals of NotPrincipal into a condition",
      of: "policy_type_validation/invalid_rcp_not_principal",
      type,
      before: { Effect: "Deny", NotPrincipal: { AWS: role }, Action: "s3:*", Resource: "*" },
      after: {
        Effect: "Deny",
        Principal: "*",
        Action: "s3:*",
        Resource: "*",
        Condition: { ArnNotEquals: { "aws:PrincipalArn": role } },
      },
    },
    {
      name: "puts a role into a condition",
      of: "policy_type_validation/invalid_rcp_principal",
      type,
      before: { ...rcp, Principal: { AWS: role } },
      after: { ...rcp, Condition: { ArnEquals: { "aws:PrincipalArn": role } } },
    },
    {
      name: "writes everyone as a text",
      of: "policy_type_validation/invalid_rcp_principal",
      type,
      before: { ...rcp, Principal: { AWS: "*" } },
      after: rcp,
      effect: "repairs",
    },
    {
      name: "puts a pattern of roles into a condition",
      of: "policy_type_validation/invalid_rcp_principal",
      type,
      before: { ...rcp, Principal: { AWS: [role, `arn:aws:iam::${account}:role/web-*`] } },
      after: {
        ...rcp,
        Condition: {
          ArnLike: { "aws:PrincipalArn": [role, `arn:aws:iam::${account}:role/web-*`] },
        },
      },
    },
    {
      name: "puts accounts into a condition",
      of: "policy_type_validation/invalid_rcp_principal",
      type,
      before: { ...rcp, Principal: { AWS: [account, "arn:aws:iam::444455556666:root"] } },
      after: {
        ...rcp,
        Condition: { StringEquals: { "aws:PrincipalAccount": [account, "444455556666"] } },
      },
    },
    {
      name: "does not put principals beside a condition on principals",
      of: "policy_type_validation/invalid_rcp_principal",
      type,
      before: {
        ...rcp,
        Principal: { AWS: role },
        Condition: { StringEquals: { "aws:PrincipalOrgID": "o-a1b2c3d4e5" } },
      },
    },
    {
      name: "does not put a service into a condition on callers",
      of: "policy_type_validation/invalid_rcp_principal",
      type,
      before: { ...rcp, Principal: { Service: "s3.amazonaws.com" } },
    },
  ]);
});
