import { describe, expect, test } from "vitest";
import { allow, deny, grant, relation, type Side, when } from "../../test/support/access.ts";

/** Pairs that meet several rules at once, decided by hand before the program was asked. */
type Row = readonly [why: string, left: Side, relation: string, right: Side];

const bucket = "arn:aws:s3:::reports";
const all = [allow("*", "*")];
const secure = (value: string) => ({ Bool: { "aws:SecureTransport": value } });
const tag = (operator: string, value: unknown) =>
  when({ [operator]: { "aws:PrincipalTag/team": value } });
const age = (operator: string, value: unknown) =>
  when({ [operator]: { "aws:MultiFactorAuthAge": value } });
const at = (operator: string, value: unknown) => when({ [operator]: { "aws:CurrentTime": value } });
const from = (operator: string, value: unknown) => when({ [operator]: { "aws:SourceIp": value } });
const keys = (operator: string, value: unknown) => when({ [operator]: { "aws:TagKeys": value } });
const but = (Condition: object) => [...all, deny("*", "*", Condition)];
const old = (...Statement: readonly object[]): Side => ({ Version: "2008-10-17", Statement });

const identity: readonly Row[] = [
  [
    "a NotAction next to what it leaves out",
    [
      { Effect: "Allow", NotAction: ["s3:*", "iam:*"], Resource: "*" },
      allow(["S3:*", "iam:*"], "*"),
    ],
    "equal",
    all,
  ],
  [
    "a NotAction that leaves out less",
    [{ Effect: "Allow", NotAction: "s3:Put*", Resource: "*" }],
    "wider",
    [{ Effect: "Allow", NotAction: "s3:P*", Resource: "*" }],
  ],
  [
    "a NotResource next to its resources",
    [{ Effect: "Allow", Action: "s3:*", NotResource: `${bucket}/*` }, allow("s3:*", `${bucket}/*`)],
    "equal",
    [allow("s3:*", "*")],
  ],
  [
    "question marks for a star of the same length or more",
    [allow("s3:Get??*", "*")],
    "narrower",
    [allow("s3:Get*", "*")],
  ],
  ["a star in front of question marks", [allow("s3:*??", "*")], "equal", [allow("s3:??*", "*")]],
  [
    "a star that runs over slashes",
    [allow("s3:GetObject", `${bucket}/*/c`)],
    "wider",
    [allow("s3:GetObject", `${bucket}/a/*/c`)],
  ],
  [
    "a Region's star stays within its field",
    [allow("sqs:*", "arn:aws:sqs:*:111122223333:q")],
    "narrower",
    [allow("sqs:*", "arn:aws:sqs:*:*:q")],
  ],
  [
    "a Deny of half and an Allow of half",
    [...all, deny("s3:*", `${bucket}/*`)],
    "equal",
    [
      { Effect: "Allow", NotAction: "s3:*", Resource: "*" },
      { Effect: "Allow", Action: "s3:*", NotResource: `${bucket}/*` },
    ],
  ],
  [
    "a Deny of what no statement allows",
    [allow("s3:Get*", "*"), deny("s3:Put*", "*")],
    "equal",
    [allow("s3:Get*", "*")],
  ],
  [
    "two Denies that close each other's gap",
    [...all, deny("*", "*", secure("true")), deny("*", "*", secure("false"))],
    "equal",
    [],
  ],
  [
    "Null true and Null false are everything",
    [
      ...when({ Null: { "aws:SourceVpce": "true" } }),
      ...when({ Null: { "aws:SourceVpce": "false" } }),
    ],
    "equal",
    all,
  ],
  [
    "a number with zeros, and as a JSON number",
    age("NumericLessThan", "3600.0"),
    "equal",
    age("NumericLessThan", 3600),
  ],
  [
    "less or equal is less, or equal",
    [...age("NumericLessThan", "60"), ...age("NumericEquals", "60")],
    "equal",
    age("NumericLessThanEquals", "60"),
  ],
  [
    "a negated number lets the missing key pass",
    age("NumericNotEquals", "60"),
    "wider",
    [...age("NumericLessThan", "60"), ...age("NumericGreaterThan", "60")],
  ],
  [
    "one instant in two offsets",
    at("DateLessThan", "2026-01-01T01:00:00+01:00"),
    "equal",
    at("DateLessThan", "2026-01-01T00:00:00Z"),
  ],
  [
    "a bare day is its start",
    at("DateGreaterThan", "2026-01-01"),
    "wider",
    at("DateGreaterThan", "2026-01-01T12:00:00Z"),
  ],
  [
    "the clock by its other key, which takes numbers, too",
    when({ DateLessThan: { "aws:CurrentTime": "2026-01-01T00:00:00Z" } }),
    "equal",
    when({ NumericLessThan: { "aws:EpochTime": "1767225600" } }),
  ],
  [
    "two halves of a block",
    from("IpAddress", ["203.0.113.0/25", "203.0.113.128/25"]),
    "equal",
    from("IpAddress", "203.0.113.77/24"),
  ],
  [
    "outside of a block, or without an address",
    from("NotIpAddress", "203.0.113.0/24"),
    "wider",
    from("NotIpAddress", ["203.0.113.0/24", "198.51.100.0/24"]),
  ],
  [
    "an address and a network at once",
    [
      allow("*", "*", {
        IpAddress: { "aws:SourceIp": "203.0.113.0/24" },
        StringEquals: { "aws:SourceVpce": "vpce-1" },
      }),
    ],
    "equal",
    [],
  ],
  [
    "StringEquals takes a star for a character",
    tag("StringEquals", "a*"),
    "narrower",
    tag("StringLike", "a*"),
  ],
  [
    "letter case does not matter there, and does here",
    tag("StringEqualsIgnoreCase", "Red"),
    "wider",
    tag("StringEquals", ["red", "RED", "Red"]),
  ],
  [
    "none of several values",
    tag("StringNotEquals", ["a", "b"]),
    "narrower",
    tag("StringNotEquals", "a"),
  ],
  [
    "IfExists on a negated operator changes nothing",
    tag("StringNotLikeIfExists", "a*"),
    "equal",
    tag("StringNotLike", "a*"),
  ],
  [
    "a Deny of the negation also stops the missing key",
    but({ StringNotEquals: { "aws:PrincipalTag/team": "a" } }),
    "equal",
    tag("StringEquals", "a"),
  ],
  [
    "a Deny with IfExists of a positive operator stops the missing key",
    but({ StringEqualsIfExists: { "aws:PrincipalTag/team": "a" } }),
    "narrower",
    tag("StringNotEquals", "a"),
  ],
  [
    "every key of a list, and there is one",
    [
      allow("*", "*", {
        "ForAllValues:StringEquals": { "aws:TagKeys": ["a", "b"] },
        Null: { "aws:TagKeys": "false" },
      }),
    ],
    "narrower",
    keys("ForAnyValue:StringEquals", ["a", "b"]),
  ],
  [
    "a Deny for any other key",
    but({ "ForAnyValue:StringNotEquals": { "aws:TagKeys": ["a", "b"] } }),
    "equal",
    keys("ForAllValues:StringEquals", ["a", "b"]),
  ],
  [
    "a tag that is requested has its key in the list",
    [
      allow("*", "*", {
        StringEquals: { "aws:RequestTag/Env": "x" },
        "ForAllValues:StringEquals": { "aws:TagKeys": "Owner" },
      }),
    ],
    "equal",
    [],
  ],
  [
    "a variable within the pattern that takes it",
    [allow("s3:GetObject", `${bucket}/\${aws:username}/*`)],
    "narrower",
    [allow("s3:GetObject", `${bucket}/*/*`)],
  ],
  [
    "a variable of the older version is plain text",
    old(allow("s3:GetObject", `${bucket}/\${aws:username}`)),
    "different",
    [allow("s3:GetObject", `${bucket}/\${aws:username}`)],
  ],
  [
    "a default for the missing tag",
    [allow("s3:GetObject", `${bucket}/\${aws:PrincipalTag/team, 'none'}`)],
    "wider",
    [allow("s3:GetObject", `${bucket}/\${aws:PrincipalTag/team}`)],
  ],
  [
    "an escaped star is a character",
    [allow("s3:GetObject", `${bucket}/\${*}`)],
    "narrower",
    [allow("s3:GetObject", `${bucket}/?`)],
  ],
  [
    "an empty list of actions",
    [allow([], "*"), allow("s3:GetObject", "*")],
    "equal",
    [allow("s3:GetObject", "*")],
  ],
  [
    "a user's tags, and a role's",
    when({ StringEquals: { "aws:PrincipalType": "User" }, Null: { "aws:username": "true" } }),
    "equal",
    [],
  ],
  [
    "MFA that is old enough was there",
    age("NumericLessThan", "300"),
    "narrower",
    when({ Bool: { "aws:MultiFactorAuthPresent": "true" } }),
  ],
  [
    "an unknown operator on both sides",
    when({ StringFuzzy: { "aws:PrincipalTag/team": "a" } }),
    "equal",
    when({ StringFuzzy: { "aws:PrincipalTag/team": "a" } }),
  ],
];

