import { describe, expect, test } from "vitest";
import {
  allow,
  deny,
  found,
  grant,
  newAccess,
  requestText,
  type Side,
  type Statement,
  trust,
} from "../../test/support/access.ts";
import type { Answer } from "./answers.ts";
import type { AccessType } from "./document.ts";

/** The request that shows what a policy allows beside its baseline; without one, nothing is allowed before. */
type Row = readonly [
  why: string,
  policy: Side,
  expected: string,
  baseline?: Side,
  type?: AccessType,
];

const none: Side = [];
const q = "arn:aws:sqs:us-east-1:111122223333:q";
const open = grant("*");

function when(Condition: object, Resource = "arn:aws:s3:::b/k"): readonly Statement[] {
  return [allow("s3:GetObject", Resource, Condition)];
}

/** The request in one line. */
function shown(answer: Answer): string {
  const verdict = found(answer);
  const [violation] = answer.violations;
  if (typeof verdict === "object") return `undecided: ${verdict.undecided}`;
  if (!violation) return verdict;
  const { kind, witness } = violation;
  return `${kind === "grants" ? "" : `${kind}: `}${requestText(witness)}`;
}

const actions: readonly Row[] = [
  [
    "a known action, on what it works on",
    [allow("s3:GetObject", "*")],
    "@role s3:GetObject arn:aws:s3:::example/example",
  ],
  [
    "an action in other letters, as AWS writes it",
    [allow("S3:getobject", "*")],
    "@role s3:GetObject arn:aws:s3:::example/example",
  ],
  [
    "a known action on some of its resources",
    [allow("s3:GetObject", "arn:aws:s3:::b/*")],
    "@role s3:GetObject arn:aws:s3:::b/example",
  ],
  [
    "an action that works on no resource",
    [allow("s3:ListAllMyBuckets", "*")],
    "@role s3:ListAllMyBuckets *",
  ],
  [
    "a known action on what it does not work on",
    [allow("s3:GetObject", "arn:aws:s3:::bucket")],
    "unfitting: @role s3:GetObject arn:aws:s3:::bucket",
  ],
  [
    "... on another service's resource",
    [allow("s3:GetObject", "arn:aws:sqs:us-east-1:111122223333:q")],
    "unfitting: @role s3:GetObject arn:aws:sqs:us-east-1:111122223333:q",
  ],
  [
    "an unknown action",
    [allow("s3:Foo", "arn:aws:s3:::b/*")],
    "@role s3:Foo arn:aws:s3:::b/example",
  ],
  [
    "an action of an unknown service",
    [allow("foo:Bar", "*")],
    "@role foo:Bar arn:aws:foo:us-east-1:111122223333:example",
  ],
  [
    "actions by a pattern",
    [allow("s3:Get*", "*")],
    "@role s3:GetAccelerateConfiguration arn:aws:s3:::example",
  ],
  ["all actions", [allow("*", "*")], "@role s3:AbortMultipartUpload arn:aws:s3:::example/example"],
  [
    "all actions, on a resource of one service",
    [allow("*", "arn:aws:sqs:us-east-1:111122223333:q")],
    "@role sqs:AddPermission arn:aws:sqs:us-east-1:111122223333:q",
  ],
  [
    "an action of any service",
    [allow("*:GetObject", "*")],
    "@role s3:GetObject arn:aws:s3:::example/example",
  ],
  [
    "a pattern that no known action fits",
    [allow("s3:Foo*", "*")],
    "unknown_action: @role s3:fooNewAction arn:aws:s3:us-east-1:111122223333:example",
  ],
  [
    "a pattern in an unknown service",
    [allow("foo:*", "*")],
    "unknown_action: @role foo:NewAction arn:aws:foo:us-east-1:111122223333:example",
  ],
  [
    "a pattern on what none of its actions works on",
    [allow("s3:GetObject*", "arn:aws:s3:::bucket")],
    "unfitting: @role s3:GetObject arn:aws:s3:::bucket",
  ],
  [
    "of two actions the one that works on the resource",
    [allow(["s3:GetObject", "s3:ListBucket"], "arn:aws:s3:::bucket")],
    "@role s3:ListBucket arn:aws:s3:::bucket",
  ],
  [
    "a pattern beside the unknown action that a baseline allows",
    [allow(["s3:Kno*"], "*")],
    "unknown_action: @role s3:knoNewAction arn:aws:s3:us-east-1:111122223333:example",
    [allow(["s3:Known"], "*")],
  ],
  [
    "a pattern of an unknown action that the policy writes out",
    [allow(["s3:Kno*"], "*"), deny("s3:Known", "arn:aws:s3:::b")],
    "@role s3:Known arn:aws:s3:us-east-1:111122223333:example",
    [allow(["s3:Knowing"], "*")],
  ],
  [
    "all actions but those of a service",
    [allow("*", "*")],
    "@role ec2:AcceptAddressTransfer arn:aws:ec2:us-east-1:111122223333:elastic-ip/example",
    [allow("s3:*", "*")],
  ],
  [
    "all actions but those listed",
    [{ Effect: "Allow", NotAction: "s3:*", Resource: "*" }],
    "@role ec2:AcceptAddressTransfer arn:aws:ec2:us-east-1:111122223333:elastic-ip/example",
  ],
  [
    "... on resources of a service",
    [{ Effect: "Allow", NotAction: ["s3:*", "iam:*"], Resource: "arn:aws:ec2:*:*:instance/*" }],
    "@role ec2:AssociateAddress arn:aws:ec2:us-east-1:111122223333:instance/example",
  ],
  [
    "a pattern that reaches further than known actions",
    [allow("s3:GetObject*", "*")],
    "@role s3:GetObjectAnnotation arn:aws:s3:::example/example",
    [allow(["s3:GetObject", "s3:GetObjectAcl"], "*")],
  ],
  [
    "a pattern all of whose known actions are allowed already",
    [allow("sts:AssumeRo*", "*")],
    "unknown_action: @role sts:assumeroNewAction arn:aws:sts:us-east-1:111122223333:example",
    [
      allow(
        [
          "sts:AssumeRole",
          "sts:AssumeRoleWithSAML",
          "sts:AssumeRoleWithWebIdentity",
          "sts:AssumeRoot",
        ],
        "*",
      ),
    ],
  ],
  [
    "a pattern of one more character",
    [allow("s3:GetObjec?", "*")],
    "unknown_action: @role s3:getobjecx arn:aws:s3:us-east-1:111122223333:example",
    [allow("s3:GetObject", "*")],
  ],
  [
    "of two actions the one that is new",
    [allow(["s3:GetObject", "s3:PutObject"], "*")],
    "@role s3:PutObject arn:aws:s3:::example/example",
    [allow("s3:GetObject", "*")],
  ],
  [
    "an action that is denied no longer",
    [allow("s3:*", "*")],
    "@role s3:DeleteBucket arn:aws:s3:::example",
    [allow("s3:*", "*"), deny("s3:DeleteBucket", "*")],
  ],
  [
    "actions on an ARN without account",
    [allow("apigateway:*", "*")],
    "@role apigateway:AddCertificateToDomain arn:aws:apigateway:us-east-1::/domainnames",
  ],
  [
    "an action on a role",
    [allow("iam:PassRole", "*")],
    "@role iam:PassRole arn:aws:iam::111122223333:role/example",
  ],
  [
    "an unknown action of any service",
    [allow("*:Zzz*", "*")],
    "unknown_action: @role example:zzzNewAction arn:aws:example:us-east-1:111122223333:example",
  ],
  [
    "... whose usual name is denied",
    [allow("s3:Zzz*", "*"), deny("s3:*NewAction", "*")],
    "unknown_action: @role s3:zzzOtherAction arn:aws:s3:us-east-1:111122223333:example",
  ],
  [
    "... and so is the next",
    [allow("s3:Zzz*", "*"), deny(["s3:*NewAction", "s3:*OtherAction"], "*")],
    "unknown_action: @role s3:zzzx1 arn:aws:s3:us-east-1:111122223333:example",
  ],
  [
    "an action on buckets, on objects of one",
    [allow("s3:ListBucket", "arn:aws:s3:::b/*")],
    "unfitting: @role s3:ListBucket arn:aws:s3:::b/example",
  ],
  [
    "... on buckets by a pattern",
    [allow("s3:ListBucket", "arn:aws:s3:::b*")],
    "@role s3:ListBucket arn:aws:s3:::bexample",
  ],
  [
    "the next action where the first is denied",
    [allow("s3:GetObject*", "arn:aws:s3:::b/*"), deny("s3:GetObject", "*")],
    "@role s3:GetObjectAcl arn:aws:s3:::b/example",
  ],
  [
    "all actions of another service than the resource's",
    [allow("ec2:*", "arn:aws:s3:::b")],
    "unfitting: @role ec2:AcceptAddressTransfer arn:aws:s3:::b",
  ],
  [
    "actions of any service, on a resource of one",
    [allow("*:Get*", "arn:aws:dynamodb:us-east-1:111122223333:table/t")],
    "@role dynamodb:GetItem arn:aws:dynamodb:us-east-1:111122223333:table/t",
  ],
];

const resources: readonly Row[] = [
  [
    "a field of an ARN has the value that a reader expects",
    [allow("sqs:SendMessage", "arn:aws:sqs:*:*:q*")],
    "@role sqs:SendMessage arn:aws:sqs:us-east-1:111122223333:qexample",
  ],
  [
    "all but some",
    [{ Effect: "Allow", Action: "s3:GetObject", NotResource: "arn:aws:s3:::example/*" }],
    "@role s3:GetObject arn:aws:s3:::other/other",
  ],
  [
    "all but those with the usual words",
    [
      {
        Effect: "Allow",
        Action: "s3:GetObject",
        NotResource: ["arn:aws:s3:::example/example", "arn:aws:s3:::other/*"],
      },
    ],
    "@role s3:GetObject arn:aws:s3:::x1/x1",
  ],
  [
    "all but two that the baseline has",
    [allow("s3:GetObject", "arn:aws:s3:::b/*")],
    "@role s3:GetObject arn:aws:s3:::b/x1",
    [allow("s3:GetObject", ["arn:aws:s3:::b/example", "arn:aws:s3:::b/other"])],
  ],
];

