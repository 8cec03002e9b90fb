import { describe, expect, test } from "vitest";
import { objectDocument } from "../../../policy/document.ts";
import { normalisePolicy } from "../../../policy/normalise.ts";
import { embeddedServices } from "../../../services/embedded.ts";
import { grantCondition } from "./grant-conditions.ts";
import { underDenies } from "./under-denies.ts";

const services = embeddedServices();

/** What an Allow of `iam:PassRole` on everything is limited by beside a Deny with these members. */
function limitsBeside(deny: object, allow: object = {}) {
  const document = objectDocument({
    Version: "2012-10-17",
    Statement: [
      { Effect: "Allow", Action: ["iam:PassRole", "s3:GetObject"], Resource: "*", ...allow },
      { Effect: "Deny", Action: "iam:*", Resource: "*", ...deny },
    ],
  });
  const policy = normalisePolicy(document, {
    type: "IDENTITY_POLICY",
    typeSource: "default",
    name: null,
  });
  const [statement] = policy.statements;
  if (!statement) throw new Error("the policy has two statements");
  const context = { policy, services };
  const limited = underDenies(statement, "iam:PassRole", context);
  return {
    limits: limited.conditions.map(({ operatorText, key, values }) =>
      [operatorText, key, ...values.map(({ text }) => text)].join(" "),
    ),
    counts: grantCondition(limited, context).counts,
    other: underDenies(statement, "s3:GetObject", context).conditions.length,
  };
}

const passedTo = (value: string) => ({ "iam:PassedToService": value });

describe("an Allow beside a Deny with a condition", () => {
  test.each([
    [
      { StringNotEquals: passedTo("ec2.amazonaws.com") },
      "StringEquals iam:PassedToService ec2.amazonaws.com",
    ],
    [{ StringNotLikeIfExists: passedTo("ec2*") }, "StringLike iam:PassedToService ec2*"],
    [
      { BoolIfExists: { "aws:MultiFactorAuthPresent": "false" } },
      "Bool aws:MultiFactorAuthPresent true",
    ],
    [{ Null: { "aws:ResourceTag/team": "true" } }, "Null aws:ResourceTag/team false"],
    [
      { NotIpAddress: { "aws:SourceIp": "203.0.113.0/24" } },
      "IpAddress aws:SourceIp 203.0.113.0/24",
    ],
    [
      {
        NotIpAddress: { "aws:SourceIp": "203.0.113.0/24" },
        Bool: { "aws:ViaAWSService": "false" },
      },
      "IpAddress aws:SourceIp 203.0.113.0/24",
    ],
    [
      { "ForAllValues:StringNotEquals": { "aws:TagKeys": "team" } },
      "ForAnyValue:StringEquals aws:TagKeys team",
    ],
  ])("is as narrow as with the opposite of %j", (Condition, limit) => {
    expect(limitsBeside({ Condition })).toEqual({ limits: [limit], counts: true, other: 0 });
  });

  test.each([
    // Requests without the key escape.
    { Bool: { "aws:MultiFactorAuthPresent": "false" } },
    { "ForAnyValue:StringNotEquals": { "aws:TagKeys": "team" } },
    // All callers but one keep the right.
    { StringEquals: { "aws:PrincipalTag/team": "guests" } },
    // Escaping one of two tests is enough.
    { StringNotEquals: { "aws:PrincipalTag/team": "x", "aws:PrincipalTag/site": "y" } },
    { StringNotEquals: { "aws:RequestedRegion": "eu-west-1" } },
  ])("is not limited by %j", (Condition) => {
    expect(limitsBeside({ Condition })).toEqual({ limits: [], counts: false, other: 0 });
  });

  test("is not limited by a Deny of other resources or actions", () => {
    const Condition = { StringNotEquals: passedTo("ec2.amazonaws.com") };
    const role = "arn:aws:iam::111122223333:role/admin";
    expect(limitsBeside({ Condition, Resource: role }).limits).toEqual([]);
    expect(limitsBeside({ Condition, Action: "iam:Create*" }).limits).toEqual([]);
  });

  test("keeps its own condition", () => {
    const Condition = { StringNotEquals: passedTo("ec2.amazonaws.com") };
    const own = { Condition: { StringEquals: { "aws:ResourceTag/team": "x" } } };
    expect(limitsBeside({ Condition }, own).limits).toEqual([
      "StringEquals aws:ResourceTag/team x",
      "StringEquals iam:PassedToService ec2.amazonaws.com",
    ]);
  });
});
