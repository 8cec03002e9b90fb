import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { asciiLower } from "../ascii.ts";
import { compileConditionKey, matchesConditionKey } from "./condition-key-pattern.ts";

describe("a policy's condition key matches a name of the reference data", () => {
  test.each([
    ["s3:prefix", "S3:Prefix"],
    ["aws:ResourceTag/${TagKey}", "aws:resourcetag/Team"],
    ["aws:ResourceTag/${TagKey}", "aws:ResourceTag/team/owner"],
    ["aws:ResourceTag/${TagKey}", "aws:ResourceTag/+ -=._:/@"],
    ["aws:ResourceTag/${TagKey}", "aws:ResourceTag/Größe"],
    ["aws:ResourceTag/${TagKey}", "aws:ResourceTag/${TagKey}"],
    ["aws:ResourceTag/${TagKey}", `aws:ResourceTag/${"k".repeat(128)}`],
    ["s3:ExistingObjectTag/<key>", "s3:ExistingObjectTag/class"],
    ["ssm:resourceTag/tag-key", "ssm:resourceTag/owner"],
    ["elasticloadbalancing:ResourceTag/", "elasticloadbalancing:ResourceTag/env"],
    ["kms:EncryptionContext:${EncryptionContextKey}", "kms:EncryptionContext:aws:s3:arn"],
    ["codebuild:environmentVariables/${name}.value", "codebuild:environmentVariables/A.B.value"],
    ["token.actions.${Domain}.ghe.com:repository", "token.actions.octo.ghe.com:repository"],
    ["a:${x}/b/${TagKey}", "a:one/two/b/three/b/four"],
    ["a:${x}/b/${TagKey}", "a:/b/b/four"],
    ["<issuer>:aud", "example.com:aud"],
    ["a:${x}:b:${y}:c", "a:1:b:2:c"],
    ["kms:EncryptionContext:${EncryptionContextKey}", "kms:EncryptionContext:a$b"],
  ])("%s: %s", (name, key) => {
    expect(matchesConditionKey(name, key)).toBe(true);
    expect(compileConditionKey(name).matches(asciiLower(key))).toBe(true);
  });
});

describe("it does not match", () => {
  test.each([
    ["s3:prefix", "s3:prefixes"],
    ["aws:ResourceTag/${TagKey}", "aws:ResourceTag/"],
    ["aws:ResourceTag/${TagKey}", "aws:ResourceTag"],
    ["aws:ResourceTag/${TagKey}", "aws:ResourceTag/a$b"],
    ["aws:ResourceTag/${TagKey}", `aws:ResourceTag/${"k".repeat(129)}`],
    ["ssm:resourceTag/tag-key", "ssm:resource"],
    ["elasticloadbalancing:ResourceTag/", "elasticloadbalancing:Resource"],
    ["a:${x}/b/${TagKey}", "a:/b/c"],
    ["<issuer>:aud", "x:sub"],
    ["<issuer>:aud", "example.com:audience"],
    ["secretsmanager:resource/Type", "secretsmanager:resource/Anything"],
    ["kms:EncryptionContext:${EncryptionContextKey}", "kms:EncryptionContext:"],
    ["kms:EncryptionContext:${EncryptionContextKey}", "kms:EncryptionContextKeys"],
    ["token.actions.${Domain}.ghe.com:repository", "token.actions.a:b.ghe.com:repository"],
    ["token.actions.${Domain}.ghe.com:repository", "token.actions.a.ghe.com:repository:x"],
    ["codebuild:environmentVariables/${name}.value", "codebuild:environmentVariables/.value"],
    // The Kelvin sign lower-cases to a k, which IAM does not do.
    ["kms:KeySpec", "\u212Ams:KeySpec"],
  ])("%s: %s", (name, key) => {
    expect(matchesConditionKey(name, key)).toBe(false);
    expect(compileConditionKey(name).matches(asciiLower(key))).toBe(false);
  });
});

test("a name is compiled in lower case, and has a placeholder or not", () => {
  expect(compileConditionKey("S3:Prefix")).toMatchObject({
    literal: "s3:prefix",
    hasPlaceholder: false,
  });
  expect(compileConditionKey("aws:RequestTag/${Key}")).toMatchObject({
    literal: "aws:requesttag/${key}",
    hasPlaceholder: true,
  });
});

test("any two texts compare without an error, and a name without placeholders only with itself", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), fc.string({ unit: "binary" }), (name, key) => {
      const plain = name.replaceAll(/[$<>/]/g, "");
      expect(matchesConditionKey(plain, key)).toBe(
        plain.replaceAll(/[A-Z]/g, (one) => one.toLowerCase()) ===
          key.replaceAll(/[A-Z]/g, (one) => one.toLowerCase()),
      );
      expect(typeof matchesConditionKey(name, key)).toBe("boolean");
    }),
  );
});