const keys: readonly Row[] = [
  [
    "a text",
    when({ StringEquals: { "aws:PrincipalTag/team": "x" } }),
    "@role s3:GetObject arn:aws:s3:::b/k, aws:PrincipalTag/team=x",
  ],
  [
    "a text by a pattern",
    when({ StringLike: { "aws:PrincipalTag/team": "x*" } }),
    "@role s3:GetObject arn:aws:s3:::b/k, aws:PrincipalTag/team=xexample",
  ],
  [
    "any other text, or none",
    when({ StringNotEquals: { "aws:PrincipalTag/team": "example" } }),
    "@role s3:GetObject arn:aws:s3:::b/k",
  ],
  [
    "any other text",
    when({
      StringNotEquals: { "aws:PrincipalTag/team": "example" },
      Null: { "aws:PrincipalTag/team": "false" },
    }),
    "@role s3:GetObject arn:aws:s3:::b/k, aws:PrincipalTag/team=other",
  ],
  [
    "a text, or none",
    when({ StringEqualsIfExists: { "aws:PrincipalTag/team": "x" } }),
    "@role s3:GetObject arn:aws:s3:::b/k",
  ],
  [
    "a truth",
    when({ Bool: { "aws:SecureTransport": "false" } }),
    "@role s3:GetObject arn:aws:s3:::b/k, aws:SecureTransport=false",
  ],
  [
    "... that is usual",
    when({ Bool: { "aws:SecureTransport": "true" } }),
    "@role s3:GetObject arn:aws:s3:::b/k, aws:SecureTransport=true",
  ],
  [
    "another Region",
    when({ StringNotEquals: { "aws:RequestedRegion": "us-east-1" } }),
    "@role s3:GetObject arn:aws:s3:::b/k, aws:RequestedRegion=eu-west-1",
  ],
  [
    "a number",
    when({ NumericLessThan: { "s3:max-keys": "5" } }),
    "@role s3:GetObject arn:aws:s3:::b/k, s3:max-keys=1",
  ],
  [
    "a greater number",
    when({ NumericGreaterThan: { "s3:max-keys": "100" } }),
    "@role s3:GetObject arn:aws:s3:::b/k, s3:max-keys=101",
  ],
  [
    "an instant",
    when({ DateLessThan: { "aws:CurrentTime": "2020-01-01" } }),
    "@role s3:GetObject arn:aws:s3:::b/k, aws:CurrentTime=2019-12-31T23:00:00Z",
  ],
  [
    "one clock under two names",
    when({ DateGreaterThan: { "aws:EpochTime": "2031-01-01", "aws:CurrentTime": "2030-06-01" } }),
    "@role s3:GetObject arn:aws:s3:::b/k, aws:CurrentTime=2031-01-01T01:00:00Z, aws:EpochTime=1924995600",
  ],
  [
    "an address",
    when({ IpAddress: { "aws:SourceIp": "10.0.0.0/8" } }),
    "@role s3:GetObject arn:aws:s3:::b/k, aws:SourceIp=10.0.0.0",
  ],
  [
    "an address outside of all of IPv4",
    when({ NotIpAddress: { "aws:SourceIp": "0.0.0.0/0" }, Null: { "aws:SourceIp": "false" } }),
    "@role s3:GetObject arn:aws:s3:::b/k, aws:SourceIp=2001:db8::10",
  ],
  [
    "one of several values",
    when({ "ForAnyValue:StringEquals": { "aws:CalledVia": ["athena.amazonaws.com"] } }),
    "@role s3:GetObject arn:aws:s3:::b/k, aws:CalledVia=athena.amazonaws.com",
  ],
  [
    "two values at once",
    [
      allow("s3:GetObject", "*", {
        "ForAnyValue:StringEquals": { "aws:CalledVia": "a" },
        "ForAnyValue:StringLike": { "aws:CalledVia": "b*" },
      }),
    ],
    "@role s3:GetObject arn:aws:s3:::example/example, aws:CalledVia=a+bexample",
  ],
  [
    "one value that keeps to what all have to be",
    when({
      "ForAnyValue:StringLike": { "aws:CalledVia": "a*" },
      "ForAllValues:StringLike": { "aws:CalledVia": "*b" },
    }),
    "@role s3:GetObject arn:aws:s3:::b/k, aws:CalledVia=aexampleb",
  ],
  [
    "one value where an operator for sets is missing",
    when({ StringEquals: { "aws:CalledVia": "a" } }),
    "@role s3:GetObject arn:aws:s3:::b/k, aws:CalledVia=a",
  ],
  [
    "a second value beyond what all have to be",
    when({ "ForAnyValue:StringEquals": { "aws:CalledVia": "a" } }),
    "@role s3:GetObject arn:aws:s3:::b/k, aws:CalledVia=a+example",
    when({ "ForAllValues:StringEquals": { "aws:CalledVia": "a" } }),
  ],
  [
    "two values where an operator for sets is missing",
    when({
      StringLike: { "aws:CalledVia": "a*" },
      "ForAnyValue:StringLike": { "aws:CalledVia": "*b" },
      "ForAnyValue:StringEquals": { "aws:CalledVia": "ac" },
    }),
    "undecided: set_operator_missing",
  ],
  [
    "one of several numbers",
    when({ "ForAnyValue:NumericEquals": { "x:n": ["1", "2"] } }),
    "@role s3:GetObject arn:aws:s3:::b/k, x:n=1",
  ],
  [
    "two numbers at once",
    when({
      "ForAnyValue:NumericEquals": { "x:n": "7" },
      "ForAnyValue:NumericLessThan": { "x:n": "3" },
    }),
    "@role s3:GetObject arn:aws:s3:::b/k, x:n=7+1",
  ],
  [
    "an address of the internet in a network of AWS",
    when({
      StringEquals: { "aws:SourceVpc": "vpc-1" },
      IpAddress: { "aws:SourceIp": "10.0.0.0/8" },
    }),
    "holds",
  ],
  [
    "the age of a second factor",
    when({ NumericLessThan: { "aws:MultiFactorAuthAge": "300" } }),
    "@role s3:GetObject arn:aws:s3:::b/k, aws:MultiFactorAuthAge=1",
  ],
  [
    "... without one",
    when({
      NumericLessThan: { "aws:MultiFactorAuthAge": "300" },
      Bool: { "aws:MultiFactorAuthPresent": "false" },
    }),
    "holds",
  ],
  [
    "... with one",
    when({
      NumericLessThan: { "aws:MultiFactorAuthAge": "300" },
      Bool: { "aws:MultiFactorAuthPresent": "true" },
    }),
    "@role s3:GetObject arn:aws:s3:::b/k, aws:MultiFactorAuthAge=1, aws:MultiFactorAuthPresent=true",
  ],
  [
    "the id and the path of an organisation",
    when({
      StringEquals: { "aws:PrincipalOrgID": "o-a" },
      "ForAnyValue:StringLike": { "aws:PrincipalOrgPaths": "o-*/r-b/*" },
    }),
    "@role s3:GetObject arn:aws:s3:::b/k, aws:PrincipalOrgID=o-a, aws:PrincipalOrgPaths=o-a/r-b/example",
  ],
  [
    "the path of an organisation",
    when({ "ForAnyValue:StringLike": { "aws:PrincipalOrgPaths": "o-a/*" } }),
    "@role s3:GetObject arn:aws:s3:::b/k, aws:PrincipalOrgPaths=o-a/example",
  ],
  [
    "an id by a pattern",
    when({ StringLike: { "aws:userid": "AROA*:x" } }),
    "@role s3:GetObject arn:aws:s3:::b/k, aws:userid=AROAAIDAEXAMPLE:x",
  ],
  [
    "an ARN by a pattern",
    when({ ArnLike: { "aws:SourceArn": "arn:aws:sns:*:*:topic" } }),
    "@role s3:GetObject arn:aws:s3:::b/k, aws:SourceArn=arn:aws:sns:us-east-1:111122223333:topic",
  ],
  [
    "the time of a session",
    when({ DateLessThan: { "aws:TokenIssueTime": "2030-01-01" } }),
    "@role s3:GetObject arn:aws:s3:::b/k, aws:TokenIssueTime=2026-01-01T00:00:00Z",
  ],
  [
    "no session, so a user",
    when({ Null: { "aws:TokenIssueTime": "true" } }),
    "111122223333:user/alice s3:GetObject arn:aws:s3:::b/k",
  ],
  [
    "a text in letters of both cases",
    [
      allow("s3:GetObject", "*", {
        StringEqualsIgnoreCase: { "aws:PrincipalTag/team": "RED" },
        StringNotEquals: { "aws:PrincipalTag/team": ["RED", "red"] },
      }),
    ],
    "@role s3:GetObject arn:aws:s3:::example/example, aws:PrincipalTag/team=Red",
  ],
  [
    "a baseline that cannot be read",
    [allow("s3:GetObject", "*")],
    "undecided: unknown_operator",
    [allow("s3:GetObject", "*", { StringFuzzy: { "s3:prefix": "x" } })],
  ],
  [
    "a Deny that cannot be read",
    [allow("s3:GetObject", "*"), deny("*", "*", { StringFuzzy: { "s3:prefix": "x" } })],
    "undecided: unknown_operator",
  ],
];

