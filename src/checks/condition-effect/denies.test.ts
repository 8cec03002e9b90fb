import { checkCases } from "../../../test/support/check-cases.ts";
import { conditionEffect } from "../condition-effect.ts";

const scp = "SERVICE_CONTROL_POLICY" as const;
const rcp = "RESOURCE_CONTROL_POLICY" as const;
const deny = { Effect: "Deny", Action: "*", Resource: "*" };
const services = { BoolIfExists: { "aws:ViaAWSService": "false" } };
const boundary = "arn:aws:iam::111122223333:policy/boundary";
const globalServices = ["iam:*", "route53:*", "organizations:*", "sts:*"];

type Row = readonly [action: string | readonly string[], condition: object];

const inverted: readonly Row[] = [
  ["ram:CreateResourceShare", { Bool: { "ram:RequestedAllowsExternalPrincipals": "false" } }],
  ["rds:CreateDBInstance", { Bool: { "rds:PubliclyAccessible": "false" } }],
  ["ec2:RunInstances", { BoolIfExists: { "ec2:AssociatePublicIpAddress": "false" } }],
  ["eks:CreateCluster", { Bool: { "eks:endpointPublicAccess": false } }],
  ["dynamodb:PartiQLSelect", { Bool: { "dynamodb:FullTableScan": "false" } }],
  ["elasticache:*", { Bool: { "elasticache:TransitEncryptionEnabled": "true" } }],
  ["lambda:CreateFunctionUrlConfig", { StringEquals: { "lambda:FunctionUrlAuthType": "AWS_IAM" } }],
  ["ec2:RunInstances", { StringNotEquals: { "ec2:MetadataHttpTokens": "optional" } }],
  ["lambda:CreateFunctionUrlConfig", { StringNotEquals: { "lambda:FunctionUrlAuthType": "NONE" } }],
  ["s3:PutObject", { StringEquals: { "s3:x-amz-server-side-encryption": "aws:kms" } }],
  ["s3:PutObject", { StringNotEquals: { "s3:x-amz-acl": ["public-read", "public-read-write"] } }],
  ["s3:PutObject", { StringEquals: { "s3:x-amz-acl": "private" } }],
  ["s3:PutBucketAcl", { StringLike: { "s3:x-amz-acl": ["private", "bucket-owner-full-control"] } }],
  ["lambda:CreateFunction", { Null: { "lambda:VpcIds": "false" } }],
  [["iam:CreateUser", "iam:CreateRole"], { ArnEquals: { "iam:PermissionsBoundary": boundary } }],
  ["ec2:RunInstances", { Null: { "aws:RequestTag/Project": "false" } }],
  ["s3:*", { NumericLessThan: { "s3:signatureAge": "600000" } }],
  ["*", { IpAddress: { "aws:SourceIp": "203.0.113.0/24" }, ...services }],
  ["*", { StringEqualsIfExists: { "aws:SourceVpc": "vpc-0a1b2c3d4e5f6a7b8" }, ...services }],
  ["s3:*", { StringEquals: { "aws:ResourceAccount": "111122223333" }, ...services }],
];

