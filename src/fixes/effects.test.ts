import { describe, expect, test } from "vitest";
import { testServices } from "../../test/support/run-check.ts";
import type { AccessType } from "../access/document.ts";
import { type Proof, prove } from "./effects.ts";

const bucket = "arn:aws:s3:::reports/*";
const allow = { Effect: "Allow", Action: "s3:GetObject", Resource: bucket };
const deny = { ...allow, Effect: "Deny" };
const mfa = (value: string, operator = "Bool") => ({
  Condition: { [operator]: { "aws:MultiFactorAuthPresent": value } },
});
const policy = (...Statement: object[]) => ({ Version: "2012-10-17", Statement });

function proofOf(
  claim: "equivalent" | "narrows",
  before: unknown,
  after: unknown,
  {
    type = "identity",
    steps = 200_000,
    values = 1_000_000,
  }: { type?: AccessType; steps?: number; values?: number } = {},
): { readonly proof: Proof; readonly steps: number } {
  const budget = { steps, values };
  const proving = prove(claim, before, after, { type, services: testServices, budget });
  if (typeof proving === "string") return { proof: proving, steps: 0 };
  for (;;) {
    const step = proving.next();
    if (step.done) return { proof: step.value, steps: steps - budget.steps };
  }
}

const list = ["s3:GetObject", "s3:Get*"];
const variable = { ...allow, Resource: "arn:aws:s3:::reports/${aws:username}" };

/** Title, before, after; what is proven of `equivalent` and of `narrows`. */
const table: readonly (readonly [string, object, object, Proof, Proof])[] = [
  [
    "a covered action is removed",
    policy({ ...allow, Action: list }),
    policy({ ...allow, Action: ["s3:Get*"] }),
    "holds",
    "holds",
  ],
  [
    "the covering action is removed",
    policy({ ...allow, Action: list }),
    policy({ ...allow, Action: ["s3:GetObject"] }),
    "fails",
    "holds",
  ],
  [
    "a pattern is read as text: a question mark does not cover a star",
    policy({ ...allow, Action: ["s3:GetObject*", "s3:GetObject?*"] }),
    policy({ ...allow, Action: ["s3:GetObject?*"] }),
    "fails",
    "holds",
  ],
  [
    "a covered resource is removed",
    policy({ ...allow, Resource: [bucket, "arn:aws:s3:::*"] }),
    policy({ ...allow, Resource: ["arn:aws:s3:::*"] }),
    "holds",
    "holds",
  ],
  [
    "a covered exception of NotAction is removed",
    policy({ Effect: "Allow", NotAction: list, Resource: "*" }),
    policy({ Effect: "Allow", NotAction: ["s3:Get*"], Resource: "*" }),
    "holds",
    "holds",
  ],
  [
    "an exception of NotAction is removed",
    policy({ Effect: "Allow", NotAction: ["iam:*", "s3:*"], Resource: "*" }),
    policy({ Effect: "Allow", NotAction: ["iam:*"], Resource: "*" }),
    "fails",
    "fails",
  ],
  ["an Allow gets a test", policy(allow), policy({ ...allow, ...mfa("true") }), "fails", "holds"],
  ["a Deny gets a test", policy(deny), policy({ ...deny, ...mfa("true") }), "fails", "fails"],
  [
    "an Allow loses IfExists",
    policy({ ...allow, ...mfa("true", "BoolIfExists") }),
    policy({ ...allow, ...mfa("true") }),
    "fails",
    "holds",
  ],
  [
    "a Deny loses IfExists",
    policy({ ...deny, ...mfa("false", "BoolIfExists") }),
    policy({ ...deny, ...mfa("false") }),
    "fails",
    "fails",
  ],
  [
    "a Deny gets IfExists",
    policy({ ...deny, ...mfa("false") }),
    policy({ ...deny, ...mfa("false", "BoolIfExists") }),
    "fails",
    "holds",
  ],
  [
    "a duplicate statement is removed",
    policy(allow, { ...allow }),
    policy(allow),
    "holds",
    "holds",
  ],
  ["an Allow is removed", policy(allow, deny), policy(deny), "fails", "holds"],
  ["a Deny is removed", policy(allow, deny), policy(allow), "fails", "fails"],
  [
    "an Allow that two others cover together is removed",
    policy(allow, { ...allow, ...mfa("true") }, { ...allow, ...mfa("false", "BoolIfExists") }),
    policy({ ...allow, ...mfa("true") }, { ...allow, ...mfa("false", "BoolIfExists") }),
    "holds",
    "holds",
  ],
  [
    "a statement is split",
    policy({ ...allow, Action: ["s3:GetObject", "s3:PutObject"] }),
    policy(allow, { ...allow, Action: "s3:PutObject" }),
    "holds",
    "holds",
  ],
  ["Version is added without variables", { Statement: allow }, policy(allow), "holds", "holds"],
  ["Version is added with variables", { Statement: variable }, policy(variable), "fails", "fails"],
  [
    "an Effect becomes readable",
    policy({ ...allow, Effect: "allows" }),
    policy(allow),
    "undecided",
    "undecided",
  ],
];

