import { checkCases } from "../../../test/support/check-cases.ts";
import { conditionEffect } from "../condition-effect.ts";

const allow = { Effect: "Allow", Action: "s3:PutObject", Resource: "arn:aws:s3:::reports/*" };
const deny = { ...allow, Effect: "Deny" };

const ofS3 = "arn:aws:s3:eu-west-1:111122223333:accesspoint/reports";
const twoRoles = "arn:aws:iam::111122223333:role/a, arn:aws:iam::111122223333:role/b";
const recordNames = "route53:ChangeResourceRecordSetsNormalizedRecordNames";

const impossible: [operator: string, key: string, value: string, message: RegExp][] = [
  ["StringLike", "aws:userid", "AROAEXAMPLEID123", /its values are unique ids, such as/],
  ["StringEquals", "aws:userid", "AKIAIOSFODNN7EXAMPLE", /unique ids/],
  ["StringLike", "aws:userid", "AIDAEXAMPLEID123:*", /unique ids/],
  ["StringEquals", "aws:userid", "arn:aws:iam::111122223333:user/ana", /unique ids/],
  ["StringEquals", "aws:username", "arn:aws:iam::111122223333:user/ana", /names of IAM users/],
  ["StringLike", "aws:username", "staff/*", /names of IAM users/],
  ["StringEquals", "aws:ResourceOrgID", "o-a1b2c3d4e5/r-ab12", /organization ids/],
  ["StringLike", "aws:PrincipalOrgID", "o-a1b2c3d4e5/*", /organization ids/],
  ["StringEquals", "s3:x-amz-server-side-encryption", "SSE-KMS", /`AES256`, `aws:kms`/],
  ["StringEquals", "route53:ChangeResourceRecordSetsActions", "create", /`CREATE`, `UPSERT`/],
  ["StringEquals", "route53:ChangeResourceRecordSetsRecordTypes", "txt", /`TXT`/],
  ["StringEquals", "s3:signatureversion", "v4", /`AWS4-HMAC-SHA256`/],
  ["StringEquals", "kms:ViaService", "s3.eu-west-1.amazon.com", /a service and a Region/],
  ["StringEquals", "kms:GrantOperations", "Decrpt", /`Decrypt`/],
  ["StringEquals", "kms:MessageType", "digest", /`DIGEST`/],
  ["StringEquals", "kms:KeySpec", "AES_256", /`SYMMETRIC_DEFAULT`/],
  ["StringEquals", "kms:KeyUsage", "SIGNING", /`SIGN_VERIFY`/],
  ["StringLike", "kms:SigningAlgorithm", "RSA_PSS_SHA_256", /`RSASSA_PSS_SHA_256`/],
  ["StringLike", "aws:PrincipalArn", twoRoles, /ARNs of IAM roles/],
  ["StringLike", "aws:PrincipalArn", "arn:aws:iam::*:role/AWSReservedSSO_Admin_*", /the path/],
  ["StringLike", "aws:PrincipalArn", "arn:aws:iam::*:root/*", /ARNs of IAM roles/],
  ["ArnLike", "aws:PrincipalArn", "arn:aws:iam::*:user", /ARNs of IAM roles/],
  ["StringEquals", "s3:x-amz-storage-class", "GLACIER_INSTANT", /`GLACIER_IR`/],
  ["StringEquals", "kms:KeyOrigin", "aws-kms", /`AWS_KMS`/],
  [
    "StringEquals",
    "elasticfilesystem:AccessPointArn",
    ofS3,
    /ARNs such as `arn:aws:elasticfilesystem/,
  ],
  ["StringLike", "s3:DataAccessPointArn", "arn:aws:s3-outposts:*", /ARNs such as `arn:aws:s3:/],
  ["StringLike", "s3:prefix", "arn:aws:s3:::reports/home/*", /without the bucket/],
  ["StringLike", "s3:prefix", "s3://reports/home/*", /without the bucket/],
  ["StringEquals", recordNames, "api.example.com.", /without a dot at the end/],
  ["StringLike", recordNames, "*.Example.com", /in lower case/],
  ["StringEquals", "dynamodb:Select", "SPECIFIC_ATTRIBUTE", /`SPECIFIC_ATTRIBUTES`/],
  ["StringEquals", "s3:x-amz-server-side-encryption", "true", /`AES256`, `aws:kms`/],
];