const tags: readonly Row[] = [
  [
    "a tag of a request",
    when({ StringEquals: { "aws:RequestTag/Env": "prod" } }),
    "@role s3:GetObject arn:aws:s3:::b/k, aws:RequestTag/Env=prod",
  ],
  [
    "the key of a tag",
    when({ "ForAnyValue:StringEquals": { "aws:TagKeys": ["Env"] } }),
    "@role s3:GetObject arn:aws:s3:::b/k, aws:TagKeys=Env",
  ],
  [
    "no tag, since all of none have the key",
    when({ "ForAllValues:StringEquals": { "aws:TagKeys": ["Env"] } }),
    "@role s3:GetObject arn:aws:s3:::b/k",
  ],
  [
    "a tag with its key, letter case aside",
    when({
      "ForAllValues:StringEquals": { "aws:TagKeys": ["env", "team"] },
      StringEquals: { "aws:RequestTag/Env": "prod" },
    }),
    "@role s3:GetObject arn:aws:s3:::b/k, aws:RequestTag/Env=prod, aws:TagKeys=env",
  ],
  [
    "the key of a tag without the tag",
    when({
      "ForAnyValue:StringEquals": { "aws:TagKeys": "Env" },
      Null: { "aws:RequestTag/Env": "true" },
    }),
    "holds",
  ],
  [
    "the key of a tag that has another value",
    when({
      "ForAnyValue:StringEquals": { "aws:TagKeys": "Env" },
      StringNotEquals: { "aws:RequestTag/Env": "example" },
    }),
    "@role s3:GetObject arn:aws:s3:::b/k, aws:RequestTag/Env=other, aws:TagKeys=Env",
  ],
  [
    "a tag beyond the keys of the baseline",
    when({ StringEquals: { "aws:RequestTag/team": "x" } }),
    "@role s3:GetObject arn:aws:s3:::b/k, aws:RequestTag/team=x, aws:TagKeys=team",
    when({ "ForAllValues:StringEquals": { "aws:TagKeys": ["env"] } }),
  ],
  [
    "two tags with their keys",
    when({
      StringEquals: { "aws:RequestTag/a": "1", "aws:RequestTag/b": "2" },
      Null: { "aws:TagKeys": "false" },
    }),
    "@role s3:GetObject arn:aws:s3:::b/k, aws:RequestTag/a=1, aws:RequestTag/b=2, aws:TagKeys=a+b",
  ],
  [
    "the key of a tag that may be missing, but is not",
    when({
      "ForAnyValue:StringEquals": { "aws:TagKeys": "Env" },
      StringEqualsIfExists: { "aws:RequestTag/Env": "x" },
    }),
    "@role s3:GetObject arn:aws:s3:::b/k, aws:RequestTag/Env=x, aws:TagKeys=Env",
  ],
  [
    "a tag and the key of another",
    [
      allow("ec2:CreateTags", "*", {
        StringEquals: { "aws:RequestTag/owner": "x" },
        "ForAnyValue:StringEquals": { "aws:TagKeys": ["env"] },
      }),
    ],
    "@role ec2:CreateTags arn:aws:ec2:us-east-1:111122223333:vpc/example, aws:RequestTag/owner=x, aws:TagKeys=env+owner",
  ],
  [
    "the key of a tag beside a Deny of another tag",
    [
      allow("ec2:CreateTags", "*", {
        StringEqualsIfExists: { "aws:RequestTag/env": "x" },
        "ForAnyValue:StringEquals": { "aws:TagKeys": ["Env"] },
      }),
      deny("*", "*", { StringEquals: { "aws:RequestTag/team": "x" } }),
    ],
    "@role ec2:CreateTags arn:aws:ec2:us-east-1:111122223333:vpc/example, aws:RequestTag/env=x, aws:TagKeys=Env",
  ],
  [
    "a tag in the place of a variable",
    [
      allow("ec2:CreateTags", "arn:aws:ec2:*:*:instance/${aws:RequestTag/Env}", {
        "ForAllValues:StringEquals": { "aws:TagKeys": ["Env"] },
      }),
    ],
    "@role ec2:CreateTags arn:aws:ec2:us-east-1:111122223333:instance/example, aws:RequestTag/Env=example, aws:TagKeys=Env",
  ],
  [
    "... whose key is asked for",
    [
      allow("ec2:CreateTags", "arn:aws:ec2:*:*:instance/${aws:RequestTag/Env}", {
        "ForAnyValue:StringEquals": { "aws:TagKeys": ["Env"] },
      }),
    ],
    "@role ec2:CreateTags arn:aws:ec2:us-east-1:111122223333:instance/example, aws:RequestTag/Env=example, aws:TagKeys=Env",
  ],
  [
    "a tag whose key is denied in small letters",
    [
      allow("ec2:CreateTags", "*", { Null: { "aws:RequestTag/a": "false" } }),
      deny("*", "*", { "ForAnyValue:StringLike": { "aws:TagKeys": "a" } }),
    ],
    "@role ec2:CreateTags arn:aws:ec2:us-east-1:111122223333:vpc/example, aws:RequestTag/a=example, aws:TagKeys=A",
  ],
  [
    "a key that the baseline does not have",
    [allow("ec2:CreateTags", "*")],
    "@role ec2:CreateTags arn:aws:ec2:us-east-1:111122223333:vpc/example, aws:TagKeys=example",
    [allow("ec2:CreateTags", "*", { "ForAllValues:StringEquals": { "aws:TagKeys": ["a", "b"] } })],
  ],
  [
    "two tags where an operator for sets is missing",
    [
      allow("ec2:CreateTags", "*", {
        Null: { "aws:RequestTag/a": "false", "aws:RequestTag/b": "false" },
        StringEquals: { "aws:TagKeys": "a" },
      }),
    ],
    "undecided: set_operator_missing",
  ],
  [
    "a tag with the name of the user, and its key",
    [
      allow("ec2:CreateTags", "*", {
        StringEquals: { "aws:RequestTag/owner": "${aws:username}" },
        "ForAllValues:StringEquals": { "aws:TagKeys": ["owner", "env"] },
      }),
    ],
    "111122223333:user/alice ec2:CreateTags arn:aws:ec2:us-east-1:111122223333:vpc/example, aws:RequestTag/owner=alice, aws:TagKeys=owner, aws:username=alice",
  ],
  [
    "the name of the user as key of a tag",
    [
      allow("ec2:CreateTags", "*", {
        "ForAnyValue:StringEquals": { "aws:TagKeys": "${aws:username}" },
      }),
    ],
    "111122223333:user/alice ec2:CreateTags arn:aws:ec2:us-east-1:111122223333:vpc/example, aws:TagKeys=alice, aws:username=alice",
  ],
  [
    "a tag of the caller as key of a tag",
    [
      allow("ec2:CreateTags", "*", {
        "ForAnyValue:StringEquals": { "aws:TagKeys": "${aws:PrincipalTag/x}" },
      }),
    ],
    "@role ec2:CreateTags arn:aws:ec2:us-east-1:111122223333:vpc/example, aws:PrincipalTag/x=example, aws:TagKeys=example",
  ],
  [
    "the key of a tag that a later statement tests",
    [
      allow("ec2:CreateTags", "*", { "ForAnyValue:StringEquals": { "aws:TagKeys": "Env" } }),
      allow("s3:GetObject", "*", { StringEquals: { "aws:RequestTag/Env": "x" } }),
    ],
    "@role ec2:CreateTags arn:aws:ec2:us-east-1:111122223333:vpc/example, aws:RequestTag/Env=example, aws:TagKeys=Env",
  ],
  [
    "a tag where a statement about other actions tests the keys",
    [allow("ec2:CreateTags", "*", { StringEquals: { "aws:RequestTag/Env": "x" } })],
    "@role ec2:CreateTags arn:aws:ec2:us-east-1:111122223333:vpc/example, aws:RequestTag/Env=x, aws:TagKeys=env",
    [allow("sqs:*", "*", { "ForAnyValue:StringEquals": { "aws:TagKeys": "a" } })],
  ],
  [
    "... and an action without tags",
    [allow("s3:GetObject", "arn:aws:s3:::b/k")],
    "@role s3:GetObject arn:aws:s3:::b/k",
    [allow("sqs:*", "*", { "ForAnyValue:StringEquals": { "aws:TagKeys": "a" } })],
  ],
  [
    "three tags, two of which have keys by a pattern",
    when({
      "ForAnyValue:StringLike": { "aws:TagKeys": "a*" },
      "ForAllValues:StringLike": { "aws:TagKeys": ["a*", "b*"] },
      StringEquals: { "aws:RequestTag/b1": "x" },
    }),
    "@role s3:GetObject arn:aws:s3:::b/k, aws:RequestTag/b1=x, aws:TagKeys=aexample+b1",
  ],
];

