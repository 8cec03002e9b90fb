import { checkCases } from "../../../test/support/check-cases.ts";
import { conditionEffect } from "../condition-effect.ts";

const never = { issue_type: "condition_never_true", severity: "error" as const };
const allow = (Condition: object) => ({
  Effect: "Allow",
  Action: "s3:GetObject",
  Resource: "arn:aws:s3:::reports/*",
  Condition,
});
const deny = (Condition: object) => ({ ...allow(Condition), Effect: "Deny", Principal: "*" });
const team = (value: unknown) => ({ "aws:PrincipalTag/team": value });
const limit = (value: unknown) => ({ "s3:max-keys": value });
const now = (value: unknown) => ({ "aws:CurrentTime": value });
const from = (value: unknown) => ({ "aws:SourceIp": value });

/** The two operators, and why no request meets both. */
const exclusive: readonly (readonly [object, RegExp])[] = [
  [{ StringEquals: team("red"), StringNotEquals: team("red") }, /: no value meets both\. /],
  [{ StringEquals: team("red"), StringLike: team("blue*") }, /: no value meets both\. /],
  [{ StringEquals: team(["red", "rose"]), StringLike: team("b*") }, /: no value meets both\. /],
  [{ StringLike: team("red-*"), StringNotLike: team("red*") }, /: no value meets both\. /],
  [{ StringLike: team("re?*"), StringNotLike: team("re?*") }, /: no value meets both\. /],
  [{ StringEquals: team("Red"), StringNotEqualsIgnoreCase: team("red") }, /: no value meets/],
  [{ StringEqualsIgnoreCase: team("Red"), StringNotEqualsIgnoreCase: team("red") }, /no value/],
  [{ StringEqualsIgnoreCase: team("Red"), StringEquals: team("blue") }, /: no value meets both/],
  [{ StringEquals: team("red"), StringEqualsIfExists: team("blue") }, /: no value meets both\. /],
  [{ NumericLessThan: limit("10"), NumericGreaterThan: limit("20") }, /: no number is in both/],
  [{ NumericLessThan: limit("10"), NumericGreaterThanEquals: limit("10") }, /: no number is in/],
  [{ NumericLessThanEquals: limit("10"), NumericGreaterThan: limit("10") }, /: no number is in/],
  [{ NumericGreaterThan: limit(["30", "20"]), NumericLessThan: limit(["5", "10"]) }, /no number/],
  [
    { DateLessThan: now("2098-01-01T00:00:00Z"), DateGreaterThan: now("2099-01-01T00:00:00Z") },
    /`DateLessThan` and `DateGreaterThan` on `aws:CurrentTime` exclude each other: the end is not after the start\. /,
  ],
  [
    { DateGreaterThan: now("2098-01-01T00:00:00Z"), DateLessThan: now("2098-01-01") },
    /: the end is not after the start\. /,
  ],
  [
    {
      IpAddress: from("203.0.113.0/25"),
      NotIpAddress: from(["203.0.113.0/26", "203.0.113.64/26"]),
    },
    /: every address of the first list is on the list of exceptions\. /,
  ],
  [{ StringEquals: team("red"), Null: team("true") }, /: one asks that the key is absent, the/],
];

/** A request with the right value meets both. */
const compatible: readonly object[] = [
  { StringEquals: team(["red", "blue"]), StringNotEquals: team("red") },
  { StringEquals: team("red"), StringLike: team("r*") },
  { StringLike: team("r*"), StringNotLike: team("red") },
  { StringLike: team("re*"), StringNotLike: team("re?") },
  { StringLike: team("r*"), StringNotEquals: team("r*x") },
  { StringLike: team("r*"), StringLikeIfExists: team("*d") },
  { StringEqualsIgnoreCase: team("Red"), StringNotEquals: team("red") },
  { StringEqualsIgnoreCase: team("Red"), StringEquals: team("red") },
  { StringEquals: team("Red"), StringEqualsIgnoreCase: team("red") },
  { StringNotEquals: team("red"), StringNotLike: team("r*") },
  { StringEqualsIfExists: team("red"), StringNotEquals: team("red") },
  { StringEquals: team("red"), StringEqualsX: team("blue") },
  { StringEquals: team("red"), StringNotEquals: team([]) },
  { StringEquals: team("${aws:username}"), StringNotEquals: team("red") },
  { NumericLessThanEquals: limit("10"), NumericGreaterThanEquals: limit("10") },
  { NumericLessThan: limit("20"), NumericGreaterThan: limit("10") },
  { NumericLessThan: limit(["5", "20"]), NumericGreaterThan: limit("10") },
  { NumericLessThan: limit("10"), NumericNotEquals: limit("20") },
  { NumericLessThan: limit("10"), StringEquals: limit("20") },
  { NumericLessThan: limit("ten"), NumericGreaterThan: limit("20") },
  { DateLessThan: now("2099-01-01T00:00:00Z"), DateGreaterThan: now("2098-01-01T00:00:00Z") },
  {
    DateLessThanEquals: now("2099-01-01T00:00:00Z"),
    DateGreaterThanEquals: now("2099-01-01T00:00:00Z"),
  },
  { DateLessThan: now("2098"), StringEquals: now("2099") },
  { IpAddress: from("203.0.113.0/24"), NotIpAddress: from("203.0.113.0/25") },
  { IpAddress: from("203.0.113.0/24"), NotIpAddress: from("203.0.113.0/240") },
  { IpAddress: from("203.0.113.0/24"), StringEquals: from("198.51.100.7") },
  { NotIpAddress: from("203.0.113.0/24"), NotIpAddressIfExists: from("203.0.113.0/24") },
  { StringEqualsIfExists: team("red"), Null: team("true") },
  { StringNotEquals: team("red"), Null: team("true") },
  { StringEquals: team([]), Null: team("true") },
  { StringEquals: team("red"), Null: team("false") },
  { "ForAllValues:StringEquals": { "aws:TagKeys": "a" }, Null: { "aws:TagKeys": "true" } },
  { StringEquals: { "aws:TagKeys": "a" }, StringLike: { "aws:TagKeys": "b" } },
  { "ForAnyValue:StringEquals": team("red"), "ForAllValues:StringEquals": team("blue") },
];

