import { expect, test } from "vitest";
import {
  allow,
  deny,
  type Forbidden,
  found,
  grant,
  granted,
  type Side,
  type Wanted,
} from "../../test/support/access.ts";

/** Whether a policy allows what is forbidden, worked out by hand. */
type Row = readonly [why: string, policy: Side, forbidden: Forbidden, wanted: Wanted];

const secrets = "arn:aws:s3:::secrets/*";
const all = [allow("*", "*")];
const org = { StringEquals: { "aws:PrincipalOrgID": "o-a1b2c3d4e5" } };
const mfa = { Bool: { "aws:MultiFactorAuthPresent": "true" } };

const rows: readonly Row[] = [
  ["everything is granted", all, { actions: ["iam:PassRole"] }, "violated"],
  ["another action", [allow("s3:*", "*")], { actions: ["iam:*"] }, "holds"],
  [
    "letter case of actions",
    [allow("IAM:passrole", "*")],
    { actions: ["iam:PassRole"] },
    "violated",
  ],
  [
    "a pattern that meets a pattern",
    [allow("s3:*Object", "*")],
    { actions: ["s3:Put*"] },
    "violated",
  ],
  ["patterns that do not meet", [allow("s3:Get*", "*")], { actions: ["s3:Put*"] }, "holds"],
  [
    "NotAction",
    [{ Effect: "Allow", NotAction: "iam:*", Resource: "*" }],
    { actions: ["iam:PassRole"] },
    "holds",
  ],
  [
    "NotAction of something else",
    [{ Effect: "Allow", NotAction: "s3:*", Resource: "*" }],
    { actions: ["iam:PassRole"] },
    "violated",
  ],
  ["a resource", [allow("s3:*", "arn:aws:s3:::public/*")], { resources: [secrets] }, "holds"],
  [
    "a resource within a star",
    [allow("s3:*", "arn:aws:s3:::*")],
    { resources: [secrets] },
    "violated",
  ],
  [
    "action and resource in two statements",
    [allow("s3:GetObject", "arn:aws:s3:::public/*"), allow("s3:PutObject", secrets)],
    { actions: ["s3:GetObject"], resources: [secrets] },
    "holds",
  ],
  [
    "action and resource in one",
    [allow(["s3:GetObject", "s3:PutObject"], ["arn:aws:s3:::public/*", secrets])],
    { actions: ["s3:GetObject"], resources: [secrets] },
    "violated",
  ],
  [
    "NotResource",
    [{ Effect: "Allow", Action: "*", NotResource: secrets }],
    { resources: [secrets] },
    "holds",
  ],
  ["a Deny of it", [...all, deny("iam:PassRole", "*")], { actions: ["iam:PassRole"] }, "holds"],
  [
    "a Deny of a part",
    [...all, deny("iam:PassRole", "arn:aws:iam::*:role/admin")],
    { actions: ["iam:PassRole"] },
    "violated",
  ],
  [
    "two Denies that cover it together",
    [
      ...all,
      deny("iam:PassRole", "*", { Null: { "aws:PrincipalTag/a": "true" } }),
      deny("iam:*", "*", { Null: { "aws:PrincipalTag/a": "false" } }),
    ],
    { actions: ["iam:PassRole"] },
    "holds",
  ],
  [
    "an exception that the grant asks for",
    [allow("*", "*", org)],
    { actions: ["iam:*"], unless: [org] },
    "holds",
  ],
  [
    "an exception with IfExists in the grant",
    [allow("*", "*", { StringEqualsIfExists: { "aws:PrincipalOrgID": "o-a1b2c3d4e5" } })],
    { actions: ["iam:*"], unless: [org] },
    "violated",
  ],
  [
    "an exception that a Deny brings about",
    [...all, deny("*", "*", { BoolIfExists: { "aws:MultiFactorAuthPresent": "false" } })],
    { actions: ["iam:*"], unless: [mfa] },
    "holds",
  ],
  [
    "a Deny that misses the key",
    [...all, deny("*", "*", { Bool: { "aws:MultiFactorAuthPresent": "false" } })],
    { actions: ["iam:*"], unless: [mfa] },
    "violated",
  ],
  [
    "one exception of two",
    [allow("*", "*", mfa)],
    { actions: ["iam:*"], unless: [org, mfa] },
    "holds",
  ],
  [
    "a block asks for all of its keys",
    [allow("*", "*", mfa)],
    { actions: ["iam:*"], unless: [{ ...org, ...mfa }] },
    "violated",
  ],
  [
    "exceptions that are complete together",
    all,
    {
      actions: ["iam:*"],
      unless: [
        { Null: { "aws:PrincipalTag/a": "true" } },
        { StringLike: { "aws:PrincipalTag/a": "*" } },
      ],
    },
    "holds",
  ],
  [
    "a variable in the policy",
    [allow("s3:GetObject", "arn:aws:s3:::home/${aws:PrincipalTag/team}/*")],
    { resources: ["arn:aws:s3:::home/admin/*"] },
    "violated",
  ],
  [
    "... that has another value",
    [
      allow("s3:GetObject", "arn:aws:s3:::home/${aws:PrincipalTag/team}/*", {
        StringEquals: { "aws:PrincipalTag/team": "dev" },
      }),
    ],
    { resources: ["arn:aws:s3:::home/admin/*"] },
    "holds",
  ],
  [
    "an unknown operator",
    [allow("*", "*", { StringFuzzy: { "aws:PrincipalTag/a": "b" } })],
    { actions: ["iam:*"] },
    { undecided: "unknown_operator" },
  ],
  [
    "a Deny that cannot be read",
    [...all, { ...deny("*", "*"), Action: 5 }],
    { actions: ["iam:*"] },
    { undecided: "invalid_statement" },
  ],
  ["no statements", [], { actions: ["*"] }, "holds"],
];

test.each(rows)("identity policy: %s", (_why, policy, forbidden, wanted) => {
  expect(found(granted(policy, forbidden))).toEqual(wanted);
});

test("a witness meets the action and the resource, and no exception", () => {
  const policy = [allow("s3:*", "arn:aws:s3:::secrets/*")];
  const answer = granted(policy, { actions: ["s3:Put*"], resources: [secrets], unless: [mfa] });
  const [violation] = answer.violations;
  expect(violation).toMatchObject({ kind: "grants", reason: "forbidden", statement_index: 0 });
  expect(violation?.witness.action).toMatch(/^s3:Put/);
  expect(violation?.witness.resource).toMatch(/^arn:aws:s3:::secrets\//);
  expect(violation?.witness.context).toEqual({});
});

test("a resource policy is asked about the callers that it lets in", () => {
  const policy = [grant({ AWS: "111122223333" })];
  const unless = [{ StringEquals: { "aws:PrincipalAccount": "111122223333" } }];
  expect(found(granted(policy, { actions: ["s3:*"], unless }, "resource"))).toBe("holds");
  expect(found(granted([grant("*")], { actions: ["s3:*"], unless }, "resource"))).toBe("violated");
});