/** Look-alikes of the rows above that say what is meant. */
const meant: readonly Row[] = [
  ["ec2:RunInstances", { StringEquals: { "ec2:MetadataHttpTokens": "optional" } }],
  ["ec2:RunInstances", { StringNotEquals: { "ec2:MetadataHttpTokens": "required" } }],
  ["dynamodb:PartiQLSelect", { Bool: { "dynamodb:FullTableScan": "true" } }],
  ["s3:*", { NumericGreaterThan: { "s3:signatureAge": "600000" } }],
  ["ram:CreateResourceShare", { Bool: { "ram:RequestedAllowsExternalPrincipals": "true" } }],
  ["rds:CreateDBInstance", { Bool: { "rds:PubliclyAccessible": "true" } }],
  [
    "lambda:CreateFunctionUrlConfig",
    { StringNotEquals: { "lambda:FunctionUrlAuthType": "AWS_IAM" } },
  ],
  ["s3:PutObject", { StringEquals: { "s3:x-amz-acl": ["private", "public-read"] } }],
  ["s3:PutObject", { StringNotEquals: { "s3:x-amz-acl": "private" } }],
  [
    "s3:PutObject",
    { StringEquals: { "s3:x-amz-acl": "private", "s3:x-amz-storage-class": "GLACIER" } },
  ],
  ["s3:PutObject", { StringEquals: { "s3:x-amz-server-side-encryption": "AES256" } }],
  [
    "s3:PutObject",
    {
      StringEquals: { "s3:x-amz-server-side-encryption": "aws:kms" },
      StringNotEquals: { "s3:x-amz-server-side-encryption-aws-kms-key-id": "arn:aws:kms:x" },
    },
  ],
  ["lambda:CreateFunction", { Null: { "lambda:VpcIds": "true" } }],
  [
    "lambda:CreateFunction",
    {
      Null: { "lambda:VpcIds": "false" },
      "ForAnyValue:StringNotEquals": { "lambda:VpcIds": "vpc-0a1b2c3d4e5f6a7b8" },
    },
  ],
  // Users and roles that have the boundary are protected.
  ["iam:DeleteRolePermissionsBoundary", { ArnEquals: { "iam:PermissionsBoundary": boundary } }],
  [["iam:PutRolePolicy", "iam:CreateRole"], { ArnEquals: { "iam:PermissionsBoundary": boundary } }],
  ["iam:CreateRole", { ArnNotEquals: { "iam:PermissionsBoundary": boundary } }],
  // A tag that only some may set.
  ["ec2:CreateTags", { Null: { "aws:RequestTag/Protected": "false" } }],
  ["secretsmanager:TagResource", { Null: { "aws:RequestTag/Protected": "false" } }],
  [
    "ec2:RunInstances",
    {
      Null: { "aws:RequestTag/Owner": "false" },
      ArnNotLike: { "aws:PrincipalArn": "arn:aws:iam::*:role/admin" },
    },
  ],
  [
    "ec2:RunInstances",
    {
      Null: { "aws:RequestTag/Owner": "false" },
      StringNotEquals: { "aws:RequestTag/Owner": "a" },
    },
  ],
  // Addresses, networks and accounts that are blocked.
  ["*", { IpAddress: { "aws:SourceIp": "203.0.113.0/24" } }],
  ["s3:*", { StringEquals: { "aws:SourceVpc": "vpc-0a1b2c3d4e5f6a7b8" } }],
  ["s3:*", { StringEquals: { "aws:ResourceAccount": "111122223333" } }],
  ["*", { NotIpAddress: { "aws:SourceIp": "203.0.113.0/24" }, ...services }],
  ["*", { IpAddress: { "aws:SourceIp": "203.0.113.0/24" }, Bool: { "aws:ViaAWSService": "true" } }],
];

