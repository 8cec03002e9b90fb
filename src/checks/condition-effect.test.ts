import { describe, expect, test } from "vitest";
import { checkCases } from "../../test/support/check-cases.ts";
import { runCheck } from "../../test/support/run-check.ts";
import { conditionEffect } from "./condition-effect.ts";

const allow = { Effect: "Allow", Action: "s3:GetObject", Resource: "arn:aws:s3:::reports/*" };
const deny = { Effect: "Deny", Action: "*", Resource: "*" };
const never = "condition_never_true";
const always = "condition_always_true";

const sourceValues: Record<string, string> = {
  "aws:SourceAccount": "111122223333",
  "aws:SourceArn": "arn:aws:sns:*:111122223333:*",
  "aws:SourceOrgID": "o-a1b2c3d4e5",
};

checkCases(conditionEffect, [
  ...[
    {
      type: "SERVICE_CONTROL_POLICY" as const,
      operator: "StringNotEquals",
      key: "aws:SourceAccount",
    },
    { type: "IDENTITY_POLICY" as const, operator: "ArnNotLike", key: "aws:SourceArn" },
    {
      type: "RESOURCE_CONTROL_POLICY" as const,
      operator: "StringNotEqualsIfExists",
      key: "aws:SourceOrgID",
    },
  ].map(({ type, operator, key }) => ({
    name: `a Deny by ${key} that stops users and roles too: ${type}`,
    type,
    statement: {
      ...deny,
      Action: "s3:*",
      ...(type === "RESOURCE_CONTROL_POLICY" ? { Principal: "*" } : {}),
      Condition: { [operator]: { [key]: sourceValues[key] } },
    },
    findings: [
      {
        issue_type: always,
        severity: "high" as const,
        condition_key: key,
        message: /users and roles have no.*So the Deny stops these calls too\.$/,
      },
    ],
  })),
  ...[
    { Null: { "aws:SourceAccount": "false" } },
    { Bool: { "aws:PrincipalIsAWSService": "true" } },
    { BoolIfExists: { "aws:PrincipalIsAWSService": true } },
    { StringEquals: { "aws:SourceAccount": "111122223333" } },
  ].map((more) => ({
    name: `a Deny by source that spares users and roles: ${JSON.stringify(more)}`,
    type: "RESOURCE_CONTROL_POLICY" as const,
    statement: {
      ...deny,
      Principal: "*",
      Action: "s3:*",
      Condition: { StringNotEqualsIfExists: { "aws:SourceOrgID": "o-a1b2c3d4e5" }, ...more },
    },
    findings: [],
  })),
  {
    name: "a Deny in a policy of one resource that only one source may use",
    type: "RESOURCE_POLICY",
    statement: {
      ...deny,
      Principal: "*",
      Action: "s3:PutObject",
      Resource: "arn:aws:s3:::logs/*",
      Condition: { StringNotEquals: { "aws:SourceAccount": "111122223333" } },
    },
    findings: [],
  },
  ...[
    { name: "all actions", members: {} },
    {
      name: "all but those of other services",
      members: { Action: undefined, NotAction: ["sts:*"] },
    },
    {
      name: "all actions, but for one role",
      members: {},
      more: { ArnNotLike: { "aws:PrincipalArn": "arn:aws:iam::*:role/admin" } },
    },
  ].map(({ name, members, more }) => ({
    name: `an SCP that stops the global services with the other Regions: ${name}`,
    type: "SERVICE_CONTROL_POLICY" as const,
    statement: {
      ...deny,
      ...members,
      Condition: { StringNotEquals: { "aws:RequestedRegion": ["eu-west-1"] }, ...more },
    },
    findings: [
      {
        issue_type: "global_services_denied",
        severity: "medium" as const,
        message: /Region `us-east-1`/,
      },
    ],
  })),
  ...[
    { name: "that spares IAM", members: { Action: undefined, NotAction: ["iam:*", "sts:*"] } },
    { name: "of one service", members: { Action: "ec2:*" } },
    { name: "with us-east-1 among the Regions", regions: ["eu-west-1", "us-east-1"] },
    { name: "of another partition", regions: ["us-gov-west-1"] },
    { name: "for one account", more: { StringEquals: { "aws:PrincipalAccount": "111122223333" } } },
    { name: "in an identity policy", type: "IDENTITY_POLICY" as const },
  ].map(({ name, members, regions, more, type }) => ({
    name: `a limit to Regions ${name} is not a finding`,
    type: type ?? ("SERVICE_CONTROL_POLICY" as const),
    statement: {
      ...deny,
      ...members,
      Condition: {
        StringNotEquals: { "aws:RequestedRegion": regions ?? ["eu-west-1"] },
        ...more,
      },
    },
    findings: [],
  })),
  {
    name: "an Allow for the resources of other accounts, as policies of AWS write it",
    statement: {
      ...allow,
      Condition: { StringNotEquals: { "aws:ResourceAccount": "${aws:PrincipalAccount}" } },
    },
    findings: [],
  },
  {
    name: "an Allow that excludes an account by its number",
    statement: {
      ...allow,
      Condition: { StringNotEquals: { "aws:ResourceAccount": "111122223333" } },
    },
    findings: [{ issue_type: "condition_inverted", severity: "high" }],
  },
  {
    name: "a value the key can never have, under a positive operator: error in an Allow",
    statement: {
      ...allow,
      Action: "iam:PassRole",
      Condition: { StringEquals: { "iam:PassedToService": "ecs-tasks" } },
    },
    findings: [
      {
        issue_type: never,
        severity: "error",
        condition_key: "iam:PassedToService",
        suggestion: "Write `ecs-tasks.amazonaws.com`.",
      },
    ],
  },
  ...[
    ["gitlab.com", "group/project:main", "project_path:"],
    ["app.terraform.io", "workspace:prod*", "organization:"],
    ["oidc.eks.eu-west-1.amazonaws.com/id/A1B2", "payments:api", "system:serviceaccount:"],
  ].map(([issuer, subject, prefix]) => ({
    name: `a subject of ${issuer} that does not begin with ${prefix}`,
    type: "TRUST_POLICY" as const,
    statement: {
      Effect: "Allow",
      Principal: { Federated: `arn:aws:iam::111122223333:oidc-provider/${issuer}` },
      Action: "sts:AssumeRoleWithWebIdentity",
      Condition: { StringLike: { [`${issuer}:sub`]: subject } },
    },
    findings: [{ issue_type: never, severity: "error" as const }],
  })),
  {
    name: "says nothing of a subject of GitHub, whose repositories choose its claims",
    type: "TRUST_POLICY",
    statement: {
      Effect: "Allow",
      Principal: { AWS: "arn:aws:iam::111122223333:root" },
      Action: "sts:AssumeRole",
      Condition: { StringEquals: { "token.actions.githubusercontent.com:sub": "environment:x" } },
    },
    findings: [],
  },
  ...[
    ["repo:example-org/orders:refs/heads/main", 1],
    ["repo:example-org/orders:refs/heads/*", 1],
    ["repo:example-org/orders:main", 1],
    ["repo:example-org/*:refs/heads/main", 0],
    ["repo:example-org/orders:*", 0],
    ["repo:example-org/orders:job_workflow_ref:example-org/ci/*", 0],
    ["repo:example-org@12/orders@34:pull_request", 0],
    ["repo:example-org/orders", 0],
  ].map(([subject, findings]) => ({
    name: `a subject of GitHub has the name of a claim after the repository: ${subject}`,
    type: "TRUST_POLICY" as const,
    statement: {
      Effect: "Allow",
      Principal: { AWS: "arn:aws:iam::111122223333:root" },
      Action: "sts:AssumeRole",
      Condition: { StringLike: { "token.actions.githubusercontent.com:sub": subject } },
    },
    findings: findings === 1 ? [{ issue_type: never, severity: "error" as const }] : [],
  })),
  ...[
    ["system:serviceaccount:default/api", 1],
    ["system:serviceaccount:default", 1],
    ["system:serviceaccount:def*/api*", 1],
    ["system:serviceaccount:default:api", 0],
    ["system:serviceaccount:kube-system:aws-*", 0],
    ["system:serviceaccount:*", 0],
  ].map(([subject, findings]) => ({
    name: `a subject of EKS has a namespace and a name: ${subject}`,
    type: "TRUST_POLICY" as const,
    statement: {
      Effect: "Allow",
      Principal: { AWS: "arn:aws:iam::111122223333:root" },
      Action: "sts:AssumeRole",
      Condition: { StringLike: { "oidc.eks.eu-west-1.amazonaws.com/id/A1B2:sub": subject } },
    },
    findings: findings === 1 ? [{ issue_type: never, severity: "error" as const }] : [],
  })),
  ...[
    ["", 1],
    ["x", 1],
    ["Unique Id", 1],
    ["a1b2", 0],
    ["https://example.com/x=1,2", 0],
    ["<external-id>", 0],
  ].map(([id, findings]) => ({
    name: `an external id has 2 to 1,224 of some characters: ${id}`,
    type: "TRUST_POLICY" as const,
    statement: {
      Effect: "Allow",
      Principal: { AWS: "arn:aws:iam::111122223333:root" },
      Action: "sts:AssumeRole",
      Condition: { StringEquals: { "sts:ExternalId": id } },
    },
    findings: findings === 1 ? [{ issue_type: never, severity: "error" as const }] : [],
  })),
  {
    name: "users and roles are not service principals: never in an identity policy",
    statement: [
      {
        ...allow,
        Condition: { StringEquals: { "aws:PrincipalServiceName": "sns.amazonaws.com" } },
      },
      { ...allow, Condition: { Bool: { "aws:PrincipalIsAWSService": "true" } } },
      { ...deny, Condition: { Bool: { "aws:PrincipalIsAWSService": "true" } } },
    ],
    findings: [
      { issue_type: never, severity: "error", statement_index: 0 },
      { issue_type: never, severity: "error", statement_index: 1 },
      { issue_type: never, severity: "high", statement_index: 2 },
    ],
  },
  {
    name: "a test that users and roles meet, of whether a service principal calls",
    statement: [
      { ...allow, Condition: { Bool: { "aws:PrincipalIsAWSService": "false" } } },
      { ...deny, Condition: { BoolIfExists: { "aws:PrincipalIsAWSService": "false" } } },
      { ...allow, Condition: { Bool: { "aws:ViaAWSService": "true" } } },
    ],
    findings: [],
  },
  {
    name: "a service principal under a resource policy",
    type: "RESOURCE_POLICY",
    statement: {
      ...allow,
      Principal: "*",
      Condition: { StringEquals: { "aws:PrincipalServiceName": "sns.amazonaws.com" } },
    },
    findings: [],
  },
  {
    name: "the same under a negated operator always holds",
    statement: { ...deny, Condition: { StringNotEquals: { "aws:PrincipalOrgID": "r-ab12" } } },
    findings: [{ issue_type: always, severity: "high", message: /`r-ab12`.*narrow/ }],
  },
  {
    name: "AWS's codes: endpoint, VPC, calling service, private addresses",
    statement: [
      { ...allow, Condition: { StringEquals: { "aws:SourceVpce": "vpc-0123456789abcdef0" } } },
      { ...allow, Condition: { StringEquals: { "aws:SourceVpc": "vpce-0123456789abcdef0" } } },
      { ...allow, Condition: { StringEquals: { "aws:CalledViaFirst": "a.b.amazonaws.com" } } },
      { ...allow, Condition: { IpAddress: { "aws:SourceIp": ["10.0.0.0/8", "192.168.1.1"] } } },
      { ...deny, Condition: { NotIpAddress: { "aws:SourceIp": "172.16.0.0/12" } } },
    ],
    findings: [
      { at: 0, aws_issue_code: "INVALID_VPCE_FORMAT" },
      { at: 1, aws_issue_code: "INVALID_VPC_FORMAT" },
      { at: 2, aws_issue_code: "INVALID_SERVICE_PRINCIPAL_FORMAT" },
      { at: 3, issue_type: never, aws_issue_code: "PRIVATE_IP_ADDRESS" },
      { at: 4, issue_type: always, aws_issue_code: "PRIVATE_NOT_IP_ADDRESS" },
    ],
  },
  {
    name: "a calling service that AWS documents and its policy check refuses",
    statement: [
      {
        ...allow,
        Condition: { StringEquals: { "aws:CalledViaLast": "ops.emr-serverless.amazonaws.com" } },
      },
    ],
    findings: [],
  },
  {
    name: "ranges that together cover every address",
    statement: [
      { ...allow, Condition: { IpAddress: { "aws:SourceIp": ["0.0.0.0/1", "128.0.0.0/1"] } } },
      { ...deny, Condition: { NotIpAddress: { "aws:SourceIp": "0.0.0.0/0" } } },
      { ...deny, Condition: { IpAddress: { "aws:SourceIp": ["0.0.0.0/0", "::/0"] } } },
      { ...allow, Condition: { NotIpAddress: { "aws:SourceIp": "0.0.0.0/0" } } },
    ],
    // Requests through a VPC endpoint, and from addresses of the other family, are not among those named.
    findings: [
      {
        at: 0,
        issue_type: always,
        severity: "high",
        message:
          "The ranges under `IpAddress` on `aws:SourceIp` cover every IPv4 address. This Allow keeps out no request from such an address.",
      },
      {
        at: 1,
        issue_type: never,
        severity: "high",
        message:
          "`NotIpAddress` excludes every IPv4 address, so no request from such an address meets it. This Deny stops none of these requests.",
      },
      {
        at: 2,
        issue_type: always,
        message:
          "The ranges under `IpAddress` on `aws:SourceIp` cover every IPv4 and IPv6 address. This Deny stops every request from such an address.",
      },
      {
        at: 3,
        issue_type: never,
        message:
          "`NotIpAddress` excludes every IPv4 address, so no request from such an address meets it. This Allow grants nothing to these requests.",
      },
    ],
  },
  {
    name: "tests on one key that exclude each other",
    statement: [
      {
        ...allow,
        Condition: {
          Null: { "aws:SourceVpce": "true" },
          StringEquals: { "aws:SourceVpce": "vpce-0123456789abcdef0" },
        },
      },
      {
        ...allow,
        Condition: {
          DateGreaterThan: { "aws:CurrentTime": "2031-06-01T00:00:00Z" },
          DateLessThan: { "aws:CurrentTime": "2031-01-01T00:00:00Z" },
        },
      },
      {
        ...allow,
        Condition: {
          StringEquals: { "aws:PrincipalTag/team": "red" },
          StringNotLike: { "aws:PrincipalTag/team": "r*" },
        },
      },
      {
        ...allow,
        Condition: {
          IpAddress: { "aws:SourceIp": "203.0.113.0/25" },
          NotIpAddress: { "aws:SourceIp": "203.0.113.0/24" },
        },
      },
    ],
    findings: [0, 1, 2, 3].map((at) => ({ at, issue_type: never, severity: "error" as const })),
  },
  {
    name: "dates: an end that has passed, a start that has passed, and revoked sessions",
    statement: [
      { ...allow, Condition: { DateLessThan: { "aws:CurrentTime": "2020-01-01T00:00:00Z" } } },
      { ...allow, Condition: { DateGreaterThan: { "aws:CurrentTime": "2020-01-01T00:00:00Z" } } },
      { ...deny, Condition: { DateLessThan: { "aws:TokenIssueTime": "2020-01-01T00:00:00Z" } } },
    ],
    findings: [
      { at: 0, issue_type: never, severity: "error" },
      { at: 1, issue_type: always, severity: "info" },
      { at: 2, issue_type: never, severity: "info" },
    ],
  },
  {
    name: "a star among the exemptions of a Deny stops no request",
    statement: {
      ...deny,
      Condition: { ArnNotLike: { "aws:PrincipalArn": ["arn:aws:iam::*:role/Admin", "*"] } },
    },
    type: "SERVICE_CONTROL_POLICY",
    findings: [{ issue_type: never, severity: "high", example: /role\/Admin/ }],
  },
  {
    name: "keys that calls of users and roles lack, under IfExists or ForAllValues in an Allow",
    statement: [
      {
        ...allow,
        Condition: { StringEqualsIfExists: { "aws:CalledViaFirst": "athena.amazonaws.com" } },
      },
      {
        ...allow,
        Condition: {
          "ForAllValues:StringEquals": { "aws:CalledVia": "athena.amazonaws.com" },
        },
      },
      {
        ...allow,
        Condition: { StringLikeIfExists: { "kms:ViaService": "s3.*.amazonaws.com" } },
      },
    ],
    findings: [
      { at: 0, issue_type: always, severity: "high", example: /"StringEquals"/ },
      { at: 1, issue_type: always, severity: "high", example: /"Null"/ },
      { at: 2, issue_type: always, severity: "high", example: /"StringLike"/ },
    ],
  },
  {
    name: "Null on a key that every request has, and a star that leaves out nothing",
    statement: [
      { ...allow, Condition: { Null: { "aws:SecureTransport": "false" } } },
      { ...allow, Condition: { StringLikeIfExists: { "aws:SourceVpce": "*" } } },
    ],
    findings: [
      { at: 0, issue_type: always },
      { at: 1, issue_type: always, aws_issue_code: "REDUNDANT_KEY_DUE_TO_WILDCARD_IN_CONDITION" },
    ],
  },
  {
    name: "a Deny that says the opposite",
    statement: [
      { ...deny, Condition: { Bool: { "aws:SecureTransport": "true" } } },
      { ...deny, Condition: { BoolIfExists: { "aws:MultiFactorAuthPresent": "true" } } },
    ],
    findings: [
      { at: 0, issue_type: "condition_inverted", severity: "high", example: /"false"/ },
      { at: 1, issue_type: "condition_inverted", severity: "high", example: /BoolIfExists/ },
    ],
  },
  {
    name: "a value that AWS does not list: every upload is denied",
    statement: {
      ...deny,
      Action: "s3:PutObject",
      Condition: { StringNotEquals: { "s3:x-amz-server-side-encryption": "AES-256" } },
    },
    findings: [{ issue_type: always, suggestion: "Write `AES256`." }],
  },
  {
    name: "a service that never calls on behalf of the source that is required",
    type: "RESOURCE_POLICY",
    statement: {
      Effect: "Allow",
      Principal: { Service: "s3.amazonaws.com" },
      Action: "lambda:InvokeFunction",
      Resource: "arn:aws:lambda:us-east-1:111122223333:function:f",
      Condition: { ArnLike: { "aws:SourceArn": "arn:aws:sns:us-east-1:111122223333:orders" } },
    },
    findings: [
      {
        issue_type: never,
        severity: "error",
        message:
          /`s3\.amazonaws\.com` calls on behalf of resources of `s3`.* requires one of `sns`/,
      },
    ],
  },
  {
    name: "a Deny of the requests that ask for encryption",
    statement: {
      ...deny,
      Action: "s3:PutObject",
      Condition: { Null: { "s3:x-amz-server-side-encryption": "false" } },
    },
    findings: [{ issue_type: "condition_inverted", severity: "high", example: /"true"/ }],
  },
  ...[
    ["kms:ViaService", "s3.amazonaws.com", "kms:Decrypt"],
    ["kms:ViaService", "s3", "kms:Decrypt"],
    ["SAML:aud", "https://sigin.aws.amazon.com/saml", "sts:AssumeRoleWithSAML"],
    ["SAML:aud", "urn:amazon:webservices", "sts:AssumeRoleWithSAML"],
    ["s3:x-amz-acl", "bucket-owner-fullcontrol", "s3:PutObject"],
    ["iam:PassedToService", "Lambda.amazonaws.com", "iam:PassRole"],
    ["ec2:InstanceType", "t3-micro", "ec2:StartInstances"],
    ["ec2:CreateAction", "ec2:RunInstances", "ec2:CreateTags"],
    ["s3:x-amz-acl", "public", "s3:PutObject"],
    ["s3:x-amz-storage-class", "GLACIAL", "s3:PutObject"],
    ["s3:x-amz-storage-class", "infrequent-access", "s3:PutObject"],
    ["s3:x-amz-server-side-encryption", "kms", "s3:PutObject"],
    ["s3:x-amz-server-side-encryption", "true", "s3:PutObject"],
    ["s3express:SessionMode", "Readonly", "s3express:CreateSession"],
  ].map(([key = "", value, Action]) => ({
    name: `${key} never has the value ${value}`,
    statement: { ...allow, Action, Condition: { StringEquals: { [key]: value } } },
    findings: [{ issue_type: never, severity: "error" as const, condition_key: key }],
  })),
]);