const variables: readonly Row[] = [
  [
    "the name of a user",
    [allow("s3:GetObject", "arn:aws:s3:::b/home/${aws:username}/*")],
    "111122223333:user/alice s3:GetObject arn:aws:s3:::b/home/alice/example, aws:username=alice",
  ],
  [
    "... that is not the usual one",
    [
      allow("s3:GetObject", "arn:aws:s3:::b/home/${aws:username}/*"),
      deny("s3:*", "arn:aws:s3:::b/home/alice/*"),
    ],
    "444455556666:user/example s3:GetObject arn:aws:s3:::b/home/example/example, aws:username=example",
  ],
  [
    "... that a condition gives",
    [
      allow("s3:GetObject", "arn:aws:s3:::b/home/${aws:username}/*", {
        StringEquals: { "aws:username": "carol" },
      }),
    ],
    "111122223333:user/carol s3:GetObject arn:aws:s3:::b/home/carol/example, aws:username=carol",
  ],
  [
    "... whose ARN a condition gives",
    [
      allow("s3:GetObject", "arn:aws:s3:::b/home/${aws:username}/*", {
        ArnLike: { "aws:PrincipalArn": "arn:aws:iam::444455556666:user/staff/*" },
      }),
    ],
    "444455556666:user/staff/example s3:GetObject arn:aws:s3:::b/home/example/example, aws:PrincipalArn=arn:aws:iam::444455556666:user/staff/example, aws:username=example",
  ],
  [
    "the account of the caller",
    [allow("s3:GetObject", "arn:aws:s3:::b-${aws:PrincipalAccount}/*")],
    "@role s3:GetObject arn:aws:s3:::b-111122223333/example, aws:PrincipalAccount=111122223333",
  ],
  [
    "... that a condition gives",
    [
      allow("s3:GetObject", "arn:aws:s3:::b-${aws:PrincipalAccount}/*", {
        StringEquals: { "aws:PrincipalAccount": "444455556666" },
      }),
    ],
    "444455556666:role/example-role (example-session) s3:GetObject arn:aws:s3:::b-444455556666/example, aws:PrincipalAccount=444455556666",
  ],
  [
    "... in the field of an ARN",
    [allow("sqs:SendMessage", "arn:aws:sqs:us-east-1:${aws:PrincipalAccount}:q")],
    "@role sqs:SendMessage arn:aws:sqs:us-east-1:111122223333:q, aws:PrincipalAccount=111122223333",
  ],
  [
    "a tag of the caller",
    [allow("s3:GetObject", "arn:aws:s3:::b/${aws:PrincipalTag/team}/*")],
    "@role s3:GetObject arn:aws:s3:::b/example/example, aws:PrincipalTag/team=example",
  ],
  [
    "... with one of two values",
    [
      allow("s3:GetObject", "arn:aws:s3:::b/${aws:PrincipalTag/team}/*", {
        StringEquals: { "aws:PrincipalTag/team": ["red", "blue"] },
      }),
    ],
    "@role s3:GetObject arn:aws:s3:::b/red/example, aws:PrincipalTag/team=red",
  ],
  [
    "... with a value by a pattern",
    [
      allow("s3:GetObject", "arn:aws:s3:::b/${aws:PrincipalTag/team}/*", {
        StringLike: { "aws:PrincipalTag/team": "t-*" },
      }),
    ],
    "@role s3:GetObject arn:aws:s3:::b/t-example/example, aws:PrincipalTag/team=t-example",
  ],
  [
    "two tags that are equal",
    when({ StringEquals: { "aws:PrincipalTag/a": "${aws:PrincipalTag/b}" } }),
    "@role s3:GetObject arn:aws:s3:::b/k, aws:PrincipalTag/a=example, aws:PrincipalTag/b=example",
  ],
  [
    "a tag that is equal to itself",
    when({ StringEquals: { "aws:PrincipalTag/a": "${aws:PrincipalTag/a}" } }),
    "@role s3:GetObject arn:aws:s3:::b/k, aws:PrincipalTag/a=example",
  ],
  [
    "two tags that differ",
    when({
      StringNotEquals: { "aws:PrincipalTag/a": "${aws:PrincipalTag/b}" },
      Null: { "aws:PrincipalTag/a": "false", "aws:PrincipalTag/b": "false" },
    }),
    "444455556666:role/example-role (example-session) s3:GetObject arn:aws:s3:::b/k, aws:PrincipalTag/a=example, aws:PrincipalTag/b=other",
  ],
  [
    "a tag of the resource that is the caller's",
    [
      allow("ec2:StartInstances", "*", {
        StringEquals: { "ec2:ResourceTag/owner": "${aws:PrincipalTag/owner}" },
      }),
    ],
    "@role ec2:StartInstances arn:aws:ec2:us-east-1:111122223333:instance/example, aws:PrincipalTag/owner=example, ec2:ResourceTag/owner=example",
  ],
  [
    "the name of a user, letter case aside",
    [
      allow("s3:ListBucket", "arn:aws:s3:::b", {
        StringEqualsIgnoreCase: { "s3:prefix": "${aws:username}" },
      }),
    ],
    "111122223333:user/alice s3:ListBucket arn:aws:s3:::b, aws:username=alice, s3:prefix=alice",
  ],
  [
    "... in other letters",
    [
      allow("s3:ListBucket", "arn:aws:s3:::b", {
        StringEqualsIgnoreCase: { "s3:prefix": "${aws:username}" },
      }),
    ],
    "111122223333:user/alice s3:ListBucket arn:aws:s3:::b, aws:username=alice, s3:prefix=ALICE",
    [
      allow("s3:ListBucket", "arn:aws:s3:::b", {
        StringEquals: { "s3:prefix": "${aws:username}" },
      }),
    ],
  ],
  [
    "... after other letters",
    [
      allow("s3:ListBucket", "arn:aws:s3:::b", {
        StringEqualsIgnoreCase: { "s3:prefix": "x-${aws:username}" },
      }),
    ],
    "111122223333:user/alice s3:ListBucket arn:aws:s3:::b, aws:username=alice, s3:prefix=x-ALICE",
    [
      allow("s3:ListBucket", "arn:aws:s3:::b", {
        StringEquals: { "s3:prefix": "x-${aws:username}" },
      }),
    ],
  ],
  [
    "a tag that has a default",
    [allow("s3:GetObject", "arn:aws:s3:::b/${aws:PrincipalTag/team, 'none'}/*")],
    "@role s3:GetObject arn:aws:s3:::b/example/example, aws:PrincipalTag/team=example",
  ],
  [
    "... which the baseline lacks",
    [allow("s3:GetObject", "arn:aws:s3:::b/${aws:PrincipalTag/team, 'none'}/*")],
    "@role s3:GetObject arn:aws:s3:::b/none/example",
    [allow("s3:GetObject", "arn:aws:s3:::b/${aws:PrincipalTag/team}/*")],
  ],
  [
    "... which is denied, as the tag is",
    [
      allow("s3:GetObject", "arn:aws:s3:::b/${aws:PrincipalTag/a, 'x'}/*"),
      deny("*", "arn:aws:s3:::b/x/*"),
      deny("*", "*", { Null: { "aws:PrincipalTag/a": "false" } }),
    ],
    "holds",
  ],
  [
    "... which is denied",
    [
      allow("s3:GetObject", "arn:aws:s3:::b/${aws:PrincipalTag/a, 'x'}/*"),
      deny("*", "arn:aws:s3:::b/x/*"),
    ],
    "@role s3:GetObject arn:aws:s3:::b/example/example, aws:PrincipalTag/a=example",
  ],
  [
    "the organisation of the resource",
    when({ StringEquals: { "aws:PrincipalOrgID": "${aws:ResourceOrgID}" } }),
    "@role s3:GetObject arn:aws:s3:::b/k, aws:PrincipalOrgID=example, aws:ResourceOrgID=example",
  ],
  [
    "another organisation than the resource's",
    when({
      StringNotEquals: { "aws:PrincipalOrgID": "${aws:ResourceOrgID}" },
      Null: { "aws:PrincipalOrgID": "false", "aws:ResourceOrgID": "false" },
    }),
    "@role s3:GetObject arn:aws:s3:::b/k, aws:PrincipalOrgID=o-example, aws:ResourceOrgID=example",
  ],
  [
    "the Region of the call",
    [allow("sqs:SendMessage", "arn:aws:sqs:${aws:RequestedRegion}:*:q")],
    "@role sqs:SendMessage arn:aws:sqs:us-east-1:111122223333:q, aws:RequestedRegion=us-east-1",
  ],
  [
    "the id of the caller",
    [allow("s3:GetObject", "arn:aws:s3:::b/${aws:userid}/*")],
    "@role s3:GetObject arn:aws:s3:::b/AIDAEXAMPLE/example, aws:userid=AIDAEXAMPLE",
  ],
  [
    "two tags",
    [allow("s3:GetObject", "arn:aws:s3:::b/${aws:PrincipalTag/a}/${aws:PrincipalTag/b}")],
    "@role s3:GetObject arn:aws:s3:::b/example/example, aws:PrincipalTag/a=example, aws:PrincipalTag/b=example",
  ],
  [
    "two tags that differ by a Deny",
    [
      allow("s3:GetObject", "arn:aws:s3:::b/${aws:PrincipalTag/a}/${aws:PrincipalTag/b}"),
      deny("*", "*", { StringEquals: { "aws:PrincipalTag/a": "${aws:PrincipalTag/b}" } }),
    ],
    "444455556666:role/example-role (example-session) s3:GetObject arn:aws:s3:::b/x1/other, aws:PrincipalTag/a=x1, aws:PrincipalTag/b=other",
  ],
  [
    "a name that is not the baseline's",
    [allow("s3:GetObject", "arn:aws:s3:::b/${aws:username}/*")],
    "444455556666:user/example s3:GetObject arn:aws:s3:::b/example/example, aws:username=example",
    [allow("s3:GetObject", "arn:aws:s3:::b/alice/*")],
  ],
  [
    "another tag than the baseline's",
    [allow("s3:GetObject", "arn:aws:s3:::b/${aws:PrincipalTag/b}/*")],
    "@role s3:GetObject arn:aws:s3:::b/example/example, aws:PrincipalTag/b=example",
    [allow("s3:GetObject", "arn:aws:s3:::b/${aws:PrincipalTag/a}/*")],
  ],
  [
    "a fixed name that may be another user's",
    [allow("s3:GetObject", "arn:aws:s3:::b/alice/*")],
    "@role s3:GetObject arn:aws:s3:::b/alice/example",
    [allow("s3:GetObject", "arn:aws:s3:::b/${aws:username}/*")],
  ],
  [
    "more than the name of the user",
    [allow("s3:GetObject", "arn:aws:s3:::b/*")],
    "@role s3:GetObject arn:aws:s3:::b/example",
    [allow("s3:GetObject", "arn:aws:s3:::b/${aws:username}/*")],
  ],
  [
    "a tag of the request with the name of the user",
    [allow("ec2:CreateTags", "*", { StringEquals: { "aws:RequestTag/owner": "${aws:username}" } })],
    "111122223333:user/alice ec2:CreateTags arn:aws:ec2:us-east-1:111122223333:vpc/example, aws:RequestTag/owner=alice, aws:username=alice",
  ],
  [
    "one of several values",
    [
      allow("ec2:CreateTags", "*", {
        "ForAnyValue:StringEquals": { "aws:CalledVia": "${aws:PrincipalTag/via}" },
      }),
    ],
    "@role ec2:CreateTags arn:aws:ec2:us-east-1:111122223333:vpc/example, aws:CalledVia=example, aws:PrincipalTag/via=example",
  ],
  [
    "a claim",
    [allow("s3:GetObject", "arn:aws:s3:::b/${saml:sub}/*")],
    "@role s3:GetObject arn:aws:s3:::b/example/example, saml:sub=example",
  ],
  [
    "no number",
    when({ NumericEquals: { "s3:max-keys": "${aws:PrincipalTag/n}" } }),
    "undecided: invalid_value",
  ],
  [
    "two tags with the name of the user",
    [
      allow("s3:GetObject", "*", {
        StringEquals: {
          "aws:PrincipalTag/a": "${aws:username}",
          "aws:PrincipalTag/b": "${aws:username}",
        },
      }),
    ],
    "111122223333:user/alice s3:GetObject arn:aws:s3:::example/example, aws:PrincipalTag/a=alice, aws:PrincipalTag/b=alice, aws:username=alice",
  ],
  [
    "a tag that is equal to a tag that is equal to another",
    [
      allow("s3:GetObject", "*", {
        StringEquals: {
          "aws:PrincipalTag/a": "${aws:PrincipalTag/b}",
          "aws:PrincipalTag/b": "${aws:PrincipalTag/c}",
          "aws:PrincipalTag/c": "x",
        },
      }),
    ],
    "@role s3:GetObject arn:aws:s3:::example/example, aws:PrincipalTag/a=x, aws:PrincipalTag/b=x, aws:PrincipalTag/c=x",
  ],
  [
    "... and would have to differ from it",
    [
      allow("s3:GetObject", "*", {
        StringEquals: {
          "aws:PrincipalTag/a": "${aws:PrincipalTag/b}",
          "aws:PrincipalTag/b": "x",
          "s3:prefix": "${aws:PrincipalTag/a}",
        },
        StringNotEquals: { "s3:prefix": "x" },
        Null: { "s3:prefix": "false" },
      }),
    ],
    "holds",
  ],
  [
    "one of two patterns",
    [
      allow("s3:ListBucket", "arn:aws:s3:::b", {
        StringLike: { "s3:prefix": ["${aws:username}/*", "home/${aws:username}"] },
      }),
    ],
    "111122223333:user/alice s3:ListBucket arn:aws:s3:::b, aws:username=alice, s3:prefix=alice/example",
  ],
  [
    "a word that no Deny has",
    [
      allow("s3:GetObject", "arn:aws:s3:::b/${aws:PrincipalTag/a}/*"),
      deny("*", ["arn:aws:s3:::b/example/*", "arn:aws:s3:::b/other/*"]),
    ],
    "777788889999:role/example-role (example-session) s3:GetObject arn:aws:s3:::b/sample-2/example, aws:PrincipalTag/a=sample-2",
  ],
  [
    "an account that no Deny has",
    [
      allow("sqs:SendMessage", "arn:aws:sqs:us-east-1:${aws:PrincipalAccount}:q"),
      deny("*", "arn:aws:sqs:*:111122223333:*"),
    ],
    "444455556666:role/example-role (example-session) sqs:SendMessage arn:aws:sqs:us-east-1:444455556666:q, aws:PrincipalAccount=444455556666",
  ],
  [
    "... of two Denies",
    [
      allow("sqs:SendMessage", "arn:aws:sqs:us-east-1:${aws:PrincipalAccount}:q"),
      deny("*", ["arn:aws:sqs:*:111122223333:*", "arn:aws:sqs:*:444455556666:*"]),
    ],
    "777788889999:role/example-role (example-session) sqs:SendMessage arn:aws:sqs:us-east-1:777788889999:q, aws:PrincipalAccount=777788889999",
  ],
  [
    "a Region that no Deny has",
    [
      allow("sqs:SendMessage", "arn:aws:sqs:${aws:RequestedRegion}:111122223333:q"),
      deny("*", "arn:aws:sqs:us-east-1:*:*"),
    ],
    "444455556666:role/example-role (example-session) sqs:SendMessage arn:aws:sqs:eu-west-1:111122223333:q, aws:RequestedRegion=eu-west-1",
  ],
  [
    "an id that no Deny has",
    [allow("s3:GetObject", "arn:aws:s3:::b/${aws:userid}"), deny("*", "arn:aws:s3:::b/AIDA*")],
    "444455556666:role/example-role (example-session) s3:GetObject arn:aws:s3:::b/example, aws:userid=example",
  ],
  [
    "four keys with a default",
    [allow("s3:GetObject", "arn:aws:s3:::${s3:a, 'a'}/${s3:b, 'b'}/${s3:c, 'c'}/${s3:d, 'd'}")],
    "@role s3:GetObject arn:aws:s3:::example/example/example/example, s3:a=example, s3:b=example, s3:c=example, s3:d=example",
  ],
  [
    "... are too many to prove anything",
    [allow("s3:GetObject", "arn:aws:s3:::${s3:a, 'a'}/${s3:b, 'b'}/${s3:c, 'c'}/${s3:d, 'd'}")],
    "undecided: policy_variable",
    [allow("s3:*", "*")],
  ],
  [
    "the name of a user, for whom a session is free",
    [
      allow("s3:GetObject", "*", {
        StringEquals: { "aws:PrincipalTag/a": "${aws:username}" },
        Null: { "aws:TokenIssueTime": "false" },
      }),
    ],
    "111122223333:user/alice s3:GetObject arn:aws:s3:::example/example, aws:PrincipalTag/a=alice, aws:TokenIssueTime=2030-01-01T00:00:00Z, aws:username=alice",
  ],
  [
    "no name, so none that is excluded",
    [
      allow("s3:GetObject", "*", {
        StringNotLike: { "aws:PrincipalTag/team": "*${aws:username}*" },
      }),
    ],
    "@role s3:GetObject arn:aws:s3:::example/example",
  ],
  [
    "a tag with the name of the role",
    [
      allow("s3:GetObject", "*", {
        ArnLike: { "aws:PrincipalArn": "arn:aws:iam::*:role/${aws:PrincipalTag/team}" },
      }),
    ],
    "111122223333:role/example (example-session) s3:GetObject arn:aws:s3:::example/example, aws:PrincipalArn=arn:aws:iam::111122223333:role/example, aws:PrincipalTag/team=example",
  ],
  [
    "... that a condition gives",
    [
      allow("s3:GetObject", "*", {
        ArnLike: { "aws:PrincipalArn": "arn:aws:iam::*:role/${aws:PrincipalTag/team}" },
        StringEquals: { "aws:PrincipalTag/team": "red" },
      }),
    ],
    "111122223333:role/red (example-session) s3:GetObject arn:aws:s3:::example/example, aws:PrincipalArn=arn:aws:iam::111122223333:role/red, aws:PrincipalTag/team=red",
  ],
  [
    "... in an account that a condition gives",
    when({
      ArnLike: { "aws:PrincipalArn": "arn:aws:iam::*:role/${aws:PrincipalTag/team}" },
      StringEquals: { "aws:PrincipalAccount": "444455556666" },
    }),
    "444455556666:role/example (example-session) s3:GetObject arn:aws:s3:::b/k, aws:PrincipalAccount=444455556666, aws:PrincipalArn=arn:aws:iam::444455556666:role/example, aws:PrincipalTag/team=example",
  ],
  [
    "one of two values, with which the action works on the resource",
    when(
      { StringEquals: { "aws:PrincipalTag/a": ["bucket", "b/k"] } },
      "arn:aws:s3:::${aws:PrincipalTag/a}",
    ),
    "@role s3:GetObject arn:aws:s3:::b/k, aws:PrincipalTag/a=b/k",
  ],
  [
    "a tag that is settled by what its equal has to be",
    when({
      StringLike: { "aws:PrincipalTag/a": "*", "aws:PrincipalTag/b": "b*" },
      StringEquals: { "aws:PrincipalTag/b": "${aws:PrincipalTag/a}" },
    }),
    "@role s3:GetObject arn:aws:s3:::b/k, aws:PrincipalTag/a=bexample, aws:PrincipalTag/b=bexample",
  ],
  [
    "the name of a user that a tag has to be, which a pattern settles",
    when({
      StringLike: { "aws:PrincipalTag/a": "b*" },
      StringEquals: { "aws:PrincipalTag/a": "${aws:username}" },
    }),
    "111122223333:user/bexample s3:GetObject arn:aws:s3:::b/k, aws:PrincipalTag/a=bexample, aws:username=bexample",
  ],
  [
    "a tag that one key wants and another rules out",
    when({
      StringEquals: {
        "aws:PrincipalTag/a": "${aws:PrincipalTag/b}",
        "aws:PrincipalTag/b": ["x", "y"],
      },
      StringNotEquals: { "aws:PrincipalTag/a": "x" },
    }),
    "@role s3:GetObject arn:aws:s3:::b/k, aws:PrincipalTag/a=y, aws:PrincipalTag/b=y",
  ],
  [
    "no truth, since it would have to be neither",
    when({
      StringEquals: { "aws:PrincipalTag/a": "${aws:SecureTransport}" },
      StringNotEquals: { "aws:PrincipalTag/a": ["true", "false"] },
    }),
    "undecided: policy_variable",
  ],
];

