import { checkCases } from "../../../test/support/check-cases.ts";
import { conditionEffect } from "../condition-effect.ts";

const type = "SERVICE_CONTROL_POLICY" as const;
const deny = (Action: unknown, Condition: object, Effect = "Deny") => ({
  Effect,
  Action,
  Resource: "*",
  Condition,
});
const inverted = { issue_type: "condition_inverted", severity: "high" as const };
const encryption = "s3:x-amz-server-side-encryption";

/** The action, the test, the requests that the Deny stops, and the operator that is meant. */
const rows: readonly (readonly [string, string, string, unknown, string, string])[] = [
  [
    "ec2:RunInstances",
    "StringEquals",
    "ec2:MetadataHttpTokens",
    "required",
    "ask for version 2 of the instance metadata service",
    "StringNotEquals",
  ],
  [
    "ec2:*",
    "NumericGreaterThanEquals",
    "ec2:RoleDelivery",
    "2.0",
    "use credentials from version 2 of the instance metadata service",
    "NumericLessThanEquals",
  ],
  [
    "s3:*",
    "NumericGreaterThan",
    "s3:TlsVersion",
    "1.1",
    "use the newer versions of TLS",
    "NumericLessThan",
  ],
  [
    "s3:*",
    "NumericLessThan",
    "s3:signatureAge",
    "600000",
    "were signed a short time ago",
    "NumericGreaterThan",
  ],
  [
    "s3:*",
    "NumericLessThanEquals",
    "aws:MultiFactorAuthAge",
    "3600",
    "were made soon after a sign-in with MFA",
    "NumericGreaterThanEquals",
  ],
  [
    "glacier:DeleteArchive",
    "NumericGreaterThan",
    "glacier:ArchiveAgeInDays",
    "365",
    "delete archives of that age",
    "NumericLessThan",
  ],
  [
    "kms:ScheduleKeyDeletion",
    "NumericGreaterThan",
    "kms:ScheduleKeyDeletionPendingWindowInDays",
    "7",
    "leave more time before the key is deleted",
    "NumericLessThan",
  ],
  [
    "s3:PutObject",
    "StringLike",
    encryption,
    ["aws:kms", "aws:kms:dsse"],
    "ask for encryption with a KMS key",
    "StringNotLike",
  ],
  [
    "s3:PutObject",
    "StringEquals",
    "s3:x-amz-acl",
    "bucket-owner-full-control",
    "give the owner of the bucket full control of the object",
    "StringNotEquals",
  ],
  [
    "s3:PutObject",
    "StringNotEquals",
    "s3:x-amz-acl",
    ["public-read", "authenticated-read"],
    "ask for no ACL, or for one that is not public,",
    "StringEquals",
  ],
  [
    "sagemaker:CreateNotebookInstance",
    "StringEquals",
    "sagemaker:RootAccess",
    "Disabled",
    "ask for notebooks without root access",
    "StringNotEquals",
  ],
  [
    "sagemaker:CreateNotebookInstance",
    "StringNotEquals",
    "sagemaker:DirectInternetAccess",
    "Enabled",
    "ask for notebooks without direct internet access, and those without `sagemaker:DirectInternetAccess`,",
    "StringEquals",
  ],
];