test.each([
  ["its own kind of source", "s3.amazonaws.com", "arn:aws:s3:::reports"],
  ["a source that is not known", "s3.amazonaws.com", "${source}"],
  ["a source of any service", "s3.amazonaws.com", "arn:aws:*:::reports"],
  [
    "the stages of an API",
    "apigateway.amazonaws.com",
    "arn:aws:execute-api:eu-west-1:111122223333:a1/*",
  ],
  ["another service", "codepipeline.amazonaws.com", "arn:aws:sns:eu-west-1:111122223333:t"],
])("says nothing of %s", async (_title, Service, source) => {
  const statement = {
    Effect: "Allow",
    Principal: { Service },
    Action: "lambda:InvokeFunction",
    Resource: "arn:aws:lambda:us-east-1:111122223333:function:f",
    Condition: { ArnLike: { "aws:SourceArn": source } },
  };
  expect(await runCheck(conditionEffect, { statement, type: "RESOURCE_POLICY" })).toEqual([]);
});

describe("conditions that are in order", () => {
  const period = {
    DateGreaterThan: { "aws:CurrentTime": "2020-01-01T00:00:00Z" },
    DateLessThan: { "aws:CurrentTime": "2040-01-01T00:00:00Z" },
  };
  test.each([
    ["a period that has begun and will end", allow, period],
    ["an end in the future", allow, { DateLessThan: { "aws:CurrentTime": "2040-01-01" } }],
    [
      "MFA, where the key may be absent",
      deny,
      { BoolIfExists: { "aws:MultiFactorAuthPresent": "false" } },
    ],
    ["TLS", deny, { Bool: { "aws:SecureTransport": "false" } }],
    [
      "an encryption that is asked for and is another one",
      deny,
      {
        Null: { "s3:x-amz-server-side-encryption": "false" },
        StringNotEquals: { "s3:x-amz-server-side-encryption": "aws:kms" },
      },
    ],
    [
      "services in their Regions",
      allow,
      {
        StringEquals: {
          "kms:ViaService": ["s3.eu-west-1.amazonaws.com", "ec2.cn-north-1.amazonaws.com.cn"],
        },
      },
    ],
    [
      "a service in every Region",
      allow,
      { StringLike: { "kms:ViaService": "s3.*.amazonaws.com" } },
    ],
    [
      "sign-in endpoints",
      allow,
      {
        StringEquals: {
          "SAML:aud": [
            "https://signin.aws.amazon.com/saml",
            "https://us-east-1.signin.aws.amazon.com/saml",
            "https://signin.amazonaws.cn/saml",
            "https://us-east-1.signin.aws.amazon.com/saml/acs/SAMLSPEXAMPLE",
          ],
        },
      },
    ],
    ["an organization", deny, { StringNotEquals: { "aws:PrincipalOrgID": "o-a1b2c3d4e5" } }],
    [
      "an exemption by pattern",
      deny,
      { ArnNotLike: { "aws:PrincipalArn": "arn:aws:iam::*:role/Admin*" } },
    ],
    ["a role of any account", deny, { ArnLike: { "aws:PrincipalArn": "arn:aws:iam::*:root" } }],
    ["a tag that must be there", deny, { StringNotLike: { "aws:RequestTag/team": "*" } }],
    ["a key that must not be there", deny, { StringNotLike: { "aws:SourceVpce": "*" } }],
    [
      "one public range among private ones",
      allow,
      { IpAddress: { "aws:SourceIp": ["10.0.0.0/8", "203.0.113.0/24"] } },
    ],
    ["private addresses of a VPC", allow, { IpAddress: { "aws:VpcSourceIp": "10.0.0.0/8" } }],
    [
      "a template placeholder",
      allow,
      { StringEquals: { "aws:ResourceAccount": "${var.account}" } },
    ],
    ["a pattern of endpoints", allow, { StringLike: { "aws:SourceVpce": "vpce-*" } }],
    [
      "IfExists in a Deny",
      deny,
      { StringNotEqualsIfExists: { "aws:SourceVpc": "vpc-0a1b2c3d4e5f60718" } },
    ],
    ["Null on a tag", allow, { Null: { "aws:ResourceTag/team": "false" } }],
    [
      "two tests on a key with several values",
      allow,
      {
        "ForAnyValue:StringEquals": { "aws:TagKeys": "a" },
        "ForAllValues:StringEquals": { "aws:TagKeys": ["a", "b"] },
      },
    ],
    [
      "a pattern and an exception within it",
      allow,
      {
        StringLike: { "aws:PrincipalTag/team": "r*" },
        StringNotEquals: { "aws:PrincipalTag/team": "red" },
      },
    ],
  ])("%s", async (_, statement, Condition) => {
    expect(await runCheck(conditionEffect, { statement: { ...statement, Condition } })).toEqual([]);
  });
});