const ARNOfCallerAsAVariable: readonly Row[] = [
  [
    "the ARN of the role",
    when({ StringEquals: { "aws:SourceArn": "${aws:PrincipalArn}" } }),
    "111122223333:role/example (example-session) s3:GetObject arn:aws:s3:::b/k, aws:PrincipalArn=arn:aws:iam::111122223333:role/example, aws:SourceArn=arn:aws:iam::111122223333:role/example",
  ],
  [
    "the ARN of a user",
    when({ StringEquals: { "aws:SourceArn": "${aws:PrincipalArn}", "aws:PrincipalType": "User" } }),
    "111122223333:user/example s3:GetObject arn:aws:s3:::b/k, aws:PrincipalArn=arn:aws:iam::111122223333:user/example, aws:PrincipalType=User, aws:SourceArn=arn:aws:iam::111122223333:user/example",
  ],
  [
    "... that a condition gives by a pattern",
    when({
      StringEquals: { "aws:RequestTag/o": "${aws:PrincipalArn}" },
      ArnLike: { "aws:PrincipalArn": "arn:aws:iam::444455556666:role/x/*" },
    }),
    "444455556666:role/x/example (example-session) s3:GetObject arn:aws:s3:::b/k, aws:PrincipalArn=arn:aws:iam::444455556666:role/x/example, aws:RequestTag/o=arn:aws:iam::444455556666:role/x/example",
  ],
  [
    "any other ARN",
    when({
      StringNotEquals: { "aws:RequestTag/o": "${aws:PrincipalArn}" },
      Null: { "aws:RequestTag/o": "false" },
    }),
    "@role s3:GetObject arn:aws:s3:::b/k, aws:PrincipalArn=arn:aws:iam::111122223333:role/example-role, aws:RequestTag/o=example",
  ],
  [
    "the ARN of the role in a resource",
    [allow("s3:GetObject", "arn:aws:s3:::b/${aws:PrincipalArn}/*")],
    "111122223333:role/example (example-session) s3:GetObject arn:aws:s3:::b/arn:aws:iam::111122223333:role/example/example, aws:PrincipalArn=arn:aws:iam::111122223333:role/example",
  ],
  [
    "... of an account that a condition gives",
    [
      allow("s3:GetObject", "*", {
        StringEquals: {
          "aws:SourceArn": "${aws:PrincipalArn}",
          "aws:PrincipalAccount": "444455556666",
        },
      }),
    ],
    "444455556666:role/example (example-session) s3:GetObject arn:aws:s3:::example/example, aws:PrincipalAccount=444455556666, aws:PrincipalArn=arn:aws:iam::444455556666:role/example, aws:SourceArn=arn:aws:iam::444455556666:role/example",
  ],
  [
    "... that a pattern of the other key gives",
    [
      allow("s3:GetObject", "*", {
        StringEquals: { "aws:SourceArn": "${aws:PrincipalArn}" },
        ArnLike: { "aws:SourceArn": "arn:aws:iam::*:role/fixed" },
      }),
    ],
    "111122223333:role/fixed (example-session) s3:GetObject arn:aws:s3:::example/example, aws:PrincipalArn=arn:aws:iam::111122223333:role/fixed, aws:SourceArn=arn:aws:iam::111122223333:role/fixed",
  ],
  [
    "the ARN of the role beside another variable",
    [
      allow("s3:GetObject", "*", {
        StringEquals: {
          "aws:RequestTag/a": "${aws:PrincipalArn}",
          "aws:RequestTag/b": "${aws:PrincipalTag/x}",
        },
      }),
    ],
    "111122223333:role/example (example-session) s3:GetObject arn:aws:s3:::example/example, aws:PrincipalArn=arn:aws:iam::111122223333:role/example, aws:PrincipalTag/x=example, aws:RequestTag/a=arn:aws:iam::111122223333:role/example, aws:RequestTag/b=example",
  ],
];

