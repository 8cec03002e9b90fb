import { checkCases } from "../../../test/support/check-cases.ts";
import { conditionEffect } from "../condition-effect.ts";

const never = "condition_never_true";
const always = "condition_always_true";
const inverted = "condition_inverted";
const issuer = "oidc.eks.eu-west-1.amazonaws.com/id/EXAMPLED539D4633E53DE1B71EXAMPLE";
const subject = { [`${issuer}:sub`]: "system:serviceaccount:a:b" };
const saml = { Federated: "arn:aws:iam::111122223333:saml-provider/ADFS" };
const oidc = { Federated: `arn:aws:iam::111122223333:oidc-provider/${issuer}` };
const account = { AWS: "arn:aws:iam::444455556666:root" };

/** Cases of one statement of a trust policy. */
const trust = (Principal: unknown, Action: string, Condition: unknown) => ({
  type: "TRUST_POLICY" as const,
  statement: { Effect: "Allow", Principal, Action, Condition },
});

checkCases(conditionEffect, [
  {
    name: "an assertion of an identity provider has no MFA key",
    ...trust(saml, "sts:AssumeRoleWithSAML", { Bool: { "aws:MultiFactorAuthPresent": "true" } }),
    findings: [{ issue_type: never, severity: "error", suggestion: /at the identity provider/ }],
  },
  {
    name: "a token of an identity provider comes from no organization",
    ...trust(oidc, "sts:AssumeRoleWithWebIdentity", {
      StringEquals: { ...subject, "aws:PrincipalOrgID": "o-a1b2c3d4e5" },
    }),
    findings: [{ issue_type: never, severity: "error", condition_key: "aws:PrincipalOrgID" }],
  },
  {
    name: "only callers without an external id",
    ...trust(account, "sts:AssumeRole", { Null: { "sts:ExternalId": "true" } }),
    findings: [{ issue_type: inverted, severity: "high", message: /that send no external id\.$/ }],
  },
  {
    name: "only callers without MFA, by its age",
    ...trust(account, "sts:AssumeRole", { Null: { "aws:MultiFactorAuthAge": true } }),
    findings: [{ issue_type: inverted, severity: "high", message: /did not sign in with MFA\.$/ }],
  },
  {
    name: "any external id, by its presence",
    ...trust(account, "sts:AssumeRole", { Null: { "sts:ExternalId": "false" } }),
    findings: [{ issue_type: always, severity: "high" }],
  },
  ...(
    [
      ["StringEquals", "sts:RoleSessionName", "${aws:username}", true],
      ["StringLike", "aws:RequestTag/owner", "${aws:username}-*", true],
      ["StringLike", "sts:RoleSessionName", "${aws:username, 'ci'}*", false],
      ["StringLikeIfExists", "sts:RoleSessionName", "${aws:username}", false],
    ] as const
  ).map(([operator, key, value, isNever]) => ({
    name: `a role has no user name: ${operator} with ${value}`,
    ...trust({ AWS: "arn:aws:iam::111122223333:role/ci" }, "sts:AssumeRole", {
      [operator]: { [key]: value },
    }),
    findings: isNever
      ? [
          {
            issue_type: never,
            severity: "error" as const,
            message: /`\$\{aws:username\}`, and the/,
            suggestion: /^Compare with a fixed value/,
          },
        ]
      : [],
  })),
  ...["*", "?*", "*??", "????????", "acme-*"].map((id) => ({
    name: `external ids that match ${id}`,
    ...trust(account, "sts:AssumeRole", { StringLike: { "sts:ExternalId": ["acme-7", id] } }),
    findings:
      id === "acme-*"
        ? []
        : [
            {
              issue_type: always,
              severity: "high" as const,
              message: id.includes("*")
                ? /accepts every external id, and callers choose/
                : /accepts every external id of 8 characters, and callers choose/,
            },
          ],
  })),
  ...(
    [
      [saml, "sts:AssumeRoleWithSAML", { BoolIfExists: { "aws:MultiFactorAuthPresent": "true" } }],
      [saml, "sts:AssumeRoleWithSAML", { StringNotEquals: { "aws:username": "bob" } }],
      [oidc, "sts:AssumeRoleWithWebIdentity", { StringEquals: subject }],
      [account, "sts:AssumeRole", { Bool: { "aws:MultiFactorAuthPresent": "true" } }],
      [account, "sts:AssumeRole", { Null: { "aws:MultiFactorAuthAge": "false" } }],
      [
        account,
        "sts:AssumeRole",
        { Null: { "sts:ExternalId": "false" }, StringEquals: { "sts:ExternalId": "a1b2" } },
      ],
    ] as const
  ).map(([principal, action, condition]) => ({
    name: `says nothing of ${JSON.stringify(condition)} for ${Object.keys(principal)}`,
    ...trust(principal, action, condition),
    findings: [],
  })),
  ...[
    ["scheduler.amazonaws.com", "arn:aws:events:eu-west-1:111122223333:rule/*"],
    ["states.amazonaws.com", "arn:aws:lambda:eu-west-1:111122223333:function:f"],
    ["s3.amazonaws.com", "arn:aws:s3:us-east-1:111122223333:reports"],
  ].map(([Service = "", source]) => ({
    name: `${Service} never calls for ${source}`,
    ...trust({ Service }, "sts:AssumeRole", { ArnLike: { "aws:SourceArn": source } }),
    findings: [{ issue_type: never, severity: "error" as const }],
  })),
  ...[
    ["scheduler.amazonaws.com", "arn:aws:scheduler:eu-west-1:111122223333:schedule-group/default"],
    ["states.amazonaws.com", "arn:aws:states:eu-west-1:111122223333:stateMachine:*"],
    ["access-grants.s3.amazonaws.com", "arn:aws:s3:us-east-1:111122223333:access-grants/default"],
    ["s3.amazonaws.com", "arn:aws:s3:us-east-1:111122223333:accesspoint/reports"],
    ["s3.amazonaws.com", "arn:aws:s3:*:*:reports"],
    ["ecs-tasks.amazonaws.com", "arn:aws:ecs:eu-west-1:111122223333:*"],
  ].map(([Service = "", source]) => ({
    name: `${Service} may call for ${source}`,
    ...trust({ Service }, "sts:AssumeRole", { ArnLike: { "aws:SourceArn": source } }),
    findings: [],
  })),
]);

