import { describe } from "vitest";
import { checkCases } from "../../../test/support/check-cases.ts";
import { fixCases } from "../../../test/support/fix-cases.ts";
import { policyTypeValidation } from "../policy-type-validation.ts";

const account = "111122223333";
const role = `arn:aws:iam::${account}:role/app`;
const read = { Effect: "Allow", Action: "s3:GetObject", Resource: "arn:aws:s3:::reports/*" };
const grant = (Principal: unknown, elements: object = {}) => ({ ...read, Principal, ...elements });
const assume = (Principal: unknown, Action: unknown = "sts:AssumeRole") => ({
  Effect: "Allow",
  Principal,
  Action,
});
const refused = { at: 0, issue_type: "invalid_principal_value", severity: "error" } as const;
const oidc = `arn:aws:iam::${account}:oidc-provider/token.actions.githubusercontent.com`;
const user = "a".repeat(64);
const type = "RESOURCE_POLICY" as const;

checkCases(policyTypeValidation, [
  {
    name: "says what the only text in a principal element is",
    type,
    statement: grant(role),
    findings: [
      {
        ...refused,
        path: "/Statement/0/Principal",
        message: `\`Principal\` is the text \`${role}\`; the only text that AWS accepts there is \`*\`.`,
        suggestion: 'Write an object: `{"AWS": …}`.',
        aws_issue_code: "INVALID_PRINCIPAL_FORMAT",
      },
    ],
  },
  ...[
    ["aws", role, "Write `AWS`; letter case counts."],
    ["Role", role, "Write `AWS`."],
    ["Principal", "s3.amazonaws.com", "Write `Service`."],
    ["Role", "app", "Use `AWS`, `Service`, `Federated` and `CanonicalUser`."],
  ].map(([key, text, suggestion]) => ({
    name: `reports the key ${key} of ${text}`,
    type,
    statement: grant({ AWS: role, [String(key)]: text }),
    findings: [
      {
        ...refused,
        message: `\`${key}\` is not a key of \`Principal\`.`,
        suggestion: suggestion ?? null,
        aws_issue_code: "INVALID_PRINCIPAL_KEY",
      },
    ],
  })),
  {
    name: "reports a wildcard in the name of a principal",
    type,
    statement: grant({ AWS: `arn:aws:iam::${account}:role/*` }),
    findings: [
      {
        ...refused,
        message: `\`arn:aws:iam::${account}:role/*\` has a wildcard. AWS reads a principal as it is written; only \`*\` alone is a wildcard.`,
        suggestion:
          "Name each principal, or name the account and limit it with `ArnLike` on `aws:PrincipalArn`.",
        aws_issue_code: "UNSUPPORTED_WILDCARD_IN_PRINCIPAL",
      },
    ],
  },
  {
    name: "says what a principal means, and else what AWS accepts",
    type,
    statement: grant({ AWS: [`arn:aws:iam::${account}:roles/app`, "app"] }),
    findings: [
      {
        ...refused,
        path: "/Statement/0/Principal/AWS/0",
        message: `\`arn:aws:iam::${account}:roles/app\` is not a principal that AWS accepts: an IAM principal is \`root\`, \`user/…\` or \`role/…\`.`,
        suggestion: `Write \`${role}\`.`,
      },
      {
        ...refused,
        path: "/Statement/0/Principal/AWS/1",
        suggestion:
          "Write a 12-digit account id, or the ARN of an account (`arn:aws:iam::ACCOUNT:root`), user or role.",
      },
    ],
  },
  {
    name: "reads NotPrincipal like Principal",
    type,
    statement: { ...read, Effect: "Deny", NotPrincipal: { AWS: ["app", role] } },
    findings: [{ ...refused, path: "/Statement/0/NotPrincipal/AWS/0" }],
  },
  {
    name: "does not read principals of an identity policy",
    type: "IDENTITY_POLICY",
    statement: grant({ AWS: "app" }),
    findings: [{ issue_type: "policy_type_hint" }, { issue_type: "unexpected_principal" }],
  },
  ...[
    ["AWS", oidc, "an identity provider", "Federated"],
    ["Service", oidc, "an identity provider", "Federated"],
    ["AWS", "s3.amazonaws.com", "an AWS service", "Service"],
    ["AWS", "s3.amazonaws.com.cn", "an AWS service", "Service"],
    ["Service", role, "an account, user or role", "AWS"],
    ["Service", account, "an account, user or role", "AWS"],
  ].map(([under, text, what, meant]) => ({
    name: `reports ${text} under ${under}`,
    type: "TRUST_POLICY" as const,
    statement: assume({ [String(under)]: text }),
    findings: [
      {
        ...refused,
        message: `\`${text}\` is ${what}, but it is listed under \`${under}\`.`,
        suggestion: `Write it under \`${meant}\`: \`{"${meant}": "${text}"}\`.`,
      },
    ],
  })),
  ...[
    ["sts:AssumeRoleWithWebIdentity", true],
    [["STS:assumerolewithwebidentity"], true],
    ["sts:AssumeRole", false],
    [["sts:AssumeRoleWithWebIdentity", "sts:TagSession"], false],
  ].map(([Action, isProvider]) => ({
    name: `takes accounts.google.com under AWS for ${isProvider ? "a provider" : "a principal"} of ${JSON.stringify(Action)}`,
    type: "TRUST_POLICY" as const,
    statement: assume({ AWS: "accounts.google.com" }, Action),
    findings: [
      {
        ...refused,
        message: isProvider
          ? /is an identity provider, but it is listed/
          : /not a principal that AWS/,
      },
    ],
  })),
  {
    name: "reports a wildcard in the name of a service",
    type,
    statement: grant({ Service: "*.amazonaws.com" }),
    findings: [
      {
        ...refused,
        message:
          "`*.amazonaws.com` has a wildcard, which AWS does not accept in the name of a service.",
        suggestion: "Name the service, such as `s3.amazonaws.com`.",
        aws_issue_code: "UNSUPPORTED_WILDCARD_IN_PRINCIPAL",
      },
    ],
  },
  {
    name: "leaves a lone star under Service to principal_validation",
    type,
    statement: grant({ Service: "*" }),
    findings: [],
  },
  {
    name: "warns of a service principal that is not known",
    type,
    statement: grant({ Service: "no-such-thing-at-all.amazonaws.com" }),
    findings: [
      {
        severity: "warning",
        message: /^No service principal `no-such-thing-at-all.amazonaws.com` is known \(names of/,
        suggestion: "Compare the name with the guide of the service.",
      },
    ],
  },
  {
    name: "reports a text under Service that is none",
    type,
    statement: grant({ Service: "my service" }),
    findings: [
      {
        ...refused,
        message: "`my service` is not the name of a service, which ends in `.amazonaws.com`.",
        suggestion: "Write the principal that the guide of the service names.",
      },
    ],
  },
  ...[
    ["actions of S3", { Action: ["s3:GetObject", "S3-outposts:GetObject"] }, true],
    ["every action", { Action: "*" }, true],
    ["all but actions of S3", { Action: undefined, NotAction: "s3:DeleteBucket" }, true],
    ["actions of another service too", { Action: ["s3:GetObject", "sqs:SendMessage"] }, false],
    ["actions of a service whose name ends so", { Action: "notes3:GetObject" }, false],
    ["a pattern that may be another service", { Action: "*:GetObject" }, false],
    ["actions of a service that begins so", { Action: "s30:GetObject" }, false],
    ["no actions", { Action: [] }, false],
  ].map(([name, elements, fine]) => ({
    name: `${fine ? "takes" : "reports"} a canonical user of ${name}`,
    type,
    statement: grant({ CanonicalUser: user }, elements as object),
    findings: fine
      ? []
      : [
          {
            ...refused,
            message: "`CanonicalUser` is known to S3 only.",
            suggestion: "Name the account, user or role under `AWS`.",
          },
        ],
  })),
  {
    name: "reports a canonical user of a trust policy",
    type: "TRUST_POLICY",
    statement: assume({ CanonicalUser: user }, "*"),
    findings: [{ ...refused, message: "`CanonicalUser` is known to S3 only." }],
  },
  ...[`${user}a`, user.slice(1), `x${user}`, `${user.slice(1)}g`].map((text) => ({
    name: `reports ${text.length} characters that are no id of a canonical user: ${text.slice(-2)}`,
    type,
    statement: grant({ CanonicalUser: text }),
    findings: [
      { ...refused, message: /is not a canonical user id, which has 64 hexadecimal digits/ },
    ],
  })),
  ...[
    ["s3:GetObject", false],
    ["sts:AssumeRoleWithSAML", true],
    ["STS:assumerolewithwebidentity", true],
    ["sts:*", true],
    [["s3:GetObject", "sts:AssumeRoleWithSAML"], true],
    ["*", false],
    ["sts:AssumeRole", false],
    ["x-sts:*", false],
  ].map(([Action, assumes]) => ({
    name: `${assumes ? "takes" : "reports"} a provider in a resource policy of ${JSON.stringify(Action)}`,
    type,
    statement: grant({ Federated: oidc }, { Action }),
    findings: assumes
      ? []
      : [
          {
            ...refused,
            message: `\`${oidc}\` is an identity provider. AWS accepts one in a role trust policy only.`,
            suggestion: "Name the role that the provider's users assume, under `AWS`.",
            aws_issue_code: "FEDERATED_PRINCIPAL_NOT_SUPPORTED",
          },
        ],
  })),
]);

describe("fixes", () => {
  const of = "policy_type_validation/invalid_principal_value";
  fixCases([
    {
      name: "names the role in place of its sessions",
      of,
      type,
      before: grant({ AWS: `arn:aws:sts::${account}:assumed-role/app/*` }),
      after: grant({ AWS: role }),
      effect: "repairs",
    },
    {
      name: "puts a pattern into a condition",
      of,
      type,
      before: grant({ AWS: `arn:aws:iam::${account}:role/app-*` }),
      after: grant(
        { AWS: `arn:aws:iam::${account}:root` },
        { Condition: { ArnLike: { "aws:PrincipalArn": `arn:aws:iam::${account}:role/app-*` } } },
      ),
    },
    {
      name: "does not put a pattern beside a condition on the same key",
      of,
      type,
      before: grant(
        { AWS: `arn:aws:iam::${account}:role/app-*` },
        { Condition: { StringLike: { "aws:PrincipalArn": "*x*" } } },
      ),
    },
    {
      name: "does not put a pattern into the condition of other principals",
      of,
      type,
      before: grant({ AWS: [`arn:aws:iam::${account}:role/app-*`, role] }),
    },
    {
      name: "does not put a pattern into the condition of a Deny",
      of,
      type,
      before: grant({ AWS: `arn:aws:iam::${account}:role/app-*` }, { Effect: "Deny" }),
    },
    {
      name: "asks for the account of a role",
      of,
      type,
      before: grant({ AWS: "role/app" }),
      after: grant({ AWS: "arn:aws:iam::<account-id>:role/app" }),
      asks: ["<account-id>"],
    },
    {
      name: "asks for the account that an ARN lacks",
      of,
      type,
      before: grant({ AWS: "arn:aws:iam:::role/app" }),
      after: grant({ AWS: "arn:aws:iam::<account-id>:role/app" }),
      asks: ["<account-id>"],
    },
    {
      name: "asks for an account that has one digit too many",
      of,
      type,
      before: grant({ AWS: "arn:aws:iam::1111222233334:root" }),
      after: grant({ AWS: "arn:aws:iam::<account-id>:root" }),
      asks: ["<account-id>"],
    },
    {
      name: "asks for an account id of eleven digits",
      of,
      type,
      before: grant({ AWS: "11112222333" }),
      after: grant({ AWS: "<account-id>" }),
      asks: ["<account-id>"],
    },
    {
      name: "does not guess a principal from a short number",
      of,
      type,
      before: grant({ AWS: "1111" }),
    },
    { name: "does not guess a principal from a name", of, type, before: grant({ AWS: "app" }) },
    {
      name: "does not ask for the account of a group",
      of,
      type,
      before: grant({ AWS: "arn:aws:iam:::group/admins" }),
    },
    {
      name: "removes an empty text beside a principal of the list",
      of,
      type,
      before: grant({ AWS: [role, ""] }),
      after: grant({ AWS: [role] }),
    },
    {
      name: "removes an empty text and its type beside another type",
      of,
      type,
      before: grant({ AWS: "", Service: "s3.amazonaws.com" }),
      after: grant({ Service: "s3.amazonaws.com" }),
    },
    { name: "keeps an empty text that is alone", of, type, before: grant({ AWS: "" }) },
    {
      name: "keeps the list of one empty text beside another type",
      of,
      type,
      before: grant({ AWS: [""], Service: "s3.amazonaws.com" }),
    },
    {
      name: "separates principals that one text joins",
      of,
      type,
      before: grant({ AWS: `${role}, arn:aws:iam::${account}:role/web` }),
      after: grant({ AWS: [role, `arn:aws:iam::${account}:role/web`] }),
    },
    {
      name: "writes a provider under its type",
      of,
      type: "TRUST_POLICY",
      before: assume({ AWS: oidc }, "sts:AssumeRoleWithWebIdentity"),
      after: assume({ Federated: oidc }, "sts:AssumeRoleWithWebIdentity"),
    },
    {
      name: "does not move one of two principals to another type",
      of,
      type,
      before: grant({ AWS: [role, "s3.amazonaws.com"] }),
    },
    {
      name: "does not move a principal beside NotPrincipal",
      of,
      type,
      before: grant({ AWS: "s3.amazonaws.com" }, { NotPrincipal: { AWS: role } }),
    },
    {
      name: "renames the type of several services",
      of,
      type,
      before: grant({ Services: ["s3.amazonaws.com", "sns.amazonaws.com"] }),
      after: grant({ Service: ["s3.amazonaws.com", "sns.amazonaws.com"] }),
    },
    {
      name: "names the type of accounts and roles",
      of,
      type,
      before: grant({ Accounts: [role, account], Service: "s3.amazonaws.com" }),
      after: grant({ AWS: [role, account], Service: "s3.amazonaws.com" }),
    },
    {
      name: "does not choose a type for principals of two",
      of,
      type,
      before: grant({ Callers: [role, "s3.amazonaws.com"] }),
    },
  ]);
});