const placeholders: readonly Row[] = [
  [
    "the name of a bucket",
    [allow("s3:GetObject", "arn:aws:s3:::${Bucket}/*")],
    "@role s3:GetObject arn:aws:s3:::example/example, ${Bucket}=example",
  ],
  [
    "two placeholders",
    [allow("s3:GetObject", "arn:aws:s3:::${Bucket}/{{path}}/*")],
    "@role s3:GetObject arn:aws:s3:::example/example/example, ${Bucket}=example, {{path}}=example",
  ],
  [
    "another bucket than the baseline's",
    [allow("s3:GetObject", "arn:aws:s3:::${Bucket}/*")],
    "@role s3:GetObject arn:aws:s3:::example/example, ${Bucket}=example",
    [allow("s3:GetObject", "arn:aws:s3:::bucket/*")],
  ],
  [
    "a bucket that the baseline may not have",
    [allow("s3:GetObject", "arn:aws:s3:::bucket/*")],
    "@role s3:GetObject arn:aws:s3:::bucket/example, ${Bucket}=placeholder-text",
    [allow("s3:GetObject", "arn:aws:s3:::${Bucket}/*")],
  ],
  [
    "the value of a key",
    when({ StringEquals: { "aws:PrincipalOrgID": "${Org}" } }),
    "@role s3:GetObject arn:aws:s3:::b/k, aws:PrincipalOrgID=example, ${Org}=example",
  ],
  [
    "what a Deny has",
    [allow("s3:GetObject", "*"), deny("*", "arn:aws:s3:::${Bucket}/*")],
    "@role s3:GetObject arn:aws:s3:::example/example, ${Bucket}=placeholder-text",
  ],
  [
    "... beside a bucket that is not it",
    [allow("s3:GetObject", "arn:aws:s3:::b/*"), deny("*", "arn:aws:s3:::${Bucket}/*")],
    "@role s3:GetObject arn:aws:s3:::b/example, ${Bucket}=placeholder-text",
  ],
  [
    "another placeholder than the baseline's",
    [allow("s3:GetObject", "arn:aws:s3:::${Other}/*")],
    "@role s3:GetObject arn:aws:s3:::example/example, ${Bucket}=placeholder-text, ${Other}=example",
    [allow("s3:GetObject", ["arn:aws:s3:::${Bucket}/*"])],
  ],
  [
    "the account of the caller",
    [allow("s3:GetObject", "*", { StringEquals: { "aws:PrincipalAccount": "${AWS::AccountId}" } })],
    "@role s3:GetObject arn:aws:s3:::example/example, aws:PrincipalAccount=111122223333, ${AWS::AccountId}=111122223333",
  ],
  [
    "a whole ARN",
    [allow("s3:GetObject", "*", { ArnLike: { "aws:SourceArn": "${TopicArn}" } })],
    "@role s3:GetObject arn:aws:s3:::example/example, aws:SourceArn=example, ${TopicArn}=example",
  ],
  [
    "account and name of a role",
    [
      allow("s3:GetObject", "*", {
        ArnLike: { "aws:PrincipalArn": "arn:aws:iam::${AWS::AccountId}:role/${Name}" },
      }),
    ],
    "111122223333:role/example (example-session) s3:GetObject arn:aws:s3:::example/example, aws:PrincipalArn=arn:aws:iam::111122223333:role/example, ${AWS::AccountId}=111122223333, ${Name}=example",
  ],
];

const ownerOf = (digit: string) => digit.repeat(12);

const ownerOfAResource: readonly Row[] = [
  [
    "the account that the resource names",
    [
      allow("sqs:SendMessage", "arn:aws:sqs:us-east-1:444455556666:q", {
        StringEquals: { "aws:PrincipalAccount": "${aws:ResourceAccount}" },
      }),
    ],
    "444455556666:role/example-role (example-session) sqs:SendMessage arn:aws:sqs:us-east-1:444455556666:q, aws:PrincipalAccount=444455556666, aws:ResourceAccount=444455556666",
  ],
  [
    "the caller's, where the resource leaves it open",
    [
      allow("sqs:SendMessage", "arn:aws:sqs:us-east-1:*:q", {
        StringEquals: { "aws:PrincipalAccount": "${aws:ResourceAccount}" },
      }),
    ],
    "@role sqs:SendMessage arn:aws:sqs:us-east-1:111122223333:q, aws:PrincipalAccount=111122223333, aws:ResourceAccount=111122223333",
  ],
  [
    "no owner, so none that is the caller",
    [
      allow("sqs:SendMessage", "arn:aws:sqs:us-east-1:444455556666:q", {
        StringNotEquals: { "aws:PrincipalAccount": "${aws:ResourceAccount}" },
      }),
    ],
    "@role sqs:SendMessage arn:aws:sqs:us-east-1:444455556666:q, aws:PrincipalAccount=111122223333",
  ],
  [
    "the caller's, where the resource has no account",
    [
      allow("s3:GetObject", "arn:aws:s3:::b/*", {
        StringEquals: { "aws:PrincipalAccount": "${aws:ResourceAccount}" },
      }),
    ],
    "@role s3:GetObject arn:aws:s3:::b/example, aws:PrincipalAccount=111122223333, aws:ResourceAccount=111122223333",
  ],
  [
    "the caller's, which a Deny excludes for the first account",
    [
      allow("sqs:SendMessage", "arn:aws:sqs:us-east-1:*:q", {
        StringEquals: { "aws:ResourceAccount": "${aws:PrincipalAccount}" },
      }),
      deny("*", "arn:aws:sqs:*:111122223333:*"),
    ],
    "444455556666:role/example-role (example-session) sqs:SendMessage arn:aws:sqs:us-east-1:444455556666:q, aws:PrincipalAccount=444455556666, aws:ResourceAccount=444455556666",
  ],
  [
    "another account than the caller's",
    [
      allow("sqs:SendMessage", "arn:aws:sqs:us-east-1:*:q", {
        StringNotEquals: { "aws:ResourceAccount": "${aws:PrincipalAccount}" },
        Null: { "aws:ResourceAccount": "false" },
      }),
    ],
    "@role sqs:SendMessage arn:aws:sqs:us-east-1:444455556666:q, aws:PrincipalAccount=111122223333, aws:ResourceAccount=444455556666",
  ],
  [
    "an account that a condition gives",
    [
      allow("sqs:SendMessage", "arn:aws:sqs:us-east-1:*:q", {
        StringEquals: { "aws:ResourceAccount": "444455556666" },
      }),
    ],
    "@role sqs:SendMessage arn:aws:sqs:us-east-1:444455556666:q, aws:ResourceAccount=444455556666",
  ],
  [
    "... which is not the resource's",
    [
      allow("sqs:SendMessage", "arn:aws:sqs:us-east-1:111122223333:q", {
        StringEquals: { "aws:ResourceAccount": "444455556666" },
      }),
    ],
    "holds",
  ],
  [
    "... which is none of the usual ones",
    [
      allow("sqs:SendMessage", "arn:aws:sqs:us-east-1:*:q", {
        StringEquals: { "aws:ResourceAccount": "777788889999" },
      }),
    ],
    "@role sqs:SendMessage arn:aws:sqs:us-east-1:777788889999:q, aws:ResourceAccount=777788889999",
  ],
  [
    "the second of two that a condition gives",
    [
      allow("sqs:SendMessage", "arn:aws:sqs:us-east-1:*:q", {
        StringEquals: { "aws:ResourceAccount": ["777788889999", "123456789012"] },
      }),
      deny("*", "arn:aws:sqs:*:777788889999:*"),
    ],
    "@role sqs:SendMessage arn:aws:sqs:us-east-1:123456789012:q, aws:ResourceAccount=123456789012",
  ],
  [
    "the fifth, where the resources of the first four are denied",
    [
      allow("sqs:SendMessage", "arn:aws:sqs:us-east-1:*:q", {
        StringEquals: { "aws:ResourceAccount": ["1", "2", "3", "4", "5"].map(ownerOf) },
      }),
      deny(
        "*",
        ["1", "2", "3", "4"].map((digit) => `arn:aws:sqs:*:${ownerOf(digit)}:*`),
      ),
    ],
    "@role sqs:SendMessage arn:aws:sqs:us-east-1:555555555555:q, aws:ResourceAccount=555555555555",
  ],
  [
    "the caller's account, which is none of the usual ones",
    [
      allow("sqs:SendMessage", "arn:aws:sqs:us-east-1:123456789012:q", {
        StringEquals: { "aws:PrincipalAccount": "${aws:ResourceAccount}" },
      }),
    ],
    "123456789012:role/example-role (example-session) sqs:SendMessage arn:aws:sqs:us-east-1:123456789012:q, aws:PrincipalAccount=123456789012, aws:ResourceAccount=123456789012",
  ],
  [
    "no owner where the resource's is excluded, and a tag need not be it",
    [
      allow("sqs:SendMessage", q, {
        StringEquals: { "aws:PrincipalTag/a": ["x", "${aws:ResourceAccount}"] },
        StringNotEquals: { "aws:ResourceAccount": "111122223333" },
      }),
    ],
    "@role sqs:SendMessage arn:aws:sqs:us-east-1:111122223333:q, aws:PrincipalTag/a=x",
  ],
  [
    "no owner where the resource's is excluded, although a variable has it",
    [
      allow("s3:GetObject", "arn:aws:s3:::b-${aws:ResourceAccount}/*"),
      allow("sqs:SendMessage", q, { StringNotEquals: { "aws:ResourceAccount": "111122223333" } }),
    ],
    "@role sqs:SendMessage arn:aws:sqs:us-east-1:111122223333:q",
    [allow("s3:*", "arn:aws:s3:::b-*")],
  ],
  [
    "... where there has to be none",
    [
      allow("s3:GetObject", "arn:aws:s3:::b-${aws:ResourceAccount}/*"),
      allow("sqs:SendMessage", q, { Null: { "aws:ResourceAccount": "true" } }),
    ],
    "@role sqs:SendMessage arn:aws:sqs:us-east-1:111122223333:q",
    [allow("s3:*", "arn:aws:s3:::b-*")],
  ],
  [
    "no owner where the resource's is denied",
    [
      allow("sqs:SendMessage", q),
      deny("*", "*", { StringEquals: { "aws:ResourceAccount": "111122223333" } }),
      deny("*", "arn:aws:s3:::b-${aws:ResourceAccount}/*"),
    ],
    "@role sqs:SendMessage arn:aws:sqs:us-east-1:111122223333:q",
  ],
  [
    "... and so is a resource of the owner",
    [
      allow("sqs:SendMessage", "arn:aws:sqs:us-east-1:*:q"),
      deny("*", "*", { StringEquals: { "aws:ResourceAccount": "111122223333" } }),
      deny("*", "arn:aws:sqs:*:${aws:ResourceAccount}:*"),
    ],
    "@role sqs:SendMessage arn:aws:sqs:us-east-1:111122223333:q",
  ],
  [
    "no owner, where a Deny is about the owner's resources",
    [allow("sqs:SendMessage", q), deny("*", "arn:aws:sqs:*:${aws:ResourceAccount}:q")],
    "@role sqs:SendMessage arn:aws:sqs:us-east-1:111122223333:q",
  ],
  [
    "... or the baseline is",
    [allow("sqs:SendMessage", q)],
    "@role sqs:SendMessage arn:aws:sqs:us-east-1:111122223333:q",
    [allow("*", "arn:aws:sqs:*:${aws:ResourceAccount}:q")],
  ],
  [
    "an owner that is none of the usual accounts",
    [
      allow("sqs:SendMessage", "arn:aws:sqs:us-east-1:123456789012:q-${aws:ResourceAccount}", {
        StringEquals: { "aws:PrincipalTag/a": "${aws:ResourceAccount}" },
      }),
    ],
    "@role sqs:SendMessage arn:aws:sqs:us-east-1:123456789012:q-123456789012, aws:PrincipalTag/a=123456789012, aws:ResourceAccount=123456789012",
  ],
  [
    "the owner in a pattern that the resource has to fit",
    [allow("sqs:SendMessage", "arn:aws:sqs:us-east-1:444455556666:q-${aws:ResourceAccount}")],
    "@role sqs:SendMessage arn:aws:sqs:us-east-1:444455556666:q-444455556666, aws:ResourceAccount=444455556666",
  ],
];

