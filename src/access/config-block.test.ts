import { describe, expect, test } from "vitest";
import { faultOfBlock } from "./config-block.ts";

describe("a condition block of the config", () => {
  test.each([
    { StringEquals: { "aws:PrincipalOrgID": "o-a1b2c3d4e5" } },
    { StringLikeIfExists: { "s3:prefix": ["a*", "${aws:username}/*"] } },
    { Bool: { "aws:SecureTransport": true }, Null: { "aws:TokenIssueTime": "true" } },
    { NumericLessThan: { "s3:max-keys": 10 } },
    { IpAddress: { "aws:SourceIp": ["192.0.2.0/24", "2001:db8::/32"] } },
    { DateLessThan: { "aws:CurrentTime": "2030-01-01" } },
    { "ForAnyValue:StringEquals": { "aws:TagKeys": "a" } },
    { ArnLike: { "aws:SourceArn": "arn:aws:s3:::*" } },
  ])("can be %j", (block) => {
    expect(faultOfBlock(block)).toBeNull();
  });

  const form = "a condition block is operator, then key, then a value or a list of values";
  const empty = "a condition block has at least one operator with a key";

  test.each([
    ["Bool", form],
    [{ Bool: "true" }, form],
    [{ Bool: { a: {} } }, form],
    [{}, empty],
    [{ Bool: {} }, empty],
    [{ StringEqual: { "s3:prefix": "a" } }, "StringEqual is not a condition operator"],
    [
      { Bool: { "aws:SecureTransport": "true" }, StringFuzzy: { "s3:prefix": "a" } },
      "StringFuzzy is not a condition operator",
    ],
    [
      { IpAddress: { "aws:SourceIp": "10.0.0.0/33" } },
      "IpAddress cannot read a value of aws:SourceIp (invalid_value)",
    ],
    [
      { NumericEqualsIfExists: { "S3:max-keys": [1, "ten"] } },
      "NumericEqualsIfExists cannot read a value of S3:max-keys (invalid_value)",
    ],
    [
      { ArnLike: { "aws:SourceArn": "arn:aws:s3" } },
      "ArnLike cannot read a value of aws:SourceArn (arn_pattern)",
    ],
    [
      { ArnLike: { "aws:SourceArn": "arn:${aws:PrincipalTag/a}:s3::b" } },
      "ArnLike cannot read a value of aws:SourceArn (arn_pattern)",
    ],
    [
      { "ForAnyValue:Null": { "aws:TagKeys": "true" } },
      "ForAnyValue:Null cannot read a value of aws:TagKeys (unknown_operator)",
    ],
    [
      { NumericEquals: { "s3:max-keys": "{{limit}}" } },
      "NumericEquals cannot read a value of s3:max-keys (placeholder)",
    ],
  ])("cannot be %j", (block, expected) => {
    expect(faultOfBlock(block)).toBe(expected);
  });
});