const account = "111122223333";
const role = `arn:aws:iam::${account}:role/app/deploy`;
const resource: readonly Row[] = [
  [
    "a role by its ARN in the condition",
    [grant({ AWS: account }, { ArnEquals: { "aws:PrincipalArn": role } })],
    "equal",
    [grant({ AWS: role })],
  ],
  [
    "an account by a condition",
    [grant("*", { StringEquals: { "aws:PrincipalAccount": account } })],
    "equal",
    [grant({ AWS: `arn:aws:iam::${account}:root` })],
  ],
  [
    "a star takes services, too",
    [grant({ AWS: "*" })],
    "wider",
    [grant({ Service: "sns.amazonaws.com" })],
  ],
  [
    "a service has no organisation",
    [grant({ Service: "sns.amazonaws.com" }, { Null: { "aws:PrincipalOrgID": "false" } })],
    "equal",
    [],
  ],
  [
    "no caller is anonymous and of an account",
    [
      grant("*", {
        StringEquals: { "aws:PrincipalType": "Anonymous" },
        Null: { "aws:PrincipalArn": "false" },
      }),
    ],
    "equal",
    [],
  ],
  [
    "a session within its role, whatever the path",
    [grant({ AWS: `arn:aws:sts::${account}:assumed-role/deploy/ci` }), grant({ AWS: role })],
    "equal",
    [grant({ AWS: role })],
  ],
];

describe("what one policy allows beside another", () => {
  test.each(identity)("%s", (_, left, wanted, right) => {
    expect(relation(left, right)).toBe(wanted);
  });
  test.each(resource)("of a resource: %s", (_, left, wanted, right) => {
    expect(relation(left, right, "resource")).toBe(wanted);
  });
});