const accounts: readonly Row[] = [
  [
    "a resource of another account than the caller's",
    [allow("sqs:SendMessage", "arn:aws:sqs:us-east-1:*:q")],
    "@role sqs:SendMessage arn:aws:sqs:us-east-1:444455556666:q, aws:PrincipalAccount=111122223333",
    [allow("sqs:SendMessage", "arn:aws:sqs:us-east-1:${aws:PrincipalAccount}:q")],
  ],
  [
    "a service of another account",
    [
      grant(
        { Service: "sns.amazonaws.com" },
        { StringNotEquals: { "aws:PrincipalAccount": "111122223333" } },
      ),
    ],
    "Service sns.amazonaws.com s3:GetObject arn:aws:s3:::example/example, aws:PrincipalAccount=444455556666",
    none,
    "resource",
  ],
];

const callers: readonly Row[] = [
  [
    "a role by a pattern",
    when({ ArnLike: { "aws:PrincipalArn": "arn:aws:iam::*:role/team/*" } }),
    "111122223333:role/team/example-role (example-session) s3:GetObject arn:aws:s3:::b/k, aws:PrincipalArn=arn:aws:iam::111122223333:role/team/example-role",
  ],
  [
    "a user by a pattern",
    when({ ArnLike: { "aws:PrincipalArn": "arn:aws:iam::*:user/*" } }),
    "111122223333:user/alice s3:GetObject arn:aws:s3:::b/k, aws:PrincipalArn=arn:aws:iam::111122223333:user/alice",
  ],
  [
    "any role but the usual one",
    when({ ArnNotLike: { "aws:PrincipalArn": "arn:aws:iam::111122223333:role/example-role" } }),
    "111122223333:role/other-role (example-session) s3:GetObject arn:aws:s3:::b/k, aws:PrincipalArn=arn:aws:iam::111122223333:role/other-role",
  ],
  [
    "a user by the type",
    when({ StringEquals: { "aws:PrincipalType": "User" } }),
    "111122223333:user/alice s3:GetObject arn:aws:s3:::b/k, aws:PrincipalType=User",
  ],
  [
    "no root user, who has no identity policy",
    when({ StringEquals: { "aws:PrincipalType": "Account" } }),
    "holds",
  ],
  [
    "an account by a pattern",
    when({ StringLike: { "aws:PrincipalAccount": "9*" } }),
    "911122223333:role/example-role (example-session) s3:GetObject arn:aws:s3:::b/k, aws:PrincipalAccount=911122223333",
  ],
  [
    "the root user",
    [allow("*", "*")],
    "111122223333:root s3:AbortMultipartUpload arn:aws:s3:::example/example, aws:PrincipalArn=arn:aws:iam::111122223333:root",
    [allow("*", "*", { StringNotLike: { "aws:PrincipalArn": "arn:aws:iam::*:root" } })],
    "scp",
  ],
];