const possible: [operator: string, key: string, value: string | string[]][] = [
  ["StringLike", "aws:PrincipalArn", "arn:aws:iam::*:role/*AWSReservedSSO_Admin_*"],
  ["StringLike", "aws:PrincipalArn", ["arn:aws:iam::*:root", "arn:aws:iam::*:?oot"]],
  ["StringLike", "aws:PrincipalArn", "arn:aws:iam::*:*/Admin"],
  ["StringLike", "aws:userid", "AROAEXAMPLEID123:*"],
  ["StringEquals", "aws:userid", "AIDAEXAMPLEID123"],
  ["StringLike", "aws:userid", ["AROAEXAMPLEID123:*", "AIDAEXAMPLEID123", "111122223333"]],
  ["StringLike", "aws:userid", "*:ana@example.com"],
  ["StringLike", "aws:userid", "AROAEXAMPLEID123*"],
  ["StringLike", "aws:userid", "AIDA*"],
  ["StringLike", "aws:userid", "111122223333:*"],
  ["StringEquals", "aws:username", "ana.lopez+ops@example.com"],
  ["StringLike", "aws:username", "staff-*"],
  ["StringEquals", "aws:username", `\${aws:PrincipalTag/owner}`],
  ["StringEquals", "aws:ResourceOrgID", `\${aws:PrincipalOrgID}`],
  ["StringEquals", "aws:PrincipalOrgID", "o-a1b2c3d4e5"],
  ["StringEquals", "s3:x-amz-server-side-encryption", ["aws:kms", "AES256"]],
  ["StringEquals", "s3:x-amz-server-side-encryption", "aws:kms:dsse"],
  ["StringEquals", "route53:ChangeResourceRecordSetsActions", ["CREATE", "UPSERT"]],
  ["StringEquals", "route53:ChangeResourceRecordSetsRecordTypes", "NEWTYPE"],
  ["StringLike", "elasticloadbalancing:Scheme", "inter*"],
  ["StringEquals", "s3:signatureversion", "AWS4-HMAC-SHA256"],
  ["StringEquals", "kms:GrantOperations", ["Decrypt", "NewOperation"]],
  ["StringEquals", "kms:KeySpec", "NEW_SPEC"],
  ["StringEquals", "kms:SigningAlgorithm", "NEW_SCHEME"],
  ["StringEquals", "elasticfilesystem:AccessPointArn", ["fsap-0123456789abcdef0", ofS3]],
  ["StringLike", "s3:DataAccessPointArn", "arn:aws:s3:*:111122223333:accesspoint/*"],
  ["StringLike", "s3:prefix", ["", "home/", "home/*"]],
  ["StringLike", recordNames, ["*.example.com", "example.com"]],
];

checkCases(conditionEffect, [
  ...impossible.map(([operator, key, value, message]) => ({
    name: `an Allow for ${key} ${value}`,
    statement: { ...allow, Condition: { [operator]: { [key]: value } } },
    findings: [
      {
        issue_type: "condition_never_true",
        severity: "error" as const,
        condition_key: key,
        message,
      },
    ],
  })),
  {
    name: "a Deny for everyone but a session of a role without the name of the session",
    statement: { ...deny, Condition: { StringNotLike: { "aws:userid": ["AROAEXAMPLEID123"] } } },
    findings: [
      {
        issue_type: "condition_always_true",
        severity: "high" as const,
        condition_key: "aws:userid",
      },
    ],
  },
  ...possible.map(([operator, key, value]) => ({
    name: `accepts ${operator} ${key} ${value}`,
    statement: { ...allow, Condition: { [operator]: { [key]: value } } },
    findings: [],
  })),
]);
