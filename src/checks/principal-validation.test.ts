import { checkCases } from "../../test/support/check-cases.ts";
import { noPublicAccess } from "./no-public-access.ts";
import { principalValidation } from "./principal-validation.ts";

const topic = "arn:aws:sns:us-east-1:111122223333:topic";
const allow = (Principal: unknown, Condition?: object) => ({
  Effect: "Allow",
  Principal,
  Action: "sns:Publish",
  Resource: topic,
  ...(Condition ? { Condition } : {}),
});
const deny = (elements: object) => ({
  Effect: "Deny",
  Action: "sns:Publish",
  Resource: topic,
  ...elements,
});
const role = "arn:aws:iam::111122223333:role/x";
const root = "arn:aws:iam::111122223333:root";
const publicAccess = {
  issue_type: "missing_principal_condition_any_of",
  severity: "critical",
  field_name: "principal",
} as const;

checkCases(principalValidation, [
  {
    name: "reports a statement for everyone that nothing limits, at the principal",
    statement: [allow("*"), allow({ AWS: [role, "*"] }), allow({ CanonicalUser: "*" })],
    findings: [
      {
        ...publicAccess,
        at: 0,
        action: null,
        condition_key: null,
        example: null,
        path: "/Statement/0/Principal",
        message:
          "The statement lets in everyone (`*`). No condition limits it, such as one on `aws:PrincipalOrgID`, `aws:PrincipalAccount` or `aws:SourceArn`.",
        suggestion:
          /^Name the accounts.* or add one of the conditions: `aws:PrincipalOrgID` for callers/,
      },
      { ...publicAccess, at: 1, path: "/Statement/1/Principal/AWS/1" },
      { ...publicAccess, at: 2 },
    ],
  },
  {
    name: "accepts each of the keys that limit who, from where or for whom",
    statement: [
      "aws:sourcearn",
      "aws:SourceAccount",
      "aws:SourceOrgID",
      "aws:SourceOwner",
      "aws:SourceVpc",
      "aws:SourceVpce",
      "aws:VpceOrgID",
      "aws:PrincipalAccount",
      "aws:userid",
      "s3:DataAccessPointAccount",
      "kms:CallerAccount",
    ].map((key) => allow("*", { StringEquals: { [key]: "x" } })),
    findings: [],
  },
  {
    name: "does not take keys that anybody can meet",
    statement: ["aws:PrincipalTag/team", "aws:username", "aws:VpcSourceIp", "kms:ViaService"].map(
      (key) => allow("*", { StringEquals: { [key]: "x" } }),
    ),
    findings: [
      { ...publicAccess, at: 0, message: /tests a tag that anyone can give to a principal/ },
      { ...publicAccess, at: 1, message: /tests a name that anyone can use/ },
      { ...publicAccess, at: 2, message: /tests private addresses/ },
      { ...publicAccess, at: 3, message: /says through which service a call comes/ },
    ],
  },
  {
    name: "says why a condition does not limit",
    statement: [
      { Bool: { "aws:SecureTransport": "true" } },
      { StringLike: { "aws:PrincipalOrgID": "o-*" } },
      { ArnLike: { "aws:SourceArn": "arn:aws:sns:*:*:orders" } },
      { StringEqualsIfExists: { "aws:PrincipalOrgID": "o-a1b2c3d4e5" } },
    ].map((condition) => allow("*", condition)),
    findings: [
      /asks only for an encrypted connection/,
      /matches every organization/,
      /leaves the account open/,
      /also holds for requests without the key/,
    ].map((message, at) => ({ ...publicAccess, at, message })),
  },
  {
    name: "does not take conditions that limit nothing: negated, Null, IfExists, every address, ForAllValues alone",
    statement: [
      allow("*", { StringNotEquals: { "aws:SourceAccount": "1" } }),
      allow("*", { Null: { "aws:SourceAccount": "false" } }),
      allow("*", { StringEqualsIfExists: { "aws:SourceAccount": "1" } }),
      allow("*", { IpAddress: { "aws:SourceIp": ["10.0.0.0/8", "::/0"] } }),
      allow("*", { "ForAllValues:StringEquals": { "aws:PrincipalOrgPaths": "o-1/*" } }),
      allow("*", { StringLike: { "aws:PrincipalOrgID": "*" } }),
    ],
    findings: [0, 1, 2, 3, 4, 5].map((at) => ({ ...publicAccess, at })),
  },
  {
    name: "takes IfExists on a key that every request has",
    statement: allow("*", { StringEqualsIfExists: { "aws:PrincipalAccount": "111122223333" } }),
    findings: [],
  },
  {
    name: "leaves named principals alone",
    statement: [
      allow({ AWS: [role, root, "111122223333"], Service: "sns.amazonaws.com" }),
      allow({ Federated: "cognito-identity.amazonaws.com" }),
      { Effect: "Allow", Action: "s3:GetObject", Resource: "*" },
    ],
    findings: [],
  },
  {
    name: "reads an Allow with NotPrincipal as one for everybody",
    statement: { ...allow(undefined), Principal: undefined, NotPrincipal: { AWS: root } },
    findings: [{ ...publicAccess, path: "/Statement/0/NotPrincipal" }],
  },
  {
    name: "reads a statement without a known effect as one that grants",
    statement: { ...allow("*"), Effect: "Maybe" },
    findings: [publicAccess],
  },
  {
    name: "reports a condition that lets plain HTTP in, for any principal, once, at the value",
    statement: allow({ AWS: [role, role] }, { Bool: { "aws:securetransport": ["FALSE"] } }),
    findings: [
      {
        issue_type: "forbidden_principal_condition",
        severity: "critical",
        field_name: "principal",
        condition_key: null,
        example: '"true"',
        path: "/Statement/0/Condition/Bool/aws:securetransport/0",
        message:
          "Access for `arn:aws:iam::111122223333:role/x` may not have the condition `aws:securetransport` with the value `FALSE`.",
      },
    ],
  },
  {
    name: "reports every service at once as critical and continues with the other principals",
    statement: allow({ Service: ["*", "sns.amazonaws.com"], AWS: ["111122223333", "*"] }),
    options: { severity: "low", blocked_principals: [root] },
    findings: [
      {
        issue_type: "service_principal_wildcard",
        severity: "critical",
        field_name: "principal",
        message:
          'The principal `{"Service": "*"}` lets in every AWS service, on behalf of any AWS account.',
        suggestion: /^Name the service, such as `s3\.amazonaws\.com`/,
        path: "/Statement/0/Principal/Service/0",
      },
      {
        issue_type: "blocked_principal",
        severity: "low",
        path: "/Statement/0/Principal/AWS/0",
        field_name: "principal",
        message: "The principal `111122223333` is blocked by the configuration of this server.",
        suggestion: "Remove it, or name a principal that is allowed.",
      },
    ],
  },
  {
    name: "holds the service wildcard against the requirements when it is not blocked by itself",
    statement: allow({ Service: "*" }),
    options: { block_service_principal_wildcard: false },
    findings: [publicAccess],
  },
  {
    name: "strict mode blocks `*` whatever the conditions, and asks for no conditions then",
    statement: allow("*"),
    options: { block_wildcard_principal: true },
    findings: [{ issue_type: "blocked_principal", severity: "high" }],
  },
  {
    name: "the block list wins over every allow list",
    statement: allow({ Service: "SNS.amazonaws.com", AWS: role }),
    options: {
      blocked_principals: ["sns.*.com", "arn:aws:iam::111122223333:role/*"],
      allowed_principals: [role],
    },
    findings: [
      { issue_type: "blocked_principal", message: /`SNS\.amazonaws\.com`/ },
      { issue_type: "blocked_principal", message: /role\/x/ },
    ],
  },
  {
    name: "an account has one id and many root ARNs, on both sides",
    statement: allow({ AWS: ["111122223333", "arn:aws-cn:iam::444455556666:root"] }),
    options: { allowed_principals: ["arn:aws-us-gov:iam::111122223333:root", "444455556666"] },
    findings: [],
  },
  {
    name: "a pattern for root ARNs meets account ids, and `*` alone is not a glob",
    statement: allow({ AWS: ["111122223333", role] }),
    options: { blocked_principals: ["arn:aws:iam::*:root", "*"] },
    findings: [{ issue_type: "blocked_principal", message: /`111122223333`/ }],
  },
  {
    name: "an allow list leaves services and listed principals, letter case counting",
    statement: allow({
      AWS: [root, "arn:aws:iam::444455556666:role/x"],
      Service: "s3.amazonaws.com",
    }),
    options: {
      allowed_principals: ["arn:aws:iam::444455556666:ROLE/*", "arn:aws:iam::444455556666:r*"],
    },
    findings: [
      {
        issue_type: "unauthorized_principal",
        severity: "high",
        field_name: "principal",
        message: `The principal \`${root}\` is not among those that the configuration of this server allows.`,
        suggestion: "Remove it, or have it added to `allowed_principals`.",
        path: "/Statement/0/Principal/AWS/0",
      },
    ],
  },
  {
    name: "allowed services can be named by globs, in any letter case",
    statement: allow({
      Service: ["S3.amazonaws.com", "sns.amazonaws.com.cn", "sqs.amazonaws.com"],
    }),
    options: {
      allowed_principals: [root],
      allowed_service_principals: ["s3.amazonaws.com", "sns.*"],
    },
    findings: [{ issue_type: "unauthorized_principal", message: /`sqs\.amazonaws\.com`/ }],
  },
  {
    name: "a list or all_of requirement reports each condition that is missing",
    statement: allow(
      { AWS: "arn:aws:iam::111122223333:user/u" },
      { IpAddress: { "aws:SourceIp": "0.0.0.0/0" } },
    ),
    options: {
      principal_condition_requirements: [
        {
          id: "users-with-mfa",
          principals: ["arn:aws:iam::*:user/*", "arn:aws:iam::*"],
          severity: "medium",
          required_conditions: {
            all_of: [
              {
                condition_key: "aws:MultiFactorAuthPresent",
                expected_value: true,
                severity: "high",
              },
              { condition_key: "aws:SourceIp", operator: "IpAddress" },
            ],
          },
        },
        { principals: ["*"], required_conditions: [{ condition_key: "a:b" }] },
        { principals: ["arn:aws:iam::*"] },
      ],
    },
    findings: [
      {
        issue_type: "missing_principal_condition",
        severity: "high",
        message:
          "Access for `arn:aws:iam::111122223333:user/u` needs the condition `aws:MultiFactorAuthPresent` set to `true`. All the required conditions are needed together.",
        example: /"Bool": \{\s+"aws:MultiFactorAuthPresent": "true"/,
      },
      {
        issue_type: "missing_principal_condition",
        severity: "medium",
        message:
          /The `aws:SourceIp` under `IpAddress` is not enough: a value in it matches everything\.$/,
        example: null,
      },
    ],
  },
  {
    name: "an organisation path may stand under any operator that limits",
    statement: [
      allow({ AWS: root }, { "ForAnyValue:StringLike": { "aws:PrincipalOrgPaths": "o-1/r-1/*" } }),
      allow({ AWS: root }),
    ],
    options: {
      principal_condition_requirements: [
        {
          principals: ["arn:aws:iam::*:root"],
          required_conditions: {
            any_of: [
              { condition_key: "aws:PrincipalOrgID" },
              { condition_key: "aws:PrincipalOrgPaths" },
            ],
          },
        },
      ],
    },
    findings: [
      { ...publicAccess, at: 1, severity: "high", suggestion: /^Name narrower principals/ },
    ],
  },
  ...[
    { StringNotEquals: { "aws:SourceVpce": "vpce-0123456789abcdef0" } },
    { StringNotEqualsIfExists: { "aws:PrincipalOrgID": "o-a1b2c3d4e5" } },
    { NotIpAddress: { "aws:SourceIp": "203.0.113.0/24" } },
    { ArnNotLike: { "aws:PrincipalArn": "arn:aws:iam::111122223333:role/*" } },
  ].map((Condition) => ({
    name: `accepts a statement for everyone that a Deny takes back: ${JSON.stringify(Condition)}`,
    statement: [allow("*"), deny({ Principal: "*", Condition })],
    findings: [],
  })),
  ...[
    // AWS services that act for strangers stay.
    {
      Condition: {
        StringNotEquals: { "aws:PrincipalAccount": "111122223333" },
        BoolIfExists: { "aws:PrincipalIsAWSService": "false" },
      },
    },
    { Condition: { StringNotLike: { "aws:PrincipalOrgID": "o-*" } } },
    { Condition: { StringNotEquals: { "aws:PrincipalTag/team": "x" } } },
    { Condition: { NotIpAddress: { "aws:SourceIp": "0.0.0.0/1" } } },
    {
      Action: "sns:Subscribe",
      Condition: { StringNotEquals: { "aws:SourceVpce": "vpce-0123456789abcdef0" } },
    },
    {
      Resource: `${topic}-other`,
      Condition: { StringNotEquals: { "aws:SourceVpce": "vpce-0123456789abcdef0" } },
    },
    {
      Principal: { AWS: role },
      Condition: { StringNotEquals: { "aws:SourceVpce": "vpce-0123456789abcdef0" } },
    },
    {
      Condition: {
        StringNotEquals: { "aws:SourceVpce": "vpce-0123456789abcdef0" },
        Bool: { "aws:SecureTransport": "false" },
      },
    },
  ].map((members) => ({
    name: `reports a statement for everyone beside a Deny with ${JSON.stringify(members)}`,
    statement: [allow("*"), deny({ Principal: "*", ...members })],
    findings: [{ ...publicAccess, at: 0 }],
  })),
  {
    name: "leaves what no_public_access reports to it, also beside a statement that cannot be read",
    statement: [allow("*"), { ...allow(root), Action: ["sns:Publish", 5] }],
    peers: [noPublicAccess],
    findings: [],
  },
  {
    name: "asks for what the configuration wants of everyone, also where another check decides",
    statement: allow("*", { StringEquals: { "aws:SourceVpc": "vpc-0a1b2c3d" } }),
    peers: [noPublicAccess],
    options: {
      principal_condition_requirements: [
        { principals: ["*"], required_conditions: [{ condition_key: "aws:PrincipalOrgID" }] },
      ],
    },
    findings: [{ issue_type: "missing_principal_condition" }],
  },
  {
    name: "accepts what a Deny takes back, also beside a statement that cannot be read",
    statement: [
      allow("*"),
      deny({
        Principal: "*",
        Condition: { StringNotEquals: { "aws:SourceVpce": "vpce-0123456789abcdef0" } },
      }),
      { ...allow(root), Action: ["sns:Publish", 5] },
    ],
    findings: [],
  },
]);