checkCases(conditionEffect, [
  ...exclusive.map(([Condition, message]) => ({
    name: `no request meets ${JSON.stringify(Condition)}`,
    type: "IDENTITY_POLICY" as const,
    statement: allow(Condition),
    findings: [{ ...never, message }],
  })),
  {
    name: "tests that exclude each other are reported at the later one, with what to do",
    type: "IDENTITY_POLICY",
    statement: allow({ Null: team("true"), StringEquals: team("red") }),
    findings: [
      {
        path: "/Statement/0/Condition/StringEquals/aws:PrincipalTag~1team",
        message:
          "`Null` and `StringEquals` on `aws:PrincipalTag/team` exclude each other: one asks that the key is absent, the other that it is there. The condition never holds, so this Allow grants nothing.",
        suggestion: "Remove one of the two, or put them into two statements.",
      },
    ],
  },
  {
    name: "the same in the other order",
    type: "IDENTITY_POLICY",
    statement: allow({ StringEquals: team("red"), Null: team("true") }),
    findings: [
      {
        path: "/Statement/0/Condition/Null/aws:PrincipalTag~1team",
        message: /^`StringEquals` and `Null` on/,
      },
    ],
  },
  ...compatible.map((Condition) => ({
    name: `some request meets ${JSON.stringify(Condition)}`,
    type: "IDENTITY_POLICY" as const,
    statement: allow(Condition),
    findings: [],
  })),
  ...[
    {
      IpAddress: from("203.0.113.0/24"),
      StringEquals: { "aws:SourceVpce": "vpce-0a1b2c3d4e5f6a7b8" },
    },
    { IpAddress: from("203.0.113.0/24"), Null: { "aws:SourceVpc": "false" } },
    {
      StringEquals: { "aws:SourceVpc": "vpc-0a1b2c3d4e5f6a7b8" },
      IpAddress: from("203.0.113.0/24"),
    },
    {
      IpAddress: from("203.0.113.0/24"),
      IpAddressIfExists: { "aws:VpcSourceIp": "10.0.0.0/8" },
      StringLike: { "aws:VpceAccount": "111122223333" },
    },
  ].map((Condition) => ({
    name: `a request comes from a public address or through an endpoint: ${JSON.stringify(Condition)}`,
    type: "IDENTITY_POLICY" as const,
    statement: allow(Condition),
    findings: [
      {
        ...never,
        condition_key: Object.keys(Object.values(Condition).at(-1) ?? {})[0] ?? "",
        message:
          /^Only requests over the internet have `aws:SourceIp`, and only those through a VPC/,
        suggestion:
          "Put the two into two statements. In a Deny, negate both: `NotIpAddressIfExists` and `StringNotEqualsIfExists`.",
      },
    ],
  })),
  ...[
    {
      IpAddressIfExists: from("203.0.113.0/24"),
      StringEqualsIfExists: { "aws:SourceVpc": "vpc-0a1b2c3d4e5f6a7b8" },
    },
    { IpAddress: from("203.0.113.0/24"), Null: { "aws:SourceVpc": "true" } },
    {
      IpAddress: from("203.0.113.0/24"),
      StringNotEquals: { "aws:SourceVpc": "vpc-0a1b2c3d4e5f6a7b8" },
    },
    { IpAddress: from("203.0.113.0/24"), StringEquals: { "aws:SourceVpc": [] } },
    { IpAddress: from("203.0.113.0/24"), StringEquals: { "aws:UserAgent": "a" } },
  ].map((Condition) => ({
    name: `addresses and endpoints that one request can meet: ${JSON.stringify(Condition)}`,
    type: "IDENTITY_POLICY" as const,
    statement: allow(Condition),
    findings: [],
  })),
  {
    name: "a Deny of what has no key and another value in one block holds without the key alone",
    type: "RESOURCE_POLICY",
    statement: deny({
      Null: { "s3:x-amz-server-side-encryption": "true" },
      StringNotEquals: { "s3:x-amz-server-side-encryption": "aws:kms" },
    }),
    findings: [
      {
        issue_type: "condition_always_true",
        message:
          "`Null` asks that `s3:x-amz-server-side-encryption` is absent, and `StringNotEquals` holds for every request without the key. This Deny lets requests with any value of the key pass.",
        suggestion: "Put the two into two statements.",
      },
    ],
  },
  {
    name: "a Deny of requests without a source and of those with a foreign one in one block",
    type: "RESOURCE_CONTROL_POLICY",
    statement: {
      ...deny({
        Null: { "aws:SourceAccount": "true" },
        StringNotEquals: { "aws:SourceOrgID": "o-a1b2c3d4e5" },
        Bool: { "aws:PrincipalIsAWSService": "true" },
      }),
      Resource: "*",
    },
    findings: [
      {
        issue_type: "condition_always_true",
        condition_key: "aws:SourceAccount",
        message: /absent, and such requests have no `aws:SourceOrgID` either\. This Deny lets/,
      },
    ],
  },
]);