/** Cases of a Deny in the policy of a bucket. */
const deny = (Action: unknown, Condition: unknown, Principal: unknown = "*") => ({
  type: "RESOURCE_POLICY" as const,
  statement: {
    Effect: "Deny",
    Principal,
    Action,
    Resource: ["arn:aws:s3:::reports", "arn:aws:s3:::reports/*"],
    Condition,
  },
});
checkCases(conditionEffect, [
  {
    name: "the name of a role in aws:userId exempts none of its sessions",
    ...deny("s3:*", { StringNotLike: { "aws:userId": ["admin:*"] } }),
    findings: [{ issue_type: always, severity: "high", condition_key: "aws:userId" }],
  },
  ...["AROAEXAMPLEID:*", "AIDAEXAMPLEID", "111122223333", "*:bob@example.com", "AROA*"].map(
    (value) => ({
      name: `a caller may have the id ${value}`,
      ...deny("s3:*", { StringNotLike: { "aws:userId": [value] } }),
      findings: [],
    }),
  ),
  {
    name: "a source of one account under the account of another",
    ...trust({ Service: "states.amazonaws.com" }, "sts:AssumeRole", {
      StringEquals: { "aws:SourceAccount": "111122223333" },
      ArnLike: { "aws:SourceArn": "arn:aws:states:eu-west-1:444455556666:stateMachine:*" },
    }),
    findings: [{ issue_type: never, severity: "error", condition_key: "aws:SourceAccount" }],
  },
  ...[
    ["111122223333", "arn:aws:states:eu-west-1:111122223333:stateMachine:*"],
    ["111122223333", "arn:aws:states:eu-west-1:*:stateMachine:orders"],
    ["${aws:ResourceAccount}", "arn:aws:states:eu-west-1:111122223333:stateMachine:*"],
    ["*", "arn:aws:states:eu-west-1:111122223333:stateMachine:*"],
  ].map(([account, source]) => ({
    name: `a source may be of ${account} and ${source}`,
    ...trust({ Service: "states.amazonaws.com" }, "sts:AssumeRole", {
      StringLike: { "aws:SourceAccount": account },
      ArnLike: { "aws:SourceArn": source },
    }),
    findings: [],
  })),
  {
    name: "a bucket has no account in its ARN",
    ...trust({ Service: "s3.amazonaws.com" }, "sts:AssumeRole", {
      StringEquals: { "aws:SourceAccount": "111122223333" },
      ArnLike: { "aws:SourceArn": "arn:aws:s3:::reports" },
    }),
    findings: [],
  },
]);

