import { describe, expect, test } from "vitest";
import { trustedKeys } from "../../test/support/access.ts";
import { tokenText } from "../../test/support/token-text.ts";
import { readDocument } from "./document.ts";
import type { Pattern } from "./patterns.ts";
import { Variables } from "./read-pattern.ts";
import { TrustedValues } from "./trusted.ts";

type Condition = Readonly<Record<string, object>>;

const account = "111122223333";

function read(conditions: Condition | readonly Condition[], extra: readonly string[] = []) {
  const Statement = [conditions].flat().map((Condition) => ({
    Effect: "Deny",
    Principal: "*",
    Action: "*",
    Resource: "*",
    Condition,
  }));
  const document = readDocument({ Version: "2012-10-17", Statement }, "resource");
  return new TrustedValues(document, new Variables(), extra);
}

const shown = (patterns: readonly Pattern[]) => patterns.map(({ tokens }) => tokenText(tokens));

/** The trusted keys that are tested, each with its trusted values. */
function limits(conditions: Condition | readonly Condition[], extra?: readonly string[]) {
  const found = [...read(conditions, extra).limits()];
  return Object.fromEntries(found.map(([key, patterns]) => [key, shown(patterns)]));
}

describe("a key with fixed values", () => {
  test.each(trustedKeys)("%s", (key) => {
    const found = limits({ StringLike: { [key]: ["given", "open*"] } });
    expect(found).toEqual({ [key.toLowerCase()]: ["given"] });
  });

  test.each([
    ["StringEquals", "aws:SourceVpc", ["a", "b"], ["a", "b"]],
    ["StringNotEquals", "aws:SourceVpc", ["a"], ["a"]],
    ["StringEquals", "aws:SourceVpc", ["a*"], ["a*"]],
    ["StringLike", "aws:SourceVpc", ["a*", "?"], []],
    ["StringLike", "aws:SourceVpc", ["a"], ["a"]],
    ["StringNotLike", "aws:SourceVpc", ["a", "a*"], ["a"]],
    ["STRINGLIKE", "aws:SourceVpc", ["a*"], []],
    ["StringLikeIfExists", "aws:SourceVpc", ["a*"], []],
    ["ForAnyValue:StringLike", "aws:SourceVpc", ["a*"], []],
    ["ForAllValues:StringLikeIfExists", "aws:SourceVpc", ["a*"], []],
    ["ForAnyValue:ArnEquals", "aws:SourceArn", ["a*"], []],
    ["ForAllValues:ArnEqualsIfExists", "aws:SourceArn", ["a*"], []],
    ["StringEqualsIgnoreCase", "aws:SourceVpc", ["Ab*"], ["<a><b>*"]],
    ["StringNotEqualsIgnoreCaseIfExists", "aws:SourceVpc", ["A"], ["<a>"]],
    ["StringEquals", "aws:SourceVpc", ["${aws:username}", "a"], ["a"]],
    ["StringEquals", "aws:SourceVpc", ["${Vpc}", "x-{{vpc}}"], ["{0}", "x-{1}"]],
    ["StringLike", "aws:SourceVpc", ["${Vpc}*"], []],
    ["StringEquals", "aws:PrincipalOrgID", ["${aws:ResourceOrgID}"], ["{0}"]],
    ["StringEquals", "aws:SourceAccount", ["${aws:ResourceAccount}"], ["{0}"]],
    ["StringEquals", "aws:SourceAccount", ["${aws:SourceAccount}"], []],
    ["StringEquals", "aws:SourceVpc", ["a".repeat(5_000), "b"], ["b"]],
    ["Null", "aws:SourceVpc", ["true"], []],
    ["null", "aws:SourceVpc", ["false"], []],
  ])("%s %s %j: %j", (operator, key, values, expected) => {
    const found = limits({ [operator]: { [key]: values } });
    expect(found).toEqual({ [key.toLowerCase()]: expected });
  });

  test("takes them from all statements, and each key its own", () => {
    const found = limits([
      { StringEquals: { "aws:SourceVpc": "a" }, StringLike: { "AWS:sourcevpc": "b" } },
      { StringEquals: { "aws:SourceVpc": "c", "aws:SourceVpce": "d" } },
    ]);
    expect(found).toEqual({ "aws:sourcevpc": ["a", "b", "c"], "aws:sourcevpce": ["d"] });
  });

  test("may be one of the configuration", () => {
    const conditions = {
      StringLike: { "lambda:FunctionArn": ["a", `arn:aws:lambda:*:${account}:*`] },
    };
    expect(limits(conditions)).toEqual({});
    expect(limits(conditions, ["lambda:functionARN"])).toEqual({ "lambda:functionarn": ["a"] });
  });

  test("is the only kind that limits", () => {
    const keys = ["aws:PrincipalTag/a", "aws:Referer", "aws:SourceIp", "aws:ResourceOrgPaths"];
    expect(limits({ StringEquals: Object.fromEntries(keys.map((key) => [key, "a/b"])) })).toEqual(
      {},
    );
  });

  test("reads variables in the version that has them alone", () => {
    const Condition = { StringEquals: { "aws:SourceVpc": "${aws:username}" } };
    const Statement = { Effect: "Allow", Principal: "*", Action: "*", Condition };
    const document = readDocument({ Version: "2008-10-17", Statement }, "trust");
    const found = [...new TrustedValues(document, new Variables(), []).limits()];
    expect(found.map(([, patterns]) => shown(patterns))).toEqual([["${aws:username}"]]);
  });
});

