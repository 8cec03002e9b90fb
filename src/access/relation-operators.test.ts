import { describe, expect, test } from "vitest";
import { relation, type Side, when } from "../../test/support/access.ts";

/** What the left policy allows beside what the right one does, worked out by hand from AWS's rules. */
type Row = readonly [why: string, left: Side, relation: string, right: Side];

const tag = (operator: string, value: unknown) =>
  when({ [operator]: { "aws:PrincipalTag/team": value } });
const all = when({});
const none: Side = [];

const several: readonly Row[] = [
  [
    "values of a negated operator mean none of them",
    tag("StringNotEquals", ["a", "b"]),
    "narrower",
    tag("StringNotEquals", "a"),
  ],
  [
    "values of a positive operator are alternatives",
    tag("StringEquals", ["a", "b"]),
    "wider",
    tag("StringEquals", "a"),
  ],
  [
    "another value passes a negated operator",
    tag("StringEquals", "b"),
    "narrower",
    tag("StringNotEquals", "a"),
  ],
  [
    "one value of the list does not",
    tag("StringEquals", ["a", "b"]),
    "different",
    tag("StringNotEquals", "a"),
  ],
  [
    "a missing key passes a negated operator",
    tag("Null", "true"),
    "narrower",
    tag("StringNotEquals", "a"),
  ],
  [
    "IfExists changes nothing on a negated operator",
    tag("StringNotEqualsIfExists", "a"),
    "equal",
    tag("StringNotEquals", "a"),
  ],
  [
    "IfExists adds the missing key to a positive one",
    tag("StringEqualsIfExists", "a"),
    "wider",
    tag("StringEquals", "a"),
  ],
  [
    "... and nothing else",
    tag("StringEqualsIfExists", "a"),
    "equal",
    [...tag("StringEquals", "a"), ...tag("Null", "true")],
  ],
  ["Null with true and false is always true", tag("Null", ["true", "false"]), "equal", all],
  ["Null with another text is never true", tag("Null", "maybe"), "equal", none],
  ["Null folds its values", tag("Null", "TRUE"), "equal", tag("Null", true)],
  ["Null without values is never true", tag("Null", []), "equal", none],
  ["a positive operator without values is never true", tag("StringEquals", []), "equal", none],
  [
    "with IfExists it is true without the key",
    tag("StringEqualsIfExists", []),
    "equal",
    tag("Null", "true"),
  ],
  ["a negated operator without values is always true", tag("StringNotEquals", []), "equal", all],
  ["an operator without keys is always true", when({ StringEquals: {} }), "equal", all],
  [
    "keys fold",
    when({ StringEquals: { "AWS:principaltag/TEAM": "a" } }),
    "equal",
    tag("StringEquals", "a"),
  ],
  ["operators fold", tag("stringequals", "a"), "equal", tag("StringEquals", "a")],
  ["values do not", tag("StringEquals", "A"), "different", tag("StringEquals", "a")],
  [
    "two operators of one key hold together",
    when({
      StringLike: { "aws:PrincipalTag/team": "a*" },
      StringNotEquals: { "aws:PrincipalTag/team": "ab" },
    }),
    "narrower",
    tag("StringLike", "a*"),
  ],
  [
    "numbers and booleans count as their text",
    tag("StringEquals", [1, true]),
    "equal",
    tag("StringEquals", ["1", "true"]),
  ],
  [
    "keys of two services are two keys",
    when({ StringEquals: { "ec2:ResourceTag/a": "x" } }),
    "different",
    when({ StringEquals: { "aws:ResourceTag/a": "x" } }),
  ],
  [
    "an unknown operator is the same on both sides",
    tag("StringFuzzy", "a"),
    "equal",
    tag("StringFuzzy", "a"),
  ],
  [
    "with other values it is not",
    tag("StringFuzzy", "a"),
    "undecided: unknown_operator",
    tag("StringFuzzy", "b"),
  ],
  [
    "an unknown operator only narrows an Allow",
    [...tag("StringFuzzy", "a")],
    "undecided: unknown_operator",
    none,
  ],
];

describe.each([["several values, missing keys", several]] as const)("%s", (_, rows) => {
  test.each(rows)("%s", (_why, left, wanted, right) => {
    expect(relation(left, right)).toBe(wanted);
  });
});
