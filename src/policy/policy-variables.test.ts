import { describe, expect, test } from "vitest";
import { holdsPolicyVariable, variableKind, variablesIn } from "./policy-variables.ts";

describe("the variables of a text", () => {
  test.each<[string, [string, string, string | null][]]>([
    ["plain", []],
    ["a${aws:username}b", [["${aws:username}", "aws:username", null]]],
    [
      "${a:b}/${c:d}",
      [
        ["${a:b}", "a:b", null],
        ["${c:d}", "c:d", null],
      ],
    ],
    // Escapes of the three characters.
    ["${*}${?}${$}", []],
    ["${*", [["${*", "*", "brace"]]],
    ["${aws:username", [["${aws:username", "aws:username", "brace"]]],
    ["${aws:a${aws:b}", [["${aws:a$", "aws:a$", "brace"]]],
    ["${}", [["${}", "", "empty"]]],
    ["${ }", [["${ }", "", "empty"]]],
    ["${ aws:username }", [["${ aws:username }", "aws:username", "space"]]],
    ["${aws:user name}", [["${aws:user name}", "aws:username", "space"]]],
    ["${aws:PrincipalTag/a b}", [["${aws:PrincipalTag/a b}", "aws:PrincipalTag/a b", null]]],
    ["${aws:PrincipalTag/a }", [["${aws:PrincipalTag/a }", "aws:PrincipalTag/a", "space"]]],
    ["${aws:x, 'y'}", [["${aws:x, 'y'}", "aws:x", null]]],
    ["${aws:x , 'y' }", [["${aws:x , 'y' }", "aws:x", null]]],
    ["${ aws:x, 'y'}", [["${ aws:x, 'y'}", "aws:x", "space"]]],
    ["${aws:x,''}", [["${aws:x,''}", "aws:x", null]]],
    ["${aws:x, y}", [["${aws:x, y}", "aws:x", "quote"]]],
    ["${aws:x, 'y'z}", [["${aws:x, 'y'z}", "aws:x", "quote"]]],
    ["${aws:x, z'y'}", [["${aws:x, z'y'}", "aws:x", "quote"]]],
  ])("%s", (text, expected) => {
    expect(variablesIn(text).map(({ written, key, fault }) => [written, key, fault])).toEqual(
      expected,
    );
  });
});

describe("the name in a variable", () => {
  const known = { kind: "known" };
  const placeholder = { kind: "placeholder" };
  const unknown = (...near: string[]) => ({ kind: "unknown", near });

  test.each<[string, object]>([
    ["aws:username", known],
    ["AWS:UserName", known],
    ["aws:PrincipalTag/team", known],
    ["aws:RequestTag/team", known],
    ["AWS:resourcetag/team/unit", known],
    ["aws:CalledVia", { kind: "multivalued" }],
    ["saml:sub", known],
    ["SAML:SUB", known],
    ["cognito-identity.amazonaws.com:sub", known],
    ["cognito-identity.amazonaws.com:AMR", { kind: "multivalued" }],
    ["www.amazon.com:user_id", known],
    ["accounts.google.com:sub", known],
    ["oidc.example.com/id/A:sub", known],
    ["oidc.example.com:amr", { kind: "multivalued" }],
    ["s3:prefix", { kind: "service", prefix: "s3" }],
    ["EC2:ResourceTag/a.b-c:d", { kind: "service", prefix: "ec2" }],
    // Not variables of policies.
    ["Bucket", placeholder],
    [":x", placeholder],
    ["aws:", placeholder],
    ["AWS::Region", placeholder],
    ["1a:x", placeholder],
    ["a_b:x", placeholder],
    ["env:1x", placeholder],
    ["env:a b", placeholder],
    // Misspelt.
    ["aws:user", unknown("aws:userid", "aws:username", "aws:UserAgent")],
    ["aws:usernam", unknown("aws:username", "aws:userid")],
    ["aws:RequestTag", unknown()],
    ["aws:Nothing", unknown()],
    ["aws:PrincipalTags/team", unknown("aws:PrincipalTag/team")],
    ["aws:PrincipalTag/", unknown()],
    ["aws:PrincipalTag/a$", unknown()],
    ["aws:PrincipalTags/a$", unknown()],
    [`aws:${"u".repeat(125)}`, unknown()],
    ["saml:subb", unknown("saml:sub", "saml:aud", "saml:uid")],
    ["awz:username", unknown("aws:username")],
    ["awz:nothing", { kind: "service", prefix: "awz" }],
    ["cognito-identity.amazon.com:sub", unknown("cognito-identity.amazonaws.com:sub")],
    [
      "cognito-identity.amazonaws.com:email",
      unknown("cognito-identity.amazonaws.com:sub", "cognito-identity.amazonaws.com:aud"),
    ],
    ["graph.facebook.com:sub", unknown("graph.facebook.com:id", "graph.facebook.com:app_id")],
  ])("%s", (key, expected) => {
    expect(variableKind(key)).toEqual(expected);
  });
});

test.each([
  ["a${aws:username}", true],
  ["a${aws:usernam}", true],
  ["${s3:prefix}", true],
  ["${Bucket}/${AWS::Region}", false],
  ["plain", false],
])("%s has a policy variable: %s", (text, expected) => {
  expect(holdsPolicyVariable(text)).toBe(expected);
});