describe("paths of an organisation", () => {
  const principal = "aws:PrincipalOrgPaths";
  test.each<readonly [operator: string, values: object, expected: object]>([
    ["StringLike", { [principal]: "o-1/*" }, { "aws:principalorgpaths": ["o-1/*"] }],
    ["StringLike", { [principal]: "o-1/r-1/ou-1/" }, { "aws:principalorgpaths": ["o-1/*"] }],
    [
      "StringLike",
      { [principal]: ["o-*/r-1/*", "o-1*", "o-1", "*"] },
      { "aws:principalorgpaths": [] },
    ],
    [
      "StringEquals",
      { [principal]: ["${aws:ResourceOrgID}/r-1/", "${aws:SourceOrgID}/r-1/"] },
      { "aws:principalorgpaths": ["{0}/*"] },
    ],
    [
      "StringLike",
      { [principal]: "o-*/r-1/*", "aws:PrincipalOrgID": ["o-1", "o-2*"] },
      { "aws:principalorgid": ["o-1"], "aws:principalorgpaths": ["o-1/*"] },
    ],
    ["StringLike", { "aws:PrincipalOrgID": "o-1" }, { "aws:principalorgid": ["o-1"] }],
    [
      "StringLike",
      { "aws:SourceOrgPaths": "o-1/*", "aws:SourceOrgID": "o-2" },
      { "aws:sourceorgid": ["o-2"], "aws:sourceorgpaths": ["o-2/*", "o-1/*"] },
    ],
    [
      "StringLike",
      { "aws:VpceOrgPaths": "o-1/*", "aws:VpceOrgID": "o-2" },
      { "aws:vpceorgid": ["o-2"], "aws:vpceorgpaths": ["o-2/*", "o-1/*"] },
    ],
  ])("%s %j: %j", (operator, values, expected) => {
    expect(limits({ [operator]: values })).toEqual(expected);
  });
});

