import { describe, expect, test } from "vitest";
import { relation, type Side, when } from "../../test/support/access.ts";

/** What the left policy allows beside what the right one does, worked out by hand from AWS's rules. */
type Row = readonly [why: string, left: Side, relation: string, right: Side];

const tag = (operator: string, value: unknown) =>
  when({ [operator]: { "aws:PrincipalTag/team": value } });
const keys = (operator: string, value: unknown) => when({ [operator]: { "aws:TagKeys": value } });
const none: Side = [];
const present = { Null: { "aws:PrincipalTag/team": "false" } };

const sets: readonly Row[] = [
  [
    "ForAllValues is true without the key",
    keys("ForAllValues:StringEquals", ["a"]),
    "wider",
    keys("Null", "true"),
  ],
  [
    "ForAllValues with more values is wider",
    keys("ForAllValues:StringEquals", ["a", "b"]),
    "wider",
    keys("ForAllValues:StringEquals", "a"),
  ],
  [
    "ForAnyValue leaves the other values open",
    keys("ForAnyValue:StringEquals", "a"),
    "different",
    keys("ForAllValues:StringEquals", ["a", "b"]),
  ],
  [
    "ForAllValues with presence is within ForAnyValue",
    when({
      "ForAllValues:StringEquals": { "aws:TagKeys": ["a", "b"] },
      Null: { "aws:TagKeys": "false" },
    }),
    "narrower",
    keys("ForAnyValue:StringEquals", ["a", "b"]),
  ],
  [
    "a negated ForAnyValue wants one other value",
    keys("ForAnyValue:StringEquals", "b"),
    "narrower",
    keys("ForAnyValue:StringNotEquals", "a"),
  ],
  [
    "a negated ForAnyValue is false without the key",
    keys("Null", "true"),
    "different",
    keys("ForAnyValue:StringNotEquals", "a"),
  ],
  [
    "with IfExists it is true",
    keys("ForAnyValue:StringNotEqualsIfExists", "a"),
    "equal",
    [...keys("ForAnyValue:StringNotEquals", "a"), ...keys("Null", "true")],
  ],
  [
    "a negated ForAllValues excludes each value",
    keys("ForAllValues:StringNotEquals", ["a", "b"]),
    "narrower",
    keys("ForAllValues:StringNotEquals", "a"),
  ],
  [
    "a negated ForAllValues is the opposite of ForAnyValue",
    [
      ...when({}),
      {
        Effect: "Deny",
        Action: "*",
        Resource: "*",
        Condition: { "ForAnyValue:StringEquals": { "aws:TagKeys": ["a", "b"] } },
      },
    ],
    "equal",
    keys("ForAllValues:StringNotEquals", ["a", "b"]),
  ],
  [
    "a Deny of ForAnyValue with a negated operator is ForAllValues",
    [
      ...when({}),
      {
        Effect: "Deny",
        Action: "*",
        Resource: "*",
        Condition: { "ForAnyValue:StringNotEquals": { "aws:TagKeys": ["a", "b"] } },
      },
    ],
    "equal",
    keys("ForAllValues:StringEquals", ["a", "b"]),
  ],
  [
    "two ForAnyValue do not need one value",
    when({
      "ForAnyValue:StringEquals": { "aws:TagKeys": "a" },
      "ForAnyValue:StringLike": { "aws:TagKeys": "b*" },
    }),
    "narrower",
    keys("ForAnyValue:StringLike", ["b*"]),
  ],
  [
    "ForAllValues and ForAnyValue of other values exclude each other",
    when({
      "ForAllValues:StringEquals": { "aws:TagKeys": "a" },
      "ForAnyValue:StringEquals": { "aws:TagKeys": "b" },
    }),
    "equal",
    none,
  ],
  [
    "ForAllValues without values wants no key",
    keys("ForAllValues:StringEquals", []),
    "equal",
    keys("Null", "true"),
  ],
  [
    "ForAllValues with IfExists is the same",
    keys("ForAllValues:StringLikeIfExists", "a*"),
    "equal",
    keys("ForAllValues:StringLike", "a*"),
  ],
  [
    "prefixes fold",
    keys("foranyvalue:stringequals", "a"),
    "equal",
    keys("ForAnyValue:StringEquals", "a"),
  ],
  [
    "ForAllValues of a key with one value is true without it",
    tag("ForAllValues:StringEquals", "a"),
    "equal",
    tag("StringEqualsIfExists", "a"),
  ],
  [
    "ForAnyValue of a key with one value is that value",
    tag("ForAnyValue:StringEquals", "a"),
    "equal",
    tag("StringEquals", "a"),
  ],
  [
    "a negated ForAnyValue of it wants the key",
    tag("ForAnyValue:StringNotEquals", "a"),
    "equal",
    when({ StringNotEquals: { "aws:PrincipalTag/team": "a" }, ...present }),
  ],
  [
    "several values without a set operator are undecided",
    keys("StringEquals", "a"),
    "undecided: set_operator_missing",
    keys("ForAllValues:StringEquals", "a"),
  ],
];

describe.each([["set operators", sets]] as const)("%s", (_, rows) => {
  test.each(rows)("%s", (_why, left, wanted, right) => {
    expect(relation(left, right)).toBe(wanted);
  });
});