checkCases(conditionEffect, [
  ...inverted.map(([Action, Condition]) => ({
    name: `a Deny of what is safe: ${JSON.stringify(Condition)}`,
    type: scp,
    statement: { ...deny, Action, Condition },
    findings: [{ issue_type: "condition_inverted", severity: "high" as const }],
  })),
  ...meant.map(([Action, Condition]) => ({
    name: `a Deny that says what is meant: ${Action} ${JSON.stringify(Condition)}`,
    type: scp,
    statement: { ...deny, Action, Condition },
    findings: [],
  })),
  {
    name: "a Deny of the private ACL names the public ones",
    type: "RESOURCE_POLICY",
    statement: {
      ...deny,
      Principal: "*",
      Action: "s3:PutObject",
      Resource: "arn:aws:s3:::reports/*",
      Condition: { StringEquals: { "s3:x-amz-acl": "private" } },
    },
    findings: [
      {
        issue_type: "condition_inverted",
        suggestion:
          "List the ACLs that are public: `public-read`, `public-read-write` and `authenticated-read`.",
      },
    ],
  },
  {
    name: "a Deny with IfExists says that it also stops requests without the key",
    type: scp,
    statement: [
      {
        ...deny,
        Action: "s3:PutObject",
        Condition: { StringEqualsIfExists: { "s3:x-amz-server-side-encryption": "aws:kms" } },
      },
      { ...deny, Condition: { StringEqualsIfExists: { "aws:PrincipalOrgID": "o-a1b2c3d4e5" } } },
    ],
    findings: [
      {
        at: 0,
        message:
          /that ask for encryption with a KMS key, and those without `s3:x-amz-server-side-encryption`, and not the others\.$/,
      },
      { at: 1, message: /that it names, and those without `aws:PrincipalOrgID`, and not those of/ },
    ],
  },
  {
    name: "an RCP of a network perimeter with positive operators: one finding",
    type: rcp,
    statement: {
      ...deny,
      Principal: "*",
      Action: "s3:*",
      Condition: {
        IpAddressIfExists: { "aws:SourceIp": ["203.0.113.0/24"] },
        StringEqualsIfExists: { "aws:SourceVpc": "vpc-0a1b2c3d4e5f6a7b8" },
        BoolIfExists: { "aws:PrincipalIsAWSService": "false", "aws:ViaAWSService": "false" },
      },
    },
    findings: [
      {
        issue_type: "condition_inverted",
        condition_key: "aws:SourceIp",
        suggestion: "Write `NotIpAddressIfExists`, so that it stops the others.",
      },
    ],
  },
  {
    name: "a Deny of the Regions that are to be allowed, which exempts the global services",
    type: scp,
    statement: {
      Effect: "Deny",
      NotAction: globalServices,
      Resource: "*",
      Condition: { StringEquals: { "aws:RequestedRegion": ["eu-west-1", "eu-central-1"] } },
    },
    findings: [
      {
        issue_type: "condition_inverted",
        message: /stop the requests in `eu-west-1` and `eu-central-1` and not those in all other/,
        example: /"StringNotEquals"/,
      },
    ],
  },
  ...[
    {
      NotAction: globalServices,
      Condition: { StringNotEquals: { "aws:RequestedRegion": "eu-west-1" } },
    },
    { Action: "*", Condition: { StringEquals: { "aws:RequestedRegion": ["ap-east-1"] } } },
    {
      NotAction: globalServices,
      Condition: { StringEquals: { "aws:RequestedRegion": "us-east-1" } },
    },
    { NotAction: ["ec2:*"], Condition: { StringEquals: { "aws:RequestedRegion": "ap-east-1" } } },
    {
      NotAction: globalServices,
      Condition: { StringLike: { "aws:RequestedRegion": ["us-*", "ap-*"] } },
    },
  ].map((members) => ({
    name: `a Deny of Regions that are blocked: ${JSON.stringify(members)}`,
    type: scp,
    statement: { Effect: "Deny", Resource: "*", ...members },
    findings: [],
  })),
  {
    name: "a Deny of requests that lack two tags at once",
    type: scp,
    statement: {
      ...deny,
      Action: "ec2:RunInstances",
      Condition: { Null: { "aws:RequestTag/Project": "true", "aws:RequestTag/Owner": "true" } },
    },
    findings: [
      {
        issue_type: "tags_tested_together",
        severity: "high",
        message:
          "This Deny asks that `aws:RequestTag/Project` and `aws:RequestTag/Owner` are all absent, so requests with only one of these tags pass.",
      },
    ],
  },
  ...[
    { Null: { "aws:RequestTag/Project": "true" } },
    { Null: { "aws:RequestTag/Project": "true", "aws:ResourceTag/Owner": "true" } },
    { Null: { "aws:RequestTag/Project": "true", "aws:RequestTag/Owner": "false" } },
    { Null: { "sagemaker:VpcSubnets": "true", "sagemaker:VpcSecurityGroupIds": "true" } },
    { Null: { "aws:RequestTag/Project": "true", "aws:PrincipalTag/team": "true" } },
  ].map((Condition) => ({
    name: `a Deny that needs no second statement: ${JSON.stringify(Condition)}`,
    type: scp,
    statement: { ...deny, Action: "ec2:RunInstances", Condition },
    findings: [],
  })),
  {
    name: "an Allow of requests that lack two tags is left to the tags themselves",
    statement: {
      Effect: "Allow",
      Action: "ec2:CreateTags",
      Resource: "*",
      Condition: { Null: { "aws:RequestTag/a": "true", "aws:RequestTag/b": "true" } },
    },
    findings: [],
  },
]);

