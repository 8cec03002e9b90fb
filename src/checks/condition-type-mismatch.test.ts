import { checkCases } from "../../test/support/check-cases.ts";
import { conditionTypeMismatch } from "./condition-type-mismatch.ts";

const where = (Condition: object, Action: unknown = "s3:GetObject") => [
  { Effect: "Allow", Action, Resource: "*", Condition },
];
const rows = (
  name: string,
  conditions: readonly object[],
  finding: object,
  action: unknown = "s3:GetObject",
) =>
  conditions.map((condition) => ({
    name: `${name}: ${JSON.stringify(condition)}`,
    statement: where(condition, action),
    findings: [{ at: 0, field_name: "condition" as const, ...finding }],
  }));
const accepted = (conditions: readonly object[], action: unknown = "s3:GetObject") =>
  conditions.map((condition) => ({
    name: `accepts ${JSON.stringify(condition)}`,
    statement: where(condition, action),
    findings: [],
  }));

checkCases(conditionTypeMismatch, [
  ...accepted(
    ["eu-west-1", "EU", ""].map((Region) => ({
      StringEquals: { "s3:LocationConstraint": Region },
    })),
    "s3:CreateBucket",
  ),
  ...rows(
    "a Region that does not exist, for new buckets",
    [{ StringEquals: { "s3:LocationConstraint": "eu-west-11" } }],
    { issue_type: "invalid_region", severity: "error" },
    "s3:CreateBucket",
  ),
  ...rows(
    "says what the ARN of a boundary looks like",
    [{ ArnEquals: { "iam:PermissionsBoundary": "Developers" } }],
    {
      issue_type: "invalid_value_format",
      message: /, which takes an ARN such as `arn:aws:iam::111122223333:policy\/example-policy`\.$/,
    },
    "iam:CreateRole",
  ),
  ...rows(
    "a Region that does not exist, for an account",
    [{ StringNotEquals: { "account:TargetRegion": "eu-centrall-2" } }],
    { issue_type: "invalid_region", severity: "error", message: /`eu-centrall-2`/ },
    "account:EnableRegion",
  ),
  ...rows(
    "a Region that does not exist, for a replica of a key",
    [{ StringEquals: { "kms:ReplicaRegion": "eu-wes-1" } }],
    { issue_type: "invalid_region", severity: "error" },
    "kms:ReplicateKey",
  ),
  ...accepted(
    [
      { NumericLessThan: { "glacier:ArchiveAgeInDays": "365" } },
      { StringEquals: { "glacier:ArchiveAgeInDays": "365" } },
    ],
    "glacier:DeleteArchive",
  ),
  ...accepted([
    { StringEquals: { "aws:PrincipalOrgID": "o-1" } },
    { NumericLessThan: { "s3:max-keys": 10 } },
    { numericlessthanifexists: { "s3:max-keys": "-1.5" } },
    { "forallvalues:StringLike": { "aws:TagKeys": "*" } },
    { Bool: { "aws:SecureTransport": true } },
    { Bool: { "aws:SecureTransport": "${aws:PrincipalTag/tls}" } },
    { IpAddress: { "aws:SourceIp": ["203.0.113.7/24", "2001:db8::/32", "::1"] } },
    { ArnLike: { "aws:PrincipalArn": ["arn:aws:iam::*:role/app", "*", "${aws:SourceArn}"] } },
    { DateLessThan: { "aws:CurrentTime": ["2030-01-01", "2030-01", "1700000000"] } },
    { NumericLessThan: { "aws:EpochTime": "1700000000" } },
    { Null: { "aws:PrincipalOrgID": ["true", false], "s3:prefix": "FALSE" } },
    { "ForAnyValue:Null": { "aws:TagKeys": "false" } },
    { BinaryEquals: { "s3:unknown": "QmluYXJ5" } },
    { StringEquals: { "aws:ViaCustomerDomain": "x" } },
    { Bool: { "aws:ViaCustomerDomain": "x" } },
  ]),
  ...rows(
    "takes the last star of StringLike for the rest of an ARN",
    [{ StringLike: { "aws:PrincipalArn": "arn:aws:iam::*" } }],
    { issue_type: "type_mismatch_usable", severity: "warning" },
  ),
  ...rows(
    "reports a date in words under a Numeric operator",
    [
      { NumericLessThan: { "aws:CurrentTime": "2030-01-01" } },
      { NumericGreaterThan: { "aws:EpochTime": "2030-01-01T00:00:00Z" } },
    ],
    {
      issue_type: "invalid_value_format",
      message: /is not a value for `Numeric\w+`, which compares with/,
      suggestion: /^Use `Date(?:Less|Greater)Than`, which compares dates\.$/,
      aws_issue_code: "TYPE_MISMATCH_NUMBER",
    },
  ),
  ...rows("reports an unknown operator", [{ StringEqual: { "aws:PrincipalOrgID": "o-1" } }], {
    issue_type: "invalid_operator",
    severity: "error",
    condition_key: null,
    message: /`StringEqual`/,
    suggestion: /`StringEquals`/,
    path: "/Statement/0/Condition/StringEqual",
    aws_issue_code: "INVALID_CONDITION_OPERATOR",
  }),
  {
    name: "reports unknown operators without a key too, in their place",
    statement: where({
      StringEqual: {},
      Bool: { "aws:SecureTransport": "x" },
      NullIfExists: {},
      Foo: { "aws:username": "a", "aws:userid": "b" },
      Bar: "x",
    }),
    findings: [
      { issue_type: "invalid_operator", path: "/Statement/0/Condition/StringEqual" },
      { issue_type: "invalid_value_format" },
      { issue_type: "invalid_operator", path: "/Statement/0/Condition/NullIfExists" },
      { issue_type: "invalid_operator", path: "/Statement/0/Condition/Foo" },
    ],
  },
  ...rows(
    "reports an unknown set prefix",
    [{ "ForSomeValues:StringEquals": { "aws:TagKeys": "x" } }],
    { issue_type: "invalid_operator", suggestion: /`ForAnyValue:StringEquals`/ },
  ),
  ...rows(
    "reports IfExists on Null",
    [{ NullIfExists: { "aws:TagKeys": "x" } }, { nullifexists: { "aws:TagKeys": "x" } }],
    { issue_type: "invalid_operator", aws_issue_code: "NULL_WITH_IF_EXISTS" },
  ),
  {
    name: "reports an unknown operator once, however many keys it has",
    statement: where({ Nope: { "aws:PrincipalOrgID": "x", "s3:prefix": "y" } }),
    findings: [{ issue_type: "invalid_operator" }],
  },
  ...rows(
    "warns of a value of Null that is not a boolean",
    [{ Null: { "s3:prefix": ["true", "x", "y"] } }],
    {
      issue_type: "invalid_value_format",
      severity: "warning",
      condition_key: "s3:prefix",
      path: "/Statement/0/Condition/Null/s3:prefix/1",
    },
  ),
  ...rows(
    "reports an operator of another type",
    [
      { StringEquals: { "aws:SecureTransport": "true" } },
      { stringlike: { "aws:CurrentTime": "2030-01-01" } },
      { NumericEquals: { "s3:authType": "1" } },
      { DateEquals: { "s3:max-keys": "10" } },
      { "ForAllValues:NumericEquals": { "aws:TagKeys": "1" } },
    ],
    { issue_type: "type_mismatch", severity: "error", aws_issue_code: "TYPE_MISMATCH" },
  ),
  ...rows(
    "reports an ARN operator on a String key, which AWS lets pass",
    [{ ArnEquals: { "s3:authType": "arn:aws:s3:::x" } }],
    { issue_type: "type_mismatch", aws_issue_code: null },
  ),
  ...rows(
    "warns of Bool with true or false on a text key",
    [{ BoolIfExists: { "s3:authType": "true" } }, { Bool: { "s3:authType": ["True", "false"] } }],
    { issue_type: "type_mismatch_usable", severity: "warning", aws_issue_code: "TYPE_MISMATCH" },
  ),
  ...rows(
    "warns of String operators on ARN keys",
    [
      { StringLike: { "aws:SourceArn": "arn:aws:s3:::*" } },
      { StringLike: { "aws:SourceArn": "*:function:orders" } },
    ],
    {
      issue_type: "type_mismatch_usable",
      severity: "warning",
      condition_key: "aws:SourceArn",
      aws_issue_code: "STRING_LIKE_OPERATOR_WITH_ARN_CONDITION_KEYS",
    },
  ),
  ...[
    { ArnLike: { "kms:EncryptionContext:aws:s3:arn": "arn:aws:s3:::x" } },
    { ArnLike: { "aws:ResourceTag/owner": "arn:aws:iam::123456789012:role/x" } },
    { ArnNotLike: { "aws:PrincipalTag/owner": "arn:aws:iam::123456789012:role/x" } },
    { StringEquals: { "aws:SourceArn": "arn:aws:s3:::x" } },
    { StringNotEquals: { "aws:Ec2InstanceSourcePrivateIPv4": "${aws:VpcSourceIp}" } },
    { IpAddress: { "aws:Ec2InstanceSourcePrivateIPv4": "10.0.0.0/8" } },
  ].map((condition) => ({
    name: `accepts what AWS accepts: ${JSON.stringify(condition)}`,
    statement: where(condition, "kms:Decrypt"),
    findings: [],
  })),
  {
    name: "reports a bad value of a String operator on an ARN key",
    statement: where({ StringEquals: { "aws:SourceArn": "me" } }),
    findings: [{ issue_type: "invalid_value_format" }],
  },
  {
    name: "accepts wildcards of a key whose values are patterns themselves",
    statement: {
      Effect: "Allow",
      Action: "cloudwatch:PutInsightRule",
      Resource: "arn:aws:cloudwatch:*:*:insight-rule/*",
      Condition: {
        "ForAllValues:StringEqualsIgnoreCase": {
          "cloudwatch:requestInsightRuleLogGroups": ["/app/orders", "/app/web-*"],
        },
      },
    },
    findings: [],
  },
  {
    name: "reports wildcards that are compared as text: high in an Allow, error in a Deny (5.2)",
    statement: [
      ...[where({ StringEquals: { "aws:PrincipalTag/team": ["red*", "blue"] } })].flat(),
      {
        Effect: "Deny",
        Action: "*",
        Resource: "*",
        Condition: { StringEquals: { "aws:PrincipalArn": "arn:aws:iam::*:root" } },
      },
      {
        Effect: "Deny",
        Action: "*",
        Resource: "*",
        Condition: { StringNotEqualsIgnoreCase: { "aws:PrincipalTag/team": "r?d" } },
      },
    ],
    findings: [
      {
        at: 0,
        issue_type: "wildcard_without_like",
        severity: "high",
        aws_issue_code: "WILDCARD_WITHOUT_LIKE_OPERATOR",
        example: /"StringLike"/,
      },
      { at: 1, severity: "error", example: /"ArnLike"/ },
      { at: 2, severity: "error", aws_issue_code: null },
    ],
  },
  {
    name: "takes escapes, variables and placeholders for no wildcards",
    statement: where({
      StringEquals: { "aws:PrincipalTag/team": ["${*}", "${?}", "${aws:username}", "{{ x? }}"] },
    }),
    findings: [],
  },
  {
    name: "takes the sources of billing as they are, and those of others for patterns",
    statement: where({
      StringEquals: {
        "aws:SourceArn": [
          "arn:aws:cur:us-east-1:111122223333:definition/*",
          "arn:aws:bcm-data-exports:us-east-1:111122223333:export/*",
        ],
      },
      StringEqualsIfExists: { "aws:SourceArn": "arn:aws:cur:us-east-1:111122223333:*" },
    }),
    findings: [{ issue_type: "wildcard_without_like", message: /`StringEqualsIfExists` compares/ }],
  },
  {
    name: "takes the star that requests send as it is: a public permission, a wildcard certificate",
    statement: where({
      StringEquals: { "lambda:Principal": "*" },
      "ForAllValues:StringEquals": { "acm:DomainNames": ["example.com", "*.example.com"] },
      StringNotEquals: { "lambda:Principal": "*.amazonaws.com" },
    }),
    findings: [{ issue_type: "wildcard_without_like", message: /`StringNotEquals` compares/ }],
  },
  {
    name: "reports Regions that do not exist (5.11), each value for itself",
    statement: where({
      StringLike: { "aws:RequestedRegion": ["eu-west1", "xx-north-7", "Ireland", "eu-*", "zz-*"] },
    }),
    findings: [
      { issue_type: "invalid_region", severity: "error", example: '"eu-west-1"' },
      { issue_type: "invalid_region", severity: "warning", suggestion: /newer than this list/ },
      {
        issue_type: "invalid_region",
        severity: "error",
        suggestion: /^Write the code of a Region/,
      },
      { issue_type: "invalid_region", severity: "warning", message: /matches no/ },
    ],
  },
  ...rows(
    "reports one bad value per key, the first",
    [{ IpAddress: { "aws:SourceIp": ["203.0.113.1", "bad", "worse"] } }],
    {
      issue_type: "invalid_value_format",
      severity: "error",
      condition_key: "aws:SourceIp",
      message: /`bad`/,
      path: "/Statement/0/Condition/IpAddress/aws:SourceIp/1",
      aws_issue_code: "TYPE_MISMATCH_IP_RANGE",
    },
  ),
  ...rows(
    "reports values that are not of the key's type",
    [
      { NumericLessThan: { "s3:max-keys": "ten" } },
      { Bool: { "aws:SecureTransport": "yes" } },
      { DateLessThan: { "aws:CurrentTime": "2019-02-29" } },
      { ArnEquals: { "aws:SourceArn": "arn:aws:s3:::" } },
    ],
    { issue_type: "invalid_value_format", severity: "error" },
  ),
  ...rows(
    "says that variables stay text in numbers, dates and addresses",
    [{ IpAddress: { "aws:SourceIp": "${aws:PrincipalTag/ip}" } }],
    {
      issue_type: "invalid_value_format",
      message: /does not replace policy variables/,
      aws_issue_code: "INVALID_VARIABLE_FOR_OPERATOR",
    },
  ),
  {
    name: "holds every value against the operator when the type of the key is unknown",
    statement: where({
      IpAddress: { "s3:nope": ["x", "203.0.113.1", "y"] },
      ArnLike: { "s3:nope": ["x", "arn:", "*", "a${b"] },
      Bool: { "s3:nope": ["x", "true", "${a}"] },
      NumericEquals: { "s3:nope": "x" },
      DateEquals: { "s3:nope": "x" },
    }),
    findings: [
      { issue_type: "invalid_ip_cidr_format", condition_key: "s3:nope", message: /`x`/ },
      { issue_type: "invalid_ip_cidr_format", message: /`y`/ },
      { issue_type: "invalid_arn_format_for_operator", message: /`x`/ },
      { issue_type: "invalid_bool_value_for_operator", message: /`x`/ },
    ],
  },
  {
    name: "holds values against the operator as well when the key is of another type",
    statement: where({ Bool: { "s3:prefix": "home" } }),
    findings: [{ issue_type: "type_mismatch" }, { issue_type: "invalid_bool_value_for_operator" }],
  },
  {
    name: "takes the type from the first action whose service knows the key",
    statement: where({ NumericEquals: { "ec2:EbsOptimized": "1" } }, [
      "s3:Bogus",
      "s3:GetObject",
      "ec2:*",
    ]),
    findings: [{ issue_type: "type_mismatch" }, { issue_type: "invalid_value_format" }],
  },
  {
    name: "reads ArrayOf types as what they are arrays of",
    statement: where(
      { "ForAnyValue:StringLike": { "lambda:Layer": "x" } },
      "lambda:CreateFunction",
    ),
    findings: [],
  },
  {
    name: "knows only global keys where there is no action to ask",
    statement: [
      {
        Effect: "Deny",
        NotAction: "s3:*",
        Resource: "*",
        Condition: { NumericEquals: { "s3:authType": "x", "aws:SourceAccount": "1" } },
      },
    ],
    findings: [{ issue_type: "type_mismatch", condition_key: "aws:SourceAccount" }],
  },
  {
    name: "follows the configured severity",
    statement: where({ Bool: { "aws:SecureTransport": "yes" }, Nope: { a: "b" } }),
    options: { severity: "low" },
    findings: [{ severity: "low" }, { severity: "low" }],
  },
]);