const principals: readonly Row[] = [
  ["everyone", [open], "@role s3:GetObject arn:aws:s3:::example/example", none, "resource"],
  [
    "an account",
    [grant({ AWS: "444455556666" })],
    "444455556666:role/example-role (example-session) s3:GetObject arn:aws:s3:::example/example",
    none,
    "resource",
  ],
  [
    "the root user of an account",
    [
      grant(
        { AWS: "arn:aws:iam::444455556666:root" },
        { StringEquals: { "aws:PrincipalType": "Account" } },
      ),
    ],
    "444455556666:root s3:GetObject arn:aws:s3:::example/example, aws:PrincipalType=Account",
    none,
    "resource",
  ],
  [
    "a role",
    [grant({ AWS: "arn:aws:iam::444455556666:role/team/app" })],
    "444455556666:role/team/app (example-session) s3:GetObject arn:aws:s3:::example/example",
    none,
    "resource",
  ],
  [
    "a user",
    [grant({ AWS: "arn:aws:iam::444455556666:user/bob" })],
    "444455556666:user/bob s3:GetObject arn:aws:s3:::example/example",
    none,
    "resource",
  ],
  [
    "a session",
    [grant({ AWS: "arn:aws:sts::444455556666:assumed-role/app/ci" })],
    "444455556666:role/app (ci) s3:GetObject arn:aws:s3:::example/example",
    none,
    "resource",
  ],
  [
    "a session of a role that is listed with its path",
    [
      grant({ AWS: "arn:aws:sts::444455556666:assumed-role/app/ci" }),
      {
        ...deny("*", "*"),
        Principal: { AWS: "arn:aws:iam::444455556666:role/x/app" },
        Condition: { Bool: { "aws:SecureTransport": "false" } },
      },
    ],
    "444455556666:role/x/app (ci) s3:GetObject arn:aws:s3:::example/example, aws:SecureTransport=true",
    [grant({ AWS: "arn:aws:iam::444455556666:role/team/other" })],
    "resource",
  ],
  [
    "a service",
    [grant({ Service: "sns.amazonaws.com" })],
    "Service sns.amazonaws.com s3:GetObject arn:aws:s3:::example/example",
    none,
    "resource",
  ],
  [
    "a service for a source",
    [
      grant(
        { Service: "sns.amazonaws.com" },
        { ArnLike: { "aws:SourceArn": "arn:aws:sns:*:444455556666:*" } },
      ),
    ],
    "Service sns.amazonaws.com s3:GetObject arn:aws:s3:::example/example, aws:SourceArn=arn:aws:sns:us-east-1:444455556666:example",
    none,
    "resource",
  ],
  [
    "another service",
    [grant({ Service: "lambda.amazonaws.com" })],
    "Service lambda.amazonaws.com s3:GetObject arn:aws:s3:::example/example",
    none,
    "resource",
  ],
  [
    "every service, by the key of its name",
    [
      grant(
        { Service: "*" },
        { StringEquals: { "aws:PrincipalServiceName": "ec2.amazonaws.com" } },
      ),
    ],
    "Service ec2.amazonaws.com s3:GetObject arn:aws:s3:::example/example, aws:PrincipalServiceName=ec2.amazonaws.com",
    none,
    "resource",
  ],
  [
    "every service, with its name in the resource",
    [{ ...grant({ Service: "*" }), Resource: "arn:aws:s3:::b/${aws:PrincipalServiceName}" }],
    "Service sns.amazonaws.com s3:GetObject arn:aws:s3:::b/sns.amazonaws.com, aws:PrincipalServiceName=sns.amazonaws.com",
    none,
    "resource",
  ],
  [
    "every service",
    [grant({ Service: "*" })],
    "Service sns.amazonaws.com s3:GetObject arn:aws:s3:::example/example",
    none,
    "resource",
  ],
  [
    "a provider of the web",
    [
      trust(
        "sts:AssumeRoleWithWebIdentity",
        { Federated: "accounts.google.com" },
        { StringEquals: { "accounts.google.com:aud": "x" } },
      ),
    ],
    "Federated accounts.google.com sts:AssumeRoleWithWebIdentity arn:aws:iam::111122223333:role/example, accounts.google.com:aud=x",
    none,
    "trust",
  ],
  [
    "a provider of SAML",
    [trust("sts:AssumeRoleWithSAML", { Federated: "arn:aws:iam::111122223333:saml-provider/p" })],
    "Federated arn:aws:iam::111122223333:saml-provider/p sts:AssumeRoleWithSAML arn:aws:iam::111122223333:role/example",
    none,
    "trust",
  ],
  [
    "a canonical user",
    [grant({ CanonicalUser: "79a59d" })],
    "CanonicalUser 79a59d s3:GetObject arn:aws:s3:::example/example",
    none,
    "resource",
  ],
  [
    "a caller without credentials",
    [open],
    "Anonymous s3:GetObject arn:aws:s3:::example/example, aws:PrincipalType=Anonymous",
    [grant("*", { StringNotEquals: { "aws:PrincipalType": "Anonymous" } })],
    "resource",
  ],
  [
    "a service by the key",
    [grant("*", { Bool: { "aws:PrincipalIsAWSService": "true" } })],
    "Service sns.amazonaws.com s3:GetObject arn:aws:s3:::example/example, aws:PrincipalIsAWSService=true",
    none,
    "resource",
  ],
  [
    "a role of another account",
    [grant("*", { StringEquals: { "aws:PrincipalType": "AssumedRole" } })],
    "444455556666:role/example-role (example-session) s3:GetObject arn:aws:s3:::example/example, aws:PrincipalType=AssumedRole",
    [grant({ AWS: "111122223333" })],
    "resource",
  ],
  [
    "all but a role, denied no longer",
    [open],
    "444455556666:role/example-role (example-session) s3:GetObject arn:aws:s3:::example/example",
    [
      { ...open, Effect: "Allow" },
      {
        ...deny("*", "*"),
        NotPrincipal: { AWS: ["arn:aws:iam::111122223333:role/a", "111122223333"] },
      },
    ],
    "resource",
  ],
  [
    "a source in the caller's account",
    [grant("*", { StringEquals: { "aws:SourceAccount": "${aws:PrincipalAccount}" } })],
    "@role s3:GetObject arn:aws:s3:::example/example, aws:PrincipalAccount=111122223333, aws:SourceAccount=111122223333",
    none,
    "resource",
  ],
  [
    "a user by a pattern of the name",
    [grant("*", { StringLike: { "aws:username": "c*" } })],
    "111122223333:user/calice s3:GetObject arn:aws:s3:::example/example, aws:username=calice",
    none,
    "resource",
  ],
  [
    "a role that assumes another",
    [trust("sts:AssumeRole", { AWS: "111122223333" }, { StringEquals: { "sts:ExternalId": "x" } })],
    "@role sts:AssumeRole arn:aws:iam::111122223333:role/example, sts:ExternalId=x",
    none,
    "trust",
  ],
  [
    "a service control policy",
    [allow("*", "*")],
    "@role s3:AbortMultipartUpload arn:aws:s3:::example/example",
    none,
    "scp",
  ],
  [
    "a resource control policy",
    [{ ...allow("*", "*"), Principal: "*" }],
    "@role s3:AbortMultipartUpload arn:aws:s3:::example/example",
    none,
    "rcp",
  ],
  [
    "any user but the usual one",
    [grant("*", { StringEquals: { "aws:PrincipalType": "User" } })],
    "111122223333:user/bob s3:GetObject arn:aws:s3:::example/example, aws:PrincipalType=User",
    [grant({ AWS: "arn:aws:iam::111122223333:user/alice" })],
    "resource",
  ],
  [
    "an account with digits left open",
    [grant("*", { ArnLike: { "aws:PrincipalArn": "arn:aws:iam::4444????6666:role/*" } })],
    "444422226666:role/example-role (example-session) s3:GetObject arn:aws:s3:::example/example, aws:PrincipalArn=arn:aws:iam::444422226666:role/example-role",
    none,
    "resource",
  ],
  [
    "a role of another partition",
    [grant({ AWS: "arn:aws-cn:iam::111122223333:role/a" })],
    "arn:aws-cn:iam::111122223333:role/a (example-session) s3:GetObject arn:aws:s3:::example/example",
    none,
    "resource",
  ],
  [
    "the ARN of a role as source",
    [
      grant(
        { AWS: "arn:aws:iam::444455556666:role/x" },
        { StringEquals: { "aws:SourceArn": "${aws:PrincipalArn}" } },
      ),
    ],
    "444455556666:role/x (example-session) s3:GetObject arn:aws:s3:::example/example, aws:PrincipalArn=arn:aws:iam::444455556666:role/x, aws:SourceArn=arn:aws:iam::444455556666:role/x",
    none,
    "resource",
  ],
  [
    "the ARN of any role as source",
    [grant("*", { StringEquals: { "aws:SourceArn": "${aws:PrincipalArn}" } })],
    "111122223333:role/example (example-session) s3:GetObject arn:aws:s3:::example/example, aws:PrincipalArn=arn:aws:iam::111122223333:role/example, aws:SourceArn=arn:aws:iam::111122223333:role/example",
    none,
    "resource",
  ],
];

const variablesOfOtherTypes: readonly Row[] = [
  [
    "an instant",
    [allow("s3:GetObject", "arn:aws:s3:::b/${aws:CurrentTime}")],
    "@role s3:GetObject arn:aws:s3:::b/2030-01-01T00:00:00Z, aws:CurrentTime=2030-01-01T00:00:00Z",
  ],
  [
    "... that a condition gives",
    when(
      { DateLessThan: { "aws:CurrentTime": "2020-01-01T00:00:00Z" } },
      "arn:aws:s3:::b/${aws:CurrentTime}",
    ),
    "@role s3:GetObject arn:aws:s3:::b/2019-12-31T23:00:00Z, aws:CurrentTime=2019-12-31T23:00:00Z",
  ],
  [
    "... in seconds",
    when(
      { DateLessThan: { "aws:CurrentTime": "2020-01-01T00:00:00Z" } },
      "arn:aws:s3:::b/${aws:EpochTime}",
    ),
    "@role s3:GetObject arn:aws:s3:::b/1577833200, aws:CurrentTime=2019-12-31T23:00:00Z, aws:EpochTime=1577833200",
  ],
  [
    "the time of a session",
    [allow("s3:GetObject", "arn:aws:s3:::b/${aws:TokenIssueTime}")],
    "@role s3:GetObject arn:aws:s3:::b/2030-01-01T00:00:00Z, aws:TokenIssueTime=2030-01-01T00:00:00Z",
  ],
  [
    "an address",
    [allow("s3:GetObject", "arn:aws:s3:::b/${aws:SourceIp}")],
    "@role s3:GetObject arn:aws:s3:::b/203.0.113.10, aws:SourceIp=203.0.113.10",
  ],
  [
    "... that a condition gives",
    when({ IpAddress: { "aws:SourceIp": "198.51.100.0/24" } }, "arn:aws:s3:::b/${aws:SourceIp}"),
    "@role s3:GetObject arn:aws:s3:::b/198.51.100.10, aws:SourceIp=198.51.100.10",
  ],
  [
    "a number",
    when({ NumericGreaterThan: { "s3:max-keys": "5" } }, "arn:aws:s3:::b/${s3:max-keys}"),
    "@role s3:GetObject arn:aws:s3:::b/10, s3:max-keys=10",
  ],
  [
    "... that has to be a tag's text",
    when({
      StringEquals: { "aws:PrincipalTag/a": "${s3:max-keys}" },
      StringLike: { "aws:PrincipalTag/a": "7" },
      NumericLessThan: { "s3:max-keys": "10" },
    }),
    "@role s3:GetObject arn:aws:s3:::b/k, aws:PrincipalTag/a=7, s3:max-keys=7",
  ],
  [
    "a truth",
    [allow("s3:GetObject", "arn:aws:s3:::b/${aws:MultiFactorAuthPresent}")],
    "@role s3:GetObject arn:aws:s3:::b/true, aws:MultiFactorAuthPresent=true",
  ],
  [
    "... that no Deny has",
    [
      allow("s3:GetObject", "arn:aws:s3:::b/${aws:ViaAWSService}"),
      deny("*", "arn:aws:s3:::b/true"),
    ],
    "444455556666:role/example-role (example-session) s3:GetObject arn:aws:s3:::b/false, aws:ViaAWSService=false",
  ],
];

describe.each([
  ["actions", actions],
  ["resources", resources],
  ["keys", keys],
  ["tags", tags],
  ["variables", variables],
  ["variables of other types", variablesOfOtherTypes],
  ["the ARN of the caller as a variable", ARNOfCallerAsAVariable],
  ["placeholders", placeholders],
  ["the owner of a resource", ownerOfAResource],
  ["accounts", accounts],
  ["callers", callers],
  ["principals", principals],
] as const)("a witness: %s", (_, rows) => {
  test.each(rows.map((row) => [row[0], row] as const))("%s", (_why, row) => {
    const [, policy, expected, baseline = none, type = "identity"] = row;
    expect(shown(newAccess(baseline, policy, type))).toBe(expected);
  });
});