checkCases(conditionEffect, [
  {
    name: "the global services in a Deny of other Regions, where they should be exempt",
    type: scp,
    statement: {
      ...deny,
      Action: ["iam:*", "route53:*", "sts:*"],
      Condition: { StringNotEquals: { "aws:RequestedRegion": "eu-west-1" } },
    },
    findings: [{ issue_type: "condition_inverted", severity: "high", example: /"NotAction"/ }],
  },
  ...[
    { Action: "iam:*", Condition: { StringNotEquals: { "aws:RequestedRegion": "us-east-1" } } },
    {
      Action: ["ec2:*", "rds:*"],
      Condition: { StringNotEquals: { "aws:RequestedRegion": "eu-west-1" } },
    },
    { Action: ["iam:*", "route53:*"], Condition: { Bool: { "aws:SecureTransport": "false" } } },
  ].map((members) => ({
    name: `a Deny of some services: ${JSON.stringify(members)}`,
    type: scp,
    statement: { Effect: "Deny", Resource: "*", ...members },
    findings: [],
  })),
  {
    name: "a Deny of service calls without a source, which a foreign source passes",
    type: rcp,
    statement: {
      ...deny,
      Principal: "*",
      Action: "s3:*",
      Condition: {
        StringNotEqualsIfExists: { "aws:SourceOrgID": "o-a1b2c3d4e5" },
        Null: { "aws:SourceAccount": "true" },
        Bool: { "aws:PrincipalIsAWSService": "true" },
      },
    },
    findings: [
      {
        issue_type: "condition_always_true",
        severity: "high",
        message: /lets requests on behalf of any resource pass\.$/,
        suggestion: 'Write `"Null": {"aws:SourceAccount": "false"}`.',
      },
    ],
  },
  ...[
    { Null: { "aws:SourceAccount": "false" }, Bool: { "aws:PrincipalIsAWSService": "true" } },
    { Null: { "aws:SourceArn": "false" }, Bool: { "aws:PrincipalIsAWSService": "true" } },
  ].map((more) => ({
    name: `a Deny of service calls with a foreign source: ${JSON.stringify(more)}`,
    type: rcp,
    statement: {
      ...deny,
      Principal: "*",
      Action: "s3:*",
      Condition: { StringNotEqualsIfExists: { "aws:SourceOrgID": "o-a1b2c3d4e5" }, ...more },
    },
    findings: [],
  })),
  ...(["IDENTITY_POLICY", "SERVICE_CONTROL_POLICY"] as const).map((type) => ({
    name: `a reversed exemption of services in a policy that applies to none: ${type}`,
    type,
    statement: {
      ...deny,
      Condition: {
        NotIpAddressIfExists: { "aws:SourceIp": "203.0.113.0/24" },
        BoolIfExists: { "aws:PrincipalIsAWSService": "true" },
      },
    },
    findings: [
      {
        issue_type: "condition_inverted",
        severity: "high" as const,
        message: /apply to no service, so this Deny stops no request\.$/,
      },
    ],
  })),
  {
    name: "addresses in the policy of an endpoint, whose requests have none",
    type: "ENDPOINT_POLICY",
    statement: [
      {
        ...deny,
        Effect: "Allow",
        Principal: "*",
        Condition: { IpAddress: { "aws:SourceIp": "203.0.113.0/24" } },
      },
      {
        ...deny,
        Principal: "*",
        Condition: { NotIpAddress: { "aws:SourceIp": "203.0.113.0/24" } },
      },
    ],
    findings: [
      {
        at: 0,
        issue_type: "condition_never_true",
        severity: "error",
        message: /Requests through a VPC endpoint have no `aws:SourceIp`\./,
      },
      {
        at: 1,
        issue_type: "condition_always_true",
        message: /`NotIpAddress` holds for all of them\. The addresses exempt no caller/,
      },
    ],
  },
  {
    name: "private addresses in the policy of an endpoint",
    type: "ENDPOINT_POLICY",
    statement: {
      ...deny,
      Effect: "Allow",
      Principal: "*",
      Condition: { IpAddress: { "aws:SourceIp": "10.0.0.0/16" } },
    },
    findings: [{ message: /through a VPC endpoint/, suggestion: /^Test `aws:VpcSourceIp`/ }],
  },
  {
    name: "addresses inside the VPC",
    type: "ENDPOINT_POLICY",
    statement: {
      ...deny,
      Effect: "Allow",
      Principal: "*",
      Condition: { IpAddress: { "aws:VpcSourceIp": "10.0.0.0/16" } },
    },
    findings: [],
  },
  {
    name: "a Deny of everything outside some addresses, calls of services included",
    statement: { ...deny, Condition: { NotIpAddress: { "aws:SourceIp": "203.0.113.0/24" } } },
    findings: [
      {
        issue_type: "service_calls_denied",
        severity: "medium",
        example: /"aws:ViaAWSService": "false"/,
      },
    ],
  },
  ...[
    { ...deny, Condition: { NotIpAddress: { "aws:SourceIp": "203.0.113.0/24" }, ...services } },
    {
      ...deny,
      Action: "s3:GetObject",
      Condition: { NotIpAddress: { "aws:SourceIp": "203.0.113.0/24" } },
    },
    { ...deny, Condition: { IpAddress: { "aws:SourceIp": "203.0.113.0/24" } } },
    {
      ...deny,
      Condition: {
        NotIpAddress: { "aws:SourceIp": "203.0.113.0/24" },
        Null: { "aws:CalledVia": "true" },
      },
    },
    {
      ...deny,
      Effect: "Allow",
      Condition: { NotIpAddress: { "aws:SourceIp": "203.0.113.0/24" } },
    },
  ].map((statement) => ({
    name: `a test of addresses that leaves service calls alone: ${JSON.stringify(statement)}`,
    statement,
    findings: [],
  })),
]);

