import { checkCases } from "../../test/support/check-cases.ts";
import { embeddedServices } from "../services/embedded.ts";
import { noPublicAccess } from "./no-public-access.ts";

const root = "arn:aws:iam::111122223333:root";
const granted = {
  Effect: "Allow",
  Action: "s3:GetObject",
  Resource: "arn:aws:s3:::example-site/*",
};
const allow = (Principal: unknown, more: object = {}) => ({ ...granted, Principal, ...more });
const gitHub = "token.actions.githubusercontent.com";
const isUnknown = { StringFuzzy: { "aws:SourceVpc": "vpc-0a1b2c3d" } };
const found = {
  issue_type: "public_access",
  severity: "critical",
  field_name: "principal",
} as const;
const undecided = { issue_type: "public_access_undecided", severity: "medium" } as const;
const type = "RESOURCE_POLICY";

checkCases(
  noPublicAccess,
  [
    {
      name: "reports a statement that lets in everyone, at the principal, with a request that shows it",
      statement: [allow({ AWS: root }), { Sid: "Site", ...allow({ AWS: [root, "*"] }) }],
      findings: [
        {
          ...found,
          at: 1,
          action: "s3:GetObject",
          resource: "arn:aws:s3:::example-site/*",
          path: "/Statement/1/Principal/AWS/1",
          message:
            "Statement `Site` lets in callers that the policy does not name. For example, anyone without signing in may call `s3:GetObject` on `arn:aws:s3:::example-site/example`.",
          suggestion: /^Name the accounts, organization or services/,
          example: null,
        },
      ],
    },
    {
      name: "reports an Allow with `NotPrincipal`, and every service",
      type,
      statement: [
        { ...granted, NotPrincipal: { AWS: root } },
        allow({ Service: "*" }, { Action: "s3:PutObject" }),
      ],
      findings: [
        { ...found, at: 0, path: "/Statement/0/NotPrincipal" },
        { ...found, at: 1, path: "/Statement/1/Principal/Service", message: /the service `[a-z]/ },
      ],
    },
    {
      name: "names a caller of another account where conditions ask for what callers set themselves",
      statement: allow("*", {
        Condition: {
          StringEquals: { "aws:PrincipalTag/team": "web", "aws:UserAgent": "curl" },
          StringNotEquals: { "aws:Referer": "example.com" },
        },
      }),
      findings: [
        {
          ...found,
          message:
            /a role session of `arn:aws:iam::999999999999:role\/example-role` may call .* with `aws:PrincipalTag\/team` = `web` and `aws:UserAgent` = `curl` and without `aws:Referer`\.$/,
        },
      ],
    },
    {
      name: "accepts callers that a principal, a condition or a Deny names",
      type,
      statement: [
        allow({ AWS: root }),
        allow("*", { Condition: { StringEquals: { "aws:PrincipalOrgID": "o-a1b2c3d4e5" } } }),
        allow("*", { Action: "s3:ListBucket", Resource: "arn:aws:s3:::example-site" }),
        allow("*", {
          Effect: "Deny",
          Action: "s3:ListBucket",
          Resource: "*",
          Condition: { StringNotEquals: { "aws:PrincipalAccount": "111122223333" } },
        }),
        allow({ Service: "cloudfront.amazonaws.com" }),
      ],
      findings: [],
    },
    {
      name: "trusts the keys that the configuration adds",
      statement: allow("*", { Condition: { StringEquals: { "aws:Referer": "example.com" } } }),
      options: { extra_trusted_keys: ["aws:referer"] },
      findings: [],
    },
    {
      name: "suggests a claim to those who let in customers of a shared provider",
      type: "TRUST_POLICY",
      statement: {
        Effect: "Allow",
        Principal: { Federated: `arn:aws:iam::111122223333:oidc-provider/${gitHub}` },
        Action: "sts:AssumeRoleWithWebIdentity",
        Condition: { StringLike: { [`${gitHub}:sub`]: "repo:acme*" } },
      },
      findings: [
        {
          ...found,
          path: "/Statement/0/Principal/Federated",
          message: /For example, a user of the identity provider/,
          suggestion: /^Test a claim/,
        },
      ],
    },
    {
      name: "is low where the action works on no resource of the kind",
      statement: allow("*", { Resource: "arn:aws:sqs:us-east-1:111122223333:orders" }),
      findings: [{ ...found, severity: "low", message: /No resource of that kind works with/ }],
    },
    {
      name: "says what could not be decided, at its place",
      statement: allow("*", { Condition: isUnknown }),
      findings: [
        {
          ...undecided,
          at: 0,
          field_name: "condition",
          condition_key: "aws:SourceVpc",
          path: "/Statement/0/Condition/StringFuzzy/aws:SourceVpc",
          message:
            "Whether this policy lets in callers that it does not name could not be decided: the condition operator `StringFuzzy` is not known.",
          suggestion: "Use a condition operator of the IAM grammar.",
        },
      ],
    },
    {
      name: "finds the place in a document with one statement and no list",
      policy: { Version: "2012-10-17", Statement: allow("*", { Condition: isUnknown }) },
      options: { undecided_severity: "info" },
      findings: [
        {
          ...undecided,
          severity: "info",
          at: 0,
          path: "/Statement/Condition/StringFuzzy/aws:SourceVpc",
        },
      ],
    },
    {
      name: "leaves a statement that cannot be read to policy_structure",
      type,
      statement: allow("*", { Action: ["s3:GetObject", 5] }),
      findings: [],
    },
    {
      name: "asks of identity policies nothing",
      statement: { Effect: "Allow", Action: "*", Resource: "*" },
      findings: [],
    },
  ],
  embeddedServices(),
);