describe("the promise of a fix", () => {
  test.each(table)("where %s", (_, before, after, equivalent, narrows) => {
    // The unchanged statements are shared, as they are after a patch.
    expect(proofOf("equivalent", before, after).proof).toBe(equivalent);
    expect(proofOf("narrows", before, after).proof).toBe(narrows);
  });

  test("is proven from the texts where they show it, without a step of the procedure", () => {
    const [, before, after] = table[0] ?? [];
    expect(proofOf("equivalent", before, after)).toEqual({ proof: "holds", steps: 0 });
  });

  test.each([
    [
      "narrows",
      { ...allow, Resource: "arn:aws:kms:*:*:*" },
      { ...allow, Resource: "arn:aws:kms:<region>:<account-id>:key/<key-id>" },
    ],
    [
      "equivalent",
      { ...allow, Resource: ["arn:aws:sqs:*:*:jobs*", "arn:aws:sqs:*:*:jobs-new*"] },
      { ...allow, Resource: "arn:aws:sqs:*:*:jobs*" },
    ],
    [
      "equivalent",
      { ...allow, Condition: { StringLike: { "aws:PrincipalTag/team": "*" } } },
      { ...allow, Condition: { Null: { "aws:PrincipalTag/team": "false" } } },
    ],
    [
      "equivalent",
      { ...deny, Condition: { StringNotLike: { "aws:PrincipalTag/team": "*" } } },
      { ...deny, Condition: { Null: { "aws:PrincipalTag/team": "true" } } },
    ],
  ] as const)(
    "%s needs no step where the fields or tests of both show it: %j",
    (claim, one, other) => {
      expect(proofOf(claim, policy(one), policy(other))).toEqual({ proof: "holds", steps: 0 });
    },
  );

  test("does not take a field of an ARN for another", () => {
    const wide = { ...allow, Resource: "arn:aws:sqs:eu-*:*:jobs" };
    const other = { ...allow, Resource: "arn:aws:sqs:us-east-1:*:jobs" };
    expect(proofOf("narrows", policy(wide), policy(other)).proof).toBe("fails");
  });

  test("is undecided when no steps are left", () => {
    const before = policy({ ...allow, ...mfa("true") });
    const after = policy({
      ...allow,
      Condition: { StringEquals: { "aws:MultiFactorAuthPresent": "true" } },
    });
    expect(proofOf("narrows", before, after, { steps: 0 }).proof).toBe("undecided");
  });

  test("of a resource policy compares principals, too", () => {
    const one = { ...allow, Principal: { AWS: "111122223333" } };
    const two = { ...allow, Principal: { AWS: ["111122223333", "444455556666"] } };
    const type = "resource";
    expect(proofOf("narrows", policy(two), policy(one), { type }).proof).toBe("holds");
    expect(proofOf("narrows", policy(one), policy(two), { type }).proof).toBe("fails");
  });
});

test("a proof that would read more values than are left is not tried", () => {
  const from = (range: string) =>
    policy({ ...allow, Condition: { IpAddress: { "aws:SourceIp": range } } });
  const [before, after] = [from("203.0.113.7/24"), from("203.0.113.0/24")];
  // An action, a resource and a range of each side.
  expect(proofOf("narrows", before, after, { values: 6 }).proof).toBe("holds");
  expect(proofOf("narrows", before, after, { values: 5 }).proof).toBe("undecided");
});
