import { describe, expect, test } from "vitest";
import { relation, type Side, when } from "../../test/support/access.ts";

/** What the left policy allows beside what the right one does, worked out by hand from AWS's rules. */
type Row = readonly [why: string, left: Side, relation: string, right: Side];

const tag = (operator: string, value: unknown) =>
  when({ [operator]: { "aws:PrincipalTag/team": value } });
const all = when({});
const present = { Null: { "aws:PrincipalTag/team": "false" } };
const org = (operator: string, value: string) =>
  when({ [operator]: { "aws:PrincipalOrgID": value } });

const texts: readonly Row[] = [
  [
    "StringEquals reads a star as a character",
    tag("StringEquals", "a*"),
    "narrower",
    tag("StringLike", "a*"),
  ],
  [
    "a question mark is one character",
    tag("StringLike", "a?"),
    "narrower",
    tag("StringLike", "a?*"),
  ],
  [
    "the order of star and question mark does not count",
    tag("StringLike", "a*?"),
    "equal",
    tag("StringLike", "a?*"),
  ],
  ["two question marks are not one", tag("StringLike", "??"), "different", tag("StringLike", "?")],
  ["a star may take nothing", tag("StringLike", "a*"), "equal", tag("StringLike", ["a", "a?*"])],
  [
    "overlapping patterns do not cover their sum",
    tag("StringLike", ["a*", "*b"]),
    "wider",
    tag("StringLike", "a*b"),
  ],
  [
    "begin and end may overlap in one character",
    tag("StringLike", "a*a"),
    "narrower",
    [...tag("StringLike", "a*")],
  ],
  [
    "... but one character is not two",
    when({
      StringLike: { "aws:PrincipalTag/team": "a*" },
      StringNotLike: { "aws:PrincipalTag/team": ["a", "a*a", "a*b"] },
    }),
    "narrower",
    tag("StringLike", "a?*"),
  ],
  [
    "an escaped star is a character",
    tag("StringLike", "a${*}"),
    "equal",
    tag("StringEquals", "a*"),
  ],
  ["so is an escaped question mark", tag("StringLike", "${?}"), "equal", tag("StringEquals", "?")],
  ["and a dollar", tag("StringLike", "${$}"), "equal", tag("StringEquals", "$")],
  [
    "any case is wider than one",
    tag("StringEqualsIgnoreCase", "ab"),
    "wider",
    tag("StringEquals", ["ab", "AB"]),
  ],
  [
    "all cases together are any case",
    tag("StringEqualsIgnoreCase", "Ab"),
    "equal",
    tag("StringEquals", ["ab", "AB", "aB", "Ab"]),
  ],
  [
    "any case against patterns",
    tag("StringEqualsIgnoreCase", "ab"),
    "narrower",
    tag("StringLike", ["a*", "A*"]),
  ],
  [
    "any case against patterns of one case",
    tag("StringEqualsIgnoreCase", "ab"),
    "different",
    tag("StringLike", "a*"),
  ],
  [
    "negated any case",
    tag("StringNotEqualsIgnoreCase", "a"),
    "narrower",
    tag("StringNotEquals", "a"),
  ],
  ["negated patterns", tag("StringNotLike", "a*"), "narrower", tag("StringNotEquals", "a")],
  [
    "a negated pattern and its opposite are everything",
    [...tag("StringNotLike", "a*"), ...tag("StringLike", "a*")],
    "equal",
    all,
  ],
  [
    "the same without the missing key",
    [
      ...when({ StringNotLike: { "aws:PrincipalTag/team": "a*" }, ...present }),
      ...tag("StringLike", "a*"),
    ],
    "equal",
    when(present),
  ],
  ["a star wants the key", tag("StringLike", "*"), "equal", when(present)],
  ["no star leaves only the missing key", tag("StringNotLike", "*"), "equal", tag("Null", "true")],
  [
    "an id without wildcard",
    org("StringLike", "o-a1b2c3d4e5"),
    "equal",
    org("StringEquals", "o-a1b2c3d4e5"),
  ],
];

describe.each([["texts", texts]] as const)("%s", (_, rows) => {
  test.each(rows)("%s", (_why, left, wanted, right) => {
    expect(relation(left, right)).toBe(wanted);
  });
});
