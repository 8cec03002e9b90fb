import { describe, expect, test } from "vitest";
import { relation, type Side, when } from "../../test/support/access.ts";

/** What the left policy allows beside what the right one does, worked out by hand from AWS's rules. */
type Row = readonly [why: string, left: Side, relation: string, right: Side];

const keys = (operator: string, value: unknown) => when({ [operator]: { "aws:TagKeys": value } });
const all = when({});
const none: Side = [];
const org = (operator: string, value: string) =>
  when({ [operator]: { "aws:PrincipalOrgID": value } });

const others: readonly Row[] = [
  [
    "Bool folds its values",
    when({ Bool: { "aws:SecureTransport": "TRUE" } }),
    "equal",
    when({ Bool: { "aws:SecureTransport": true } }),
  ],
  [
    "both values of a key that is always there",
    [
      ...when({ Bool: { "aws:SecureTransport": "true" } }),
      ...when({ Bool: { "aws:SecureTransport": false } }),
    ],
    "equal",
    all,
  ],
  [
    "IfExists on a key that is always there",
    when({ BoolIfExists: { "aws:SecureTransport": "true" } }),
    "equal",
    when({ Bool: { "aws:SecureTransport": "true" } }),
  ],
  [
    "both values of a key that may be missing",
    when({ Bool: { "aws:MultiFactorAuthPresent": ["true", "false"] } }),
    "equal",
    when({ Null: { "aws:MultiFactorAuthPresent": "false" } }),
  ],
  [
    "a Deny of false lets the missing key pass",
    [
      ...when({}),
      {
        Effect: "Deny",
        Action: "*",
        Resource: "*",
        Condition: { Bool: { "aws:MultiFactorAuthPresent": "false" } },
      },
    ],
    "equal",
    when({ BoolIfExists: { "aws:MultiFactorAuthPresent": "true" } }),
  ],
  [
    "with IfExists it does not",
    [
      ...when({}),
      {
        Effect: "Deny",
        Action: "*",
        Resource: "*",
        Condition: { BoolIfExists: { "aws:MultiFactorAuthPresent": "false" } },
      },
    ],
    "equal",
    when({ Bool: { "aws:MultiFactorAuthPresent": "true" } }),
  ],
  [
    "an age of MFA means MFA",
    when({ NumericLessThan: { "aws:MultiFactorAuthAge": "3600" } }),
    "narrower",
    when({ Bool: { "aws:MultiFactorAuthPresent": "true" } }),
  ],
  [
    "Bool by a text operator",
    when({ StringEquals: { "aws:SecureTransport": "true" } }),
    "equal",
    when({ Bool: { "aws:SecureTransport": "true" } }),
  ],
  [
    "a Bool key never has another text",
    when({ StringEquals: { "aws:SecureTransport": "True" } }),
    "equal",
    none,
  ],
  [
    "not true is false",
    when({ StringNotEquals: { "aws:SecureTransport": "true" } }),
    "equal",
    when({ Bool: { "aws:SecureTransport": "false" } }),
  ],
  [
    "base64 with other spare bits is the same byte",
    when({ BinaryEquals: { "example:blob": "QQ==" } }),
    "equal",
    when({ BinaryEquals: { "example:blob": "QR==" } }),
  ],
  [
    "another byte",
    when({ BinaryEquals: { "example:blob": "QQ==" } }),
    "different",
    when({ BinaryEquals: { "example:blob": "Qg==" } }),
  ],
  [
    "ARN operators compare by field",
    when({ ArnLike: { "aws:SourceArn": "arn:aws:sns:*:*:x" } }),
    "narrower",
    when({ StringLike: { "aws:SourceArn": "arn:aws:sns:*:*:x" } }),
  ],
  [
    "ArnEquals reads wildcards",
    when({ ArnEquals: { "aws:SourceArn": "arn:aws:sns:*:*:x" } }),
    "equal",
    when({ ArnLike: { "aws:SourceArn": "arn:aws:sns:*:*:x" } }),
  ],
  [
    "an ARN without wildcard",
    when({ StringEquals: { "aws:SourceArn": "arn:aws:sns:us-east-1:111122223333:x" } }),
    "equal",
    when({ ArnEquals: { "aws:SourceArn": "arn:aws:sns:us-east-1:111122223333:x" } }),
  ],
  [
    "the last field runs over colons",
    when({ ArnLike: { "aws:SourceArn": "arn:aws:logs:*:*:log-group:a:log-stream:b" } }),
    "narrower",
    when({ ArnLike: { "aws:SourceArn": "arn:aws:logs:*:*:log-group:*" } }),
  ],
  [
    "a star wants the key",
    when({ ArnLike: { "aws:SourceArn": "*" } }),
    "equal",
    when({ Null: { "aws:SourceArn": "false" } }),
  ],
  [
    "a negated ARN operator is true without the key",
    when({ ArnNotLike: { "aws:SourceArn": "arn:aws:sns:*:*:x" } }),
    "wider",
    when({ Null: { "aws:SourceArn": "true" } }),
  ],
  ["not an ARN", when({ ArnLike: { "aws:SourceArn": "example" } }), "undecided: arn_pattern", none],
  [
    "... the same on both sides",
    when({ ArnLike: { "aws:SourceArn": "example" } }),
    "equal",
    when({ ArnLike: { "aws:SourceArn": "example" } }),
  ],
  [
    "an account inside an ARN is not plain text",
    when({ StringEquals: { "aws:PrincipalAccount": "1*" } }),
    "equal",
    none,
  ],
  [
    "a pattern of accounts",
    when({ StringLike: { "aws:PrincipalAccount": "1*" } }),
    "equal",
    when({ ArnLike: { "aws:PrincipalArn": "arn:*:iam::1*:*" } }),
  ],
  [
    "a name of a user ends its ARN",
    when({ StringEquals: { "aws:username": "alice" } }),
    "narrower",
    when({ StringLike: { "aws:PrincipalArn": "arn:*:iam::*:user/*alice" } }),
  ],
  [
    "a session of a role",
    when({ StringEquals: { "aws:PrincipalType": "AssumedRole" } }),
    "equal",
    when({ ArnLike: { "aws:PrincipalArn": "arn:*:iam::*:role/*" } }),
  ],
  [
    "a session has no user name",
    when({ Null: { "aws:username": "true" } }),
    "equal",
    when({ StringEquals: { "aws:PrincipalType": "AssumedRole" } }),
  ],
  [
    "a tag of the request is among its keys",
    when({ StringEquals: { "aws:RequestTag/env": "x" } }),
    "narrower",
    keys("ForAnyValue:StringEqualsIgnoreCase", "env"),
  ],
  [
    "whatever the case of its key",
    when({ StringEquals: { "aws:RequestTag/env": "x" } }),
    "different",
    keys("ForAnyValue:StringEquals", "env"),
  ],
  [
    "a tag that is not among the keys",
    when({
      "ForAllValues:StringEquals": { "aws:TagKeys": "a" },
      Null: { "aws:RequestTag/b": "false" },
    }),
    "equal",
    none,
  ],
  [
    "a path begins with its organisation",
    when({ "ForAnyValue:StringLike": { "aws:PrincipalOrgPaths": "o-a1b2c3d4e5/r-ab12/*" } }),
    "narrower",
    org("StringEquals", "o-a1b2c3d4e5"),
  ],
  [
    "every path of an organisation",
    when({ "ForAnyValue:StringLike": { "aws:PrincipalOrgPaths": "o-a1b2c3d4e5/*" } }),
    "equal",
    org("StringEquals", "o-a1b2c3d4e5"),
  ],
];

describe.each([["other operators and facts about keys", others]] as const)("%s", (_, rows) => {
  test.each(rows)("%s", (_why, left, wanted, right) => {
    expect(relation(left, right)).toBe(wanted);
  });
});
