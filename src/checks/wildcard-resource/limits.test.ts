import { checkCases } from "../../../test/support/check-cases.ts";
import { wildcardResource } from "../wildcard-resource.ts";

const allow = (Action: unknown, Condition: object) => ({
  Effect: "Allow",
  Action,
  Resource: "*",
  Condition,
});
const found = { issue_type: "overly_permissive", severity: "medium" } as const;
const low = { ...found, severity: "low" } as const;

checkCases(wildcardResource, [
  {
    name: "lowers the severity when the condition limits the account or organisation",
    statement: [
      allow("kms:Decrypt", { StringEquals: { "AWS:resourceaccount": "111122223333" } }),
      allow("kms:*", { "ForAnyValue:StringLike": { "aws:ResourceOrgPaths": "o-1/*" } }),
      allow("ssm:GetParameter", {
        StringEquals: { "aws:ResourceAccount": "1", "aws:SourceVpc": "vpc-1" },
      }),
    ],
    findings: [
      {
        ...low,
        at: 0,
        message: /The condition on `AWS:resourceaccount` limits what the statement reaches/,
      },
      { ...low, at: 1 },
      { ...low, at: 2, message: /\. The condition on `aws:ResourceAccount` limits .* is lower\.$/ },
    ],
  },
  {
    name: "does not lower it for conditions that limit nothing: negated, IfExists, `*`, Null, tags of the caller",
    statement: [
      allow("kms:Decrypt", { StringNotEquals: { "aws:ResourceAccount": "1" } }),
      allow("kms:Decrypt", { StringEqualsIfExists: { "aws:ResourceAccount": "1" } }),
      allow("kms:Decrypt", { StringLike: { "aws:ResourceAccount": "*" } }),
      allow("kms:Decrypt", { Null: { "aws:ResourceAccount": "false" } }),
      allow("kms:Decrypt", { StringEquals: { "aws:PrincipalTag/team": "x" } }),
    ],
    findings: [0, 1, 2, 3, 4].map((at) => ({ ...found, at, message: /: `kms:Decrypt`\.$/ })),
  },
  {
    name: "lowers it for tags that every action supports, and says which do not support them",
    statement: [
      allow("kms:Decrypt", { StringEquals: { "aws:ResourceTag/team": "x" } }),
      allow(["kms:Decrypt", "s3:PutObject", "kms:*"], {
        StringEquals: { "aws:ResourceTag/team": "x" },
      }),
      allow("kms:Decrypt", { StringEquals: { "made-up-tag/team": "x" } }),
      allow("ec2:CreateTags", { StringEquals: { "aws:RequestTag/team": "x" } }),
      allow("ec2:RunInstances", { "ForAnyValue:StringEquals": { "aws:TagKeys": "team" } }),
      allow(["ec2:TerminateInstances", "kms:Decrypt", "s3:PutObject"], {
        StringEquals: { "ec2:ResourceTag/team": "x", "aws:ResourceTag/team": "x" },
      }),
      allow("kms:Decrypt", {
        StringEquals: { "aws:RequestTag/team": "x", "made-up-tag/team": "x" },
      }),
      allow(["ec2:CreateTags", "ec2:TerminateInstances"], {
        StringEquals: { "aws:RequestTag/team": "x", "aws:ResourceTag/team": "x" },
      }),
      allow("glue:GetTable", { StringEquals: { "aws:ResourceAccount": "111122223333" } }),
      allow("ec2:*", { StringEquals: { "ec2:ResourceTag/team": "x" } }),
    ],
    findings: [
      {
        ...low,
        at: 0,
        message: /The condition on `aws:ResourceTag\/team` limits what the statement reaches/,
      },
      {
        ...found,
        at: 1,
        message:
          /`aws:ResourceTag\/team` does not limit the resources: `kms:\*`, `s3:PutObject` do not support it\.$/,
      },
      {
        ...found,
        at: 2,
        message: /does not limit the resources: `kms:Decrypt` does not support it\.$/,
      },
      {
        ...found,
        at: 3,
        message: /on `aws:RequestTag\/team` limits which tags are set, not the resources\.$/,
      },
      { ...low, at: 4, message: /on `aws:TagKeys` limits what the statement reaches/ },
      { ...found, at: 5, message: /the resources: `s3:PutObject` does not support it\.$/ },
      {
        ...found,
        at: 6,
        message: /does not limit the resources: `kms:Decrypt` does not support it\.$/,
      },
      { ...low, at: 7, message: /on `aws:ResourceTag\/team` limits what the statement reaches/ },
      {
        ...low,
        at: 8,
        message: /`glue:GetTable`\. The condition on `aws:ResourceAccount` limits .* is lower\.$/,
      },
      {
        ...found,
        at: 9,
        message:
          /on `ec2:ResourceTag\/team` limits only the actions that support it, and not every action of `ec2:\*` does\.$/,
      },
    ],
  },
  {
    name: "asks each tag family by itself: one that all actions support is enough",
    statement: allow(["ec2:TerminateInstances", "ec2:CreateTags"], {
      StringEquals: { "aws:RequestTag/team": "x" },
      StringLike: { "ec2:ResourceTag/team": "x*", "EC2:resourcetag/env": "dev" },
    }),
    findings: [{ ...low, message: /on `ec2:ResourceTag\/team`, `EC2:resourcetag\/env` limits/ }],
  },
  {
    name: "never raises a severity by lowering it",
    statement: allow("kms:Decrypt", { StringEquals: { "aws:ResourceAccount": "1" } }),
    options: { severity: "info" },
    findings: [{ ...found, severity: "info" }],
  },
  {
    name: "keeps the reason beside a message of the operator's own",
    statement: allow("kms:Decrypt", { StringEquals: { "aws:ResourceAccount": "1" } }),
    options: { message: "Too wide." },
    findings: [{ ...low, message: /^Too wide\. The condition on `aws:ResourceAccount` limits/ }],
  },
]);
