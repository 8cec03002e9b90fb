import { describe } from "vitest";
import { checkCases } from "../../../test/support/check-cases.ts";
import { fixCases } from "../../../test/support/fix-cases.ts";
import { conditionEffect } from "../condition-effect.ts";

const together = "requirements_tested_together";
const encryption = "s3:x-amz-server-side-encryption";
const keyId = "s3:x-amz-server-side-encryption-aws-kms-key-id";
const key = "arn:aws:kms:eu-west-1:111122223333:key/1234abcd-12ab-34cd-56ef-1234567890ab";
const bucket = "arn:aws:s3:::example-reports/*";
const deny = (Action: string, Condition: object) => ({
  type: "SERVICE_CONTROL_POLICY" as const,
  statement: { Effect: "Deny", Action, Resource: bucket, Condition },
});
const plainText = { Bool: { "aws:SecureTransport": "false" } };

checkCases(conditionEffect, [
  ...[
    { ...plainText, StringNotEquals: { [encryption]: "aws:kms" } },
    { ...plainText, NumericLessThan: { "s3:TlsVersion": "1.2" } },
    { ...plainText, BoolIfExists: { "aws:MultiFactorAuthPresent": "false" } },
    { StringNotEquals: { [encryption]: "aws:kms", [keyId]: key } },
    { Null: { [encryption]: "true" }, StringNotEqualsIfExists: { [keyId]: key } },
  ].map((Condition) => ({
    name: `two requirements in one condition: ${JSON.stringify(Condition)}`,
    ...deny("s3:PutObject", Condition),
    findings: [
      { issue_type: together, severity: "high" as const, message: /those that meet one of them/ },
    ],
  })),
  {
    name: "two tags with other values",
    ...deny("s3:CreateBucket", {
      StringNotEquals: { "aws:RequestTag/team": "payments", "aws:RequestTag/stage": "test" },
    }),
    findings: [
      { issue_type: together, message: /`aws:RequestTag\/team` and `aws:RequestTag\/stage`/ },
    ],
  },
  ...[
    { StringEquals: { [encryption]: "aws:kms" }, StringNotEqualsIfExists: { [keyId]: key } },
    { Null: { [encryption]: "false" }, StringNotEquals: { [encryption]: "aws:kms" } },
    { ...plainText, StringNotEquals: { "aws:PrincipalArn": "arn:aws:iam::111122223333:role/a" } },
    {
      BoolIfExists: { "aws:MultiFactorAuthPresent": "false" },
      NotIpAddress: { "aws:SourceIp": "203.0.113.0/24" },
    },
    { StringNotEquals: { "aws:RequestTag/team": "a", "aws:PrincipalTag/team": "a" } },
    { "ForAllValues:StringNotEquals": { "aws:RequestTag/a": "x", "aws:RequestTag/b": "y" } },
  ].map((Condition) => ({
    name: `one requirement, or a way around it: ${JSON.stringify(Condition)}`,
    ...deny("s3:PutObject", Condition),
    findings: [],
  })),
]);

checkCases(conditionEffect, [
  ...(
    [
      [{ Bool: { "ec2:Encrypted": "false", "aws:SecureTransport": "false" } }, "ec2:Encrypted"],
      [
        { Bool: { "rds:StorageEncrypted": "false", "aws:SecureTransport": "false" } },
        "rds:StorageEncrypted",
      ],
      [
        { Bool: { "elasticfilesystem:Encrypted": "false", "aws:SecureTransport": "false" } },
        "elasticfilesystem:Encrypted",
      ],
      [
        { StringNotEquals: { "ec2:MetadataHttpTokens": "required", "aws:RequestTag/team": "a" } },
        "ec2:MetadataHttpTokens",
      ],
      [
        {
          NumericLessThanEquals: { "s3:TlsVersion": "1.1" },
          StringNotLike: { "aws:RequestTag/team": "a*" },
        },
        "s3:TlsVersion",
      ],
    ] as const
  ).map(([Condition, key]) => ({
    name: `a requirement on ${key} beside another one`,
    ...deny("*", Condition),
    findings: [
      {
        issue_type: together,
        severity: "high" as const,
        message: new RegExp(
          `^This Deny stops only requests that break the requirements on .*\`${key}\`.* all at once, so those that meet one of them pass\\.$`,
        ),
        suggestion: "Write one statement for each requirement.",
      },
    ],
  })),
  {
    name: "two tags that are absent at once",
    ...deny("s3:CreateBucket", {
      Null: { "aws:RequestTag/team": "true", "aws:RequestTag/stage": "true" },
    }),
    findings: [
      {
        issue_type: "tags_tested_together",
        condition_key: "aws:RequestTag/stage",
        message:
          "This Deny asks that `aws:RequestTag/team` and `aws:RequestTag/stage` are all absent, so requests with only one of these tags pass.",
        suggestion: "Write one statement for each tag that is required.",
      },
    ],
  },
  {
    name: "a tag that is absent and one with another value",
    ...deny("s3:CreateBucket", {
      Null: { "aws:RequestTag/team": "true" },
      StringNotEquals: { "aws:RequestTag/stage": "test" },
    }),
    findings: [{ issue_type: together }],
  },
  ...[
    { StringEquals: { "aws:SecureTransport": "false" }, Bool: { "ec2:Encrypted": "false" } },
    { Bool: { "aws:SecureTransport": "false" }, NumericEquals: { "s3:TlsVersion": "1.2" } },
    {
      Bool: { "aws:SecureTransport": "false" },
      StringEquals: { "ec2:MetadataHttpTokens": "optional" },
    },
    { Bool: { "aws:SecureTransport": "false" }, BoolX: { "ec2:Encrypted": "false" } },
  ].map((Condition) => ({
    name: `one requirement alone: ${JSON.stringify(Condition)}`,
    ...deny("*", Condition),
    findings: [],
  })),
  {
    name: "an Allow of requests that break two requirements",
    type: "IDENTITY_POLICY",
    statement: {
      ...deny("s3:PutObject", { ...plainText, NumericLessThan: { "s3:TlsVersion": "1.2" } })
        .statement,
      Effect: "Allow",
    },
    findings: [],
  },
]);

describe("fixes", () => {
  const tls = { "aws:SecureTransport": "false" };
  const base = { Effect: "Deny", Principal: "*", Action: "s3:PutObject", Resource: bucket };
  const exempt = { "aws:PrincipalArn": "arn:aws:iam::111122223333:role/a" };
  fixCases([
    {
      name: "a statement for each requirement, under the other tests",
      of: "condition_effect/requirements_tested_together",
      type: "RESOURCE_POLICY",
      before: {
        Sid: "Secure",
        ...base,
        Condition: { Bool: tls, StringNotEquals: { [encryption]: "aws:kms", ...exempt } },
      },
      after: [
        { Sid: "Secure", ...base, Condition: { Bool: tls, StringNotEquals: exempt } },
        { ...base, Condition: { StringNotEquals: { [encryption]: "aws:kms", ...exempt } } },
      ],
      effect: "narrows",
    },
  ]);
});