const toEveryone = { ...deny, Principal: "*", Action: "s3:*" };
const endpointId = "vpce-0a1b2c3d4e5f6a7b8";

checkCases(conditionEffect, [
  ...[
    { StringEquals: { "aws:SourceVpce": endpointId } },
    {
      NotIpAddress: { "aws:SourceIp": "203.0.113.0/24" },
      StringEquals: { "aws:SourceVpce": endpointId },
    },
  ].map((Condition) => ({
    name: `a Deny of the endpoint that a bucket is for: ${JSON.stringify(Condition)}`,
    type: "RESOURCE_POLICY" as const,
    statement: { ...toEveryone, Condition },
    findings: [{ issue_type: "condition_inverted", condition_key: "aws:SourceVpce" }],
  })),
  ...[
    { ...toEveryone, Condition: { StringNotEquals: { "aws:SourceVpce": endpointId } } },
    { ...toEveryone, Condition: { IpAddress: { "aws:SourceIp": "203.0.113.0/24" } } },
    {
      ...toEveryone,
      Condition: {
        StringEquals: { "aws:SourceVpce": endpointId },
        StringNotEquals: { "aws:PrincipalAccount": "111122223333" },
      },
    },
    {
      ...toEveryone,
      Principal: { AWS: "arn:aws:iam::111122223333:role/app" },
      Condition: { StringEquals: { "aws:SourceVpce": endpointId } },
    },
    {
      ...toEveryone,
      Effect: "Allow",
      Condition: { StringEquals: { "aws:SourceVpce": endpointId } },
    },
  ].map((statement) => ({
    name: `a limit to an endpoint, or a Deny of some requests through it: ${JSON.stringify(statement)}`,
    type: "RESOURCE_POLICY" as const,
    statement,
    findings: [],
  })),
]);