checkCases(conditionEffect, [
  ...(
    [
      ["ec2.amazonaws.com", { StringEquals: { "sts:ExternalId": "a1b2" } }],
      ["lambda.amazonaws.com", { IpAddress: { "aws:SourceIp": "203.0.113.0/24" } }],
      ["ecs-tasks.amazonaws.com", { StringEquals: { "aws:SourceVpce": "vpce-0a1b2c3d4e5f60718" } }],
      ["ec2.amazonaws.com", { StringEquals: { "aws:PrincipalTag/team": "payments" } }],
    ] as const
  ).map(([Service, condition]) => ({
    name: `${Service} never brings ${JSON.stringify(condition)}`,
    ...trust({ Service }, "sts:AssumeRole", condition),
    findings: [{ issue_type: never, severity: "error" as const, suggestion: /^Remove the entry/ }],
  })),
  ...(
    [
      [
        { Service: "firehose.amazonaws.com" },
        { StringEquals: { "sts:ExternalId": "111122223333" } },
      ],
      [
        { Service: "rolesanywhere.amazonaws.com" },
        { StringEquals: { "aws:PrincipalTag/x509Subject/CN": "build" } },
      ],
      [{ Service: "ec2.amazonaws.com" }, { NotIpAddress: { "aws:SourceIp": "203.0.113.0/24" } }],
      [account, { StringEquals: { "sts:ExternalId": "a1b2", "aws:PrincipalTag/team": "a" } }],
    ] as const
  ).map(([principal, condition]) => ({
    name: `${JSON.stringify(principal)} may bring ${JSON.stringify(condition)}`,
    ...trust(principal, "sts:AssumeRole", condition),
    findings: [],
  })),
  {
    name: "a Deny of those who send the external id",
    type: "TRUST_POLICY",
    statement: {
      Effect: "Deny",
      Principal: { AWS: "*" },
      Action: "sts:AssumeRole",
      Condition: { StringEquals: { "sts:ExternalId": "a1b2" } },
    },
    findings: [{ issue_type: inverted, severity: "high", example: /StringNotEquals/ }],
  },
  {
    name: "a Deny of those who send any external id",
    type: "TRUST_POLICY",
    statement: {
      Effect: "Deny",
      Principal: { AWS: "*" },
      Action: "sts:AssumeRole",
      Condition: { Null: { "sts:ExternalId": "false" } },
    },
    findings: [{ issue_type: inverted, severity: "high", example: /"true"/ }],
  },
  {
    name: "a Deny of those who send no external id",
    type: "TRUST_POLICY",
    statement: {
      Effect: "Deny",
      Principal: { AWS: "*" },
      Action: "sts:AssumeRole",
      Condition: { Null: { "sts:ExternalId": "true" } },
    },
    findings: [],
  },
  {
    name: "a Deny of those who do not send the external id",
    type: "TRUST_POLICY",
    statement: {
      Effect: "Deny",
      Principal: { AWS: "*" },
      Action: "sts:AssumeRole",
      Condition: { StringNotEquals: { "sts:ExternalId": "a1b2" } },
    },
    findings: [],
  },
]);