describe("ARNs", () => {
  /** ARNs of an account, whatever else they hold. */
  const of = (text: string) => `arn:*[:]:*[:]:*[:]:${text}:*`;
  const topic = `arn:aws:sns:us-east-1:${account}:topic`;
  test.each<readonly [operator: string, values: readonly string[], expected: readonly string[]]>([
    ["ArnEquals", [topic], [topic, of(account)]],
    ["ArnLike", [`arn:aws:sns:*:${account}:*`], [of(account)]],
    ["ArnLike", ["arn:aws:s3:::example"], ["arn:aws:s3:::example"]],
    ["ArnLike", ["arn:aws:s3:::example-*", "arn:aws:sns:*:*:topic", "arn:aws:sns:*:1111*:a"], []],
    ["ArnLike", ["arn:aws:sns:*:${aws:ResourceAccount}:*"], [of("{0}[:]")]],
    ["ArnLike", ["arn:aws:sns:*:${aws:PrincipalAccount}:*"], []],
    ["ArnLike", ["arn:aws:sns:*:${Account}:*"], [of("{0}[:]")]],
    ["StringLike", [`arn:aws:sns:us-east-1:${account}`], [`arn:aws:sns:us-east-1:${account}`]],
    ["StringLike", [`arn:aws:sns:*:${account}`], []],
    ["StringLike", [`arn:aws:sns:*:${account}:a:*`], [of(account)]],
    ["ArnLike", ["${TopicArn}"], ["{0}"]],
    ["ArnLike", ["${FunctionArn}:*"], ["{0}:*"]],
    ["ArnLike", ["${BucketArn}/*"], ["{0}/*"]],
    ["StringLike", ["${Prefix}-*", "${Prefix}*", "a/*", "a:*", "?:*"], []],
    ["StringLike", ["${aws:username}:*", "${aws:username}/*"], []],
    ["StringLike", [""], [""]],
  ])("%s %j: %j", (operator, values, expected) => {
    expect(limits({ [operator]: { "aws:SourceArn": values } })).toEqual({
      "aws:sourcearn": expected,
    });
  });

  test.each([
    [
      `arn:aws:iam::${account}:oidc-provider/a`,
      [`arn:aws:iam::${account}:oidc-provider/a`, of(account)],
    ],
    [`arn:aws:iam::${account}:saml-provider/*`, [of(account)]],
    ["accounts.google.com", []],
    ["arn:aws:iam::*:saml-provider/corp", []],
    ["${ProviderArn}", ["{0}"]],
    [
      "arn:aws:iam::${Account}:saml-provider/corp",
      ["arn:aws:iam::{0}:saml-provider/corp", of("{0}[:]")],
    ],
  ])("of a provider: %s", (value, expected) => {
    const found = limits({ StringLike: { "aws:FederatedProvider": value } });
    expect(found).toEqual({ "aws:federatedprovider": expected });
  });
});

describe("ids and mount targets", () => {
  test.each([
    ["AROAEXAMPLE:*", ["AROAEXAMPLE", "AROAEXAMPLE:*"]],
    ["AROAEXAMPLE:a:b", ["AROAEXAMPLE", "AROAEXAMPLE:*"]],
    ["AIDAEXAMPLE", ["AIDAEXAMPLE", "AIDAEXAMPLE:*"]],
    ["A", ["A", "A:*"]],
    ["AROA*", []],
    ["*:session", []],
    ["${aws:userid}:*", []],
    ["${RoleId}:*", ["{0}", "{0}:*"]],
  ])("%s", (value, expected) => {
    expect(limits({ StringLike: { "aws:userid": value } })).toEqual({ "aws:userid": expected });
  });

  test("an access through a mount target is trusted, whatever is asked of it", () => {
    const key = "elasticfilesystem:AccessedViaMountTarget";
    const expected = { [key.toLowerCase()]: ["true"] };
    expect(limits({ Bool: { [key]: "false" } })).toEqual(expected);
    expect(limits({ Null: { [key]: "false" } })).toEqual(expected);
  });
});

describe("callers that a template fills in", () => {
  const arn = "aws:PrincipalArn";
  const own = "aws:PrincipalAccount";
  test.each<readonly [values: object, accounts: readonly string[], arns: readonly string[]]>([
    [{ [own]: ["${Account}", account] }, ["{0}"], []],
    [{ [own]: ["{{account}}", "${aws:ResourceAccount}", "${Account}*"] }, ["{0}"], []],
    [{ [own]: "1111${Rest}" }, ["1111{0}"], []],
    [{ [arn]: "${RoleArn}" }, [], ["{0}"]],
    [{ [arn]: ["${RoleArn}*", "role", "${aws:username}", "*"] }, [], []],
    [{ [arn]: "arn:aws:iam::${Account}:role/*" }, ["{0}"], []],
    [{ [arn]: `arn:aws:iam::${account}:role/\${Role}` }, [], []],
    [{ [arn]: ["arn:aws:iam::${Account}*:root", "arn:aws:iam::*:role/${Role}"] }, [], []],
    [{ [arn]: "arn:aws:iam::${aws:ResourceAccount}:root" }, [], []],
    [{ [own]: "${Account}", [arn]: "arn:aws:iam::${Other}:root" }, ["{0}", "{1}"], []],
    [{ "aws:SourceAccount": "${Account}", "aws:SourceArn": "${Arn}" }, [], []],
  ])("%j", (values, accounts, arns) => {
    const found = read({ StringLike: values }).placeholders();
    expect(found.accounts.map(tokenText)).toEqual(accounts);
    expect(shown(found.arns)).toEqual(arns);
  });
});