checkCases(conditionEffect, [
  ...rows.map(([action, operator, key, value, stopped, wanted]) => ({
    name: `a Deny with ${operator} ${JSON.stringify(value)} on ${key} stops the requests that ${stopped}`,
    type,
    statement: deny(action, { [operator]: { [key]: value } }),
    findings: [
      {
        ...inverted,
        condition_key: key,
        message: `\`${operator}\` on \`${key}\` makes this Deny stop the requests that ${stopped} and not the others.`,
        suggestion: `Write \`${wanted}\`.`,
        example: new RegExp(`"${wanted}"`),
      },
    ],
  })),
  {
    name: "an exemption for callers beside it changes nothing",
    type,
    statement: deny("s3:PutObject", {
      StringEquals: { [encryption]: "aws:kms" },
      ArnNotLike: { "aws:PrincipalArn": "arn:aws:iam::*:role/admin" },
      Bool: { "aws:PrincipalIsAWSService": "false" },
    }),
    findings: [{ ...inverted, condition_key: encryption }],
  },
  ...[
    deny("s3:PutObject", { StringEquals: { [encryption]: ["aws:kms", "AES256"] } }),
    deny("s3:PutObject", {
      StringEquals: { [encryption]: "aws:kms", "aws:PrincipalTag/team": "a" },
    }),
    deny("s3:PutObject", {
      StringEquals: { [encryption]: "aws:kms" },
      ArnLike: { "aws:PrincipalArn": "arn:aws:iam::*:role/guest" },
    }),
    deny("s3:PutObject", {
      StringEquals: { [encryption]: "aws:kms" },
      StringIs: { "aws:PrincipalTag/team": "a" },
    }),
    deny("s3:*", {
      NumericLessThan: { "s3:signatureAge": "600000" },
      NumericGreaterThan: { "s3:signatureAge": "60000" },
    }),
    deny(["glacier:DeleteArchive", "glacier:DeleteVault"], {
      NumericGreaterThan: { "glacier:ArchiveAgeInDays": "365" },
    }),
    {
      ...deny("x", { NumericGreaterThan: { "glacier:ArchiveAgeInDays": "365" } }),
      Action: undefined,
      NotAction: "s3:*",
    },
    deny("ec2:RunInstances", { StringEquals: { "ec2:MetadataHttpTokens": "required" } }, "Allow"),
  ].map((statement) => ({
    name: `passes ${JSON.stringify(statement)}`,
    type,
    statement,
    findings: [],
  })),
  ...(
    [
      ["s3:PutObject", encryption, "ask for encryption"],
      [
        "s3:PutObject",
        "s3:x-amz-server-side-encryption-aws-kms-key-id",
        "ask for encryption with a KMS key",
      ],
      ["s3:*", "aws:MultiFactorAuthAge", "were made with MFA"],
      ["lambda:CreateFunction", "lambda:SubnetIds", "ask for a function in a VPC"],
      ["lambda:CreateFunction", "lambda:SecurityGroupIds", "ask for a function in a VPC"],
      ["sagemaker:CreateTrainingJob", "sagemaker:VpcSubnets", "ask for a VPC"],
      ["sagemaker:CreateTrainingJob", "sagemaker:VpcSecurityGroupIds", "ask for a VPC"],
      ["sagemaker:CreateTrainingJob", "sagemaker:VolumeKmsKey", "ask for an encrypted volume"],
      ["sagemaker:CreateTrainingJob", "sagemaker:OutputKmsKey", "ask for encrypted output"],
      ["s3:*", "aws:SourceVpc", "come through a VPC endpoint"],
      ["iam:CreateRole", "iam:PermissionsBoundary", "create users and roles with a boundary"],
    ] as const
  ).map(([action, key, stopped]) => ({
    name: `a Deny of the requests that have ${key} stops those that ${stopped}`,
    type,
    statement: deny(action, { Null: { [key]: "false" } }),
    findings: [
      {
        ...inverted,
        message: `\`Null\` on \`${key}\` is \`false\`, so this Deny stops the requests that ${stopped} and not the others.`,
        suggestion: `Write \`"Null": {"${key}": "true"}\`.`,
        example: /"true"/,
      },
    ],
  })),
  ...[
    deny("s3:PutObject", { Null: { [encryption]: "true" } }),
    deny("s3:*", {
      Null: { "aws:SourceVpc": "false" },
      StringEquals: { "aws:PrincipalTag/a": "b" },
    }),
    deny(["iam:CreateRole", "iam:DeleteRole"], { Null: { "iam:PermissionsBoundary": "false" } }),
    deny("s3:PutObject", { Null: { "s3:x-amz-storage-class": "false" } }),
    deny("s3:PutObject", { Bool: { [encryption]: "false" } }),
  ].map((statement) => ({
    name: `passes a Deny by presence: ${JSON.stringify(statement)}`,
    type,
    statement,
    findings: "Bool" in statement.Condition ? [{ issue_type: "condition_never_true" }] : [],
  })),
]);