const endpoint = { "aws:SourceVpce": "vpce-0a1b2c3d4e5f60718" };
const keyOfKms = { "s3:x-amz-server-side-encryption": "aws:kms" };

checkCases(conditionEffect, [
  {
    name: "a Deny of everything that comes through the endpoint",
    ...deny("s3:*", { StringEquals: endpoint }),
    findings: [{ issue_type: inverted, severity: "high", example: /StringNotEquals/ }],
  },
  {
    name: "a Deny in the policy of an endpoint by the endpoint that requests come through",
    ...deny("s3:*", { StringEquals: endpoint }),
    type: "ENDPOINT_POLICY",
    findings: [{ issue_type: inverted, severity: "high", message: /stops all of them or none/ }],
  },
  {
    name: "a Deny of reading from the VPC",
    ...deny(["s3:GetObject"], { StringLike: { "aws:SourceVpc": "vpc-0a1b2c3d" } }, { AWS: "*" }),
    findings: [
      { issue_type: inverted, severity: "high", message: /through the VPC that it names/ },
    ],
  },
  {
    name: "a Deny of uploads with a key of KMS",
    ...deny("s3:PutObject", { StringEquals: keyOfKms }),
    findings: [{ issue_type: inverted, severity: "high", example: /StringNotEquals/ }],
  },
  {
    name: "a Deny of what comes through the endpoint says which requests it leaves alone",
    ...deny("s3:*", { StringEquals: endpoint, NotIpAddress: { "aws:SourceIp": "203.0.113.0/24" } }),
    findings: [
      {
        message:
          "`StringEquals` on `aws:SourceVpce` makes this Deny stop the requests through the VPC endpoint that it names and not those from everywhere else.",
        suggestion: "Write `StringNotEquals`, so that it stops the others.",
      },
    ],
  },
  {
    name: "the same with IfExists",
    ...deny("s3:*", { StringEqualsIfExists: { "aws:SourceVpc": "vpc-0a1b2c3d4e5f60718" } }),
    findings: [
      {
        message:
          "`StringEqualsIfExists` on `aws:SourceVpc` makes this Deny stop the requests through the VPC that it names, and those without `aws:SourceVpc`, and not those through another one.",
        suggestion: "Write `StringNotEqualsIfExists`, so that it stops the others.",
      },
    ],
  },
  ...[
    deny("s3:*", { StringLike: { "aws:SourceVpce": ["vpce-0a1b2c3d4e5f60718", "vpce-*"] } }),
    deny("s3:*", {
      StringEquals: { "aws:SourceVpcArn": "arn:aws:ec2:eu-west-1:111122223333:vpc/vpc-1" },
    }),
    deny("s3:*", { StringEquals: endpoint, IpAddressX: { "aws:SourceIp": "203.0.113.0/24" } }),
    deny("s3:*", { StringEquals: endpoint, StringNotEquals: { "aws:PrincipalTag/team": "a" } }),
    deny("s3:*", { StringNotEquals: endpoint }),
    deny("s3:DeleteObject", { StringEquals: endpoint }),
    deny("s3:*", { StringEquals: endpoint }, { AWS: "arn:aws:iam::444455556666:role/build" }),
    deny("s3:*", { StringEquals: endpoint, Bool: { "aws:SecureTransport": "false" } }),
    deny("s3:*", { IpAddress: { "aws:SourceIp": "203.0.113.7/32" } }),
    deny("s3:PutObject", { StringNotEquals: keyOfKms }),
    deny("s3:PutObject", { StringEquals: { "s3:x-amz-server-side-encryption": "AES256" } }),
    deny("s3:PutObject", {
      StringEquals: keyOfKms,
      StringNotEquals: { "s3:x-amz-server-side-encryption-aws-kms-key-id": "arn:aws:kms:x" },
    }),
  ].map((one) => ({
    name: `says nothing of a Deny of ${one.statement.Action} by ${JSON.stringify(one.statement.Condition)} for ${JSON.stringify(one.statement.Principal)}`,
    ...one,
    findings: [],
  })),
]);
