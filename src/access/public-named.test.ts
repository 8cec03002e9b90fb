import { describe, expect, test } from "vitest";
import {
  found,
  grant,
  isPublic,
  type Side,
  trust,
  type Wanted,
} from "../../test/support/access.ts";

const account = "111122223333";
const hub = "token.actions.githubusercontent.com";
const anyone = (Condition?: object) => [grant("*", Condition)];
const equals = (values: object) => anyone({ StringEquals: values });

describe("callers that a policy names by a variable", () => {
  const own = "aws:PrincipalAccount";
  const arn = "aws:PrincipalArn";
  const rows: readonly (readonly [why: string, policy: Side, wanted: Wanted])[] = [
    ["the owner, in spaces", equals({ [own]: "${ aws:ResourceAccount }" }), "holds"],
    ["the owner, in small letters", equals({ [own]: "${aws:resourceaccount}" }), "holds"],
    ["an account that a template fills in", equals({ [own]: "${Account}" }), "holds"],
    ["an account in braces", equals({ [own]: "{{account}}" }), "holds"],
    ["a role that a template fills in", equals({ [arn]: "${RoleArn}" }), "holds"],
    [
      "the roles of an account that a template fills in",
      anyone({ ArnLike: { [arn]: "arn:aws:iam::${Account}:role/*" } }),
      "holds",
    ],
    [
      "the account of a source, which the caller may own",
      equals({ [own]: "${aws:SourceAccount}" }),
      "violated",
    ],
    [
      "the owner or an account that a pattern fits",
      anyone({ StringLike: { [own]: ["${aws:ResourceAccount}", "4*"] } }),
      "violated",
    ],
  ];
  test.each(rows)("%s", (_why, policy, wanted) => {
    expect(found(isPublic(policy))).toEqual(wanted);
  });

  test("in a version without variables are not named", () => {
    const Statement = equals({ [own]: "${aws:ResourceAccount}" });
    const answer = isPublic({ Version: "2008-10-17", Statement });
    // Nothing says what the account that a service acts for looks like.
    expect(answer.violations.map(({ witness }) => witness.principal.type)).toEqual(["Service"]);
  });

  test("are named where no condition says so", () => {
    const owner = { Resource: "arn:aws:s3:::${aws:ResourceAccount}/*" };
    const like = { StringLike: { [own]: "4*" } };
    expect(found(isPublic([{ ...grant("*", like), ...owner }]))).toBe("violated");
  });

  test("lack a variable of the subject: no token has it", () => {
    const sub = { StringLike: { [`${hub}:sub`]: "repo:octo/${aws:username}" } };
    const Federated = `arn:aws:iam::${account}:oidc-provider/${hub}`;
    const policy = [trust("sts:AssumeRoleWithWebIdentity", { Federated }, sub)];
    expect(found(isPublic(policy, "trust"))).toBe("holds");
  });
});

describe("further keys", () => {
  const some = (values: readonly string[]) =>
    anyone({ "ForAnyValue:StringLike": { "aws:CalledVia": values } });
  const via = "athena.amazonaws.com";
  test.each<readonly [why: string, policy: Side, extra: readonly string[], wanted: Wanted]>([
    ["a service on the way", some([via]), ["aws:CalledVia"], "holds"],
    ["a service on the way, key not listed", some([via]), [], "violated"],
    ["any service on the way", some(["*.amazonaws.com"]), ["aws:CalledVia"], "violated"],
    [
      "a service on the way, where there is one",
      anyone({ "ForAllValues:StringEquals": { "aws:CalledVia": via } }),
      ["aws:CalledVia"],
      "violated",
    ],
    [
      "a number",
      anyone({ NumericLessThan: { "aws:MultiFactorAuthAge": "3600" } }),
      ["aws:MultiFactorAuthAge"],
      "violated",
    ],
    [
      "an address",
      anyone({ IpAddress: { "aws:VpcSourceIp": "10.0.0.0/8" } }),
      ["aws:VpcSourceIp"],
      "violated",
    ],
    [
      "a key without a fixed value",
      anyone({ StringLike: { "aws:PrincipalTag/team": "a*" } }),
      ["aws:PrincipalTag/team"],
      "violated",
    ],
  ])("%s", (_why, policy, extra, wanted) => {
    expect(found(isPublic(policy, "resource", extra))).toEqual(wanted);
  });
});

describe("statements", () => {
  const office = { IpAddress: { "aws:SourceIp": "203.0.113.0/24" } };
  test("of which one has no limit by address", () => {
    expect(found(isPublic([...anyone(office), ...anyone()]))).toBe("violated");
  });

  test("give values for each other", () => {
    const open = { StringLike: { "aws:SourceVpce": "vpce-1" } };
    const policy = [...equals({ "aws:SourceVpce": "vpce-1" }), ...anyone(open)];
    expect(found(isPublic(policy))).toBe("holds");
  });

  test.each<readonly [policy: Side, construct: string, path: string]>([
    [[{ ...grant("*"), Effect: "Perhaps" }], "invalid_statement", "/Statement/0"],
    // It may be a Deny of all.
    [[...anyone(), { Effect: "Perhaps" }], "invalid_statement", "/Statement/1"],
    [
      anyone({ StringFuzzy: { "aws:SourceVpc": "a" } }),
      "unknown_operator",
      "/Statement/0/Condition/StringFuzzy/aws:SourceVpc",
    ],
    [
      [...anyone(), { ...grant("*", { StringFuzzy: { "aws:SourceVpc": "a" } }), Effect: "Deny" }],
      "unknown_operator",
      "/Statement/1/Condition/StringFuzzy/aws:SourceVpc",
    ],
  ])("that cannot be read leave the question open: %j", (policy, construct, path) => {
    expect(isPublic(policy).undecided_by).toMatchObject([{ construct, path, side: "policy" }]);
  });

  test("are named by a violation", () => {
    const [first, ...others] = isPublic([grant({ AWS: account }), grant("*")]).violations;
    expect(first).toMatchObject({
      statement_index: 1,
      reason: "public",
      principal_entry: 0,
      other_statement: null,
      witness: { principal: { type: "Anonymous" }, context: {} },
    });
    expect(others).toEqual([]);
  });
});
