import { describe, expect, test } from "vitest";
import { allow, deny, relation, type Side, when } from "../../test/support/access.ts";

/** What the left policy allows beside what the right one does, worked out by hand from AWS's rules. */
type Row = readonly [why: string, left: Side, relation: string, right: Side];

const on = (...resources: string[]) => [allow("s3:GetObject", resources)];
const none: Side = [];
const b = "arn:aws:s3:::b";
const old = (Statement: Side) => ({ Version: "2008-10-17", Statement });
const unversioned = (Statement: Side) => ({ Statement });
const tagged = (text: string) => on(`${b}/${text}`);
const team = "${aws:PrincipalTag/team}";
const withTag = (Condition: object, resource = `${b}/${team}`) => [
  allow("s3:GetObject", resource, Condition),
];

const variables: readonly Row[] = [
  ["a variable is within a star", tagged(`${team}/*`), "narrower", on(`${b}/*`)],
  [
    "the same variable in another case",
    tagged("${AWS:principaltag/TEAM}/*"),
    "equal",
    tagged(`${team}/*`),
  ],
  ["two variables", tagged("${aws:PrincipalTag/a}"), "different", tagged(team)],
  ["an escaped star is the character", tagged("${*}"), "narrower", tagged("?")],
  ["an escaped question mark too", tagged("${?}x"), "narrower", tagged("?x")],
  [
    "a dollar",
    tagged("${$}{x}"),
    "equal",
    { Version: "2012-10-17", Statement: [allow("s3:GetObject", `${b}/\${$}{x}`)] },
  ],
  ["in an older version it is text", old(tagged(team)), "different", tagged(team)],
  ["... as without a version", unversioned(tagged(team)), "equal", old(tagged(team))],
  [
    "a literal where the tag may have that value",
    tagged(team),
    "wider",
    withTag({ StringEquals: { "aws:PrincipalTag/team": "x" } }),
  ],
  [
    "a tag with two values",
    withTag({ StringEquals: { "aws:PrincipalTag/team": ["x", "y"] } }),
    "narrower",
    on(`${b}/x`, `${b}/y`),
  ],
  [
    "... of which one is not granted",
    withTag({ StringEquals: { "aws:PrincipalTag/team": ["x", "y"] } }),
    "different",
    on(`${b}/x`),
  ],
  [
    "a variable without its key matches nothing",
    withTag({ Null: { "aws:PrincipalTag/team": "true" } }),
    "equal",
    none,
  ],
  [
    "... so NotResource matches everything",
    [
      {
        Effect: "Allow",
        Action: "*",
        NotResource: `${b}/${team}`,
        Condition: { Null: { "aws:PrincipalTag/team": "true" } },
      },
    ],
    "equal",
    when({ Null: { "aws:PrincipalTag/team": "true" } }),
  ],
  [
    "a default is the text without the key",
    tagged("${aws:PrincipalTag/team, 'x'}"),
    "wider",
    tagged(team),
  ],
  [
    "... and the value with it",
    tagged("${aws:PrincipalTag/team, 'x'}"),
    "narrower",
    on(`${b}/${team}`, `${b}/x`),
  ],
  [
    "another default",
    tagged("${aws:PrincipalTag/team, 'x'}"),
    "different",
    tagged("${aws:PrincipalTag/team, 'y'}"),
  ],
  [
    "a default that stays within",
    tagged("${aws:PrincipalTag/team, 'x'}"),
    "narrower",
    on(`${b}/*`),
  ],
  [
    "a default with the key present",
    withTag({ Null: { "aws:PrincipalTag/team": "false" } }, `${b}/\${aws:PrincipalTag/team, 'x'}`),
    "equal",
    tagged(team),
  ],
  ["a key with several values fills no variable", tagged("${aws:TagKeys}"), "equal", none],
  [
    "a session has no user name",
    [
      allow("s3:GetObject", `${b}/\${aws:username}`, {
        StringEquals: { "aws:PrincipalType": "AssumedRole" },
      }),
    ],
    "equal",
    none,
  ],
  [
    "a user has",
    [allow("s3:GetObject", `${b}/\${aws:username}`, { StringEquals: { "aws:username": "alice" } })],
    "equal",
    [allow("s3:GetObject", `${b}/alice`, { StringEquals: { "aws:username": "alice" } })],
  ],
  [
    "a variable in a Deny that is negated",
    [...on("*"), deny("*", "*", { StringNotEquals: { "aws:ResourceTag/team": team } })],
    "equal",
    [allow("s3:GetObject", "*", { StringEquals: { "aws:ResourceTag/team": team } })],
  ],
  [
    "... leaves a hole with IfExists only",
    [...on("*"), deny("*", "*", { StringNotEqualsIfExists: { "aws:ResourceTag/team": team } })],
    "equal",
    [allow("s3:GetObject", "*", { StringEquals: { "aws:ResourceTag/team": team } })],
  ],
  [
    "a variable in a pattern of values",
    [allow("s3:GetObject", "*", { StringEquals: { "s3:prefix": `home/${team}` } })],
    "narrower",
    [allow("s3:GetObject", "*", { StringLike: { "s3:prefix": "home/*" } })],
  ],
  [
    "a star in a value is not a wildcard",
    withTag({ StringEquals: { "aws:PrincipalTag/team": "*" } }),
    "narrower",
    tagged("?"),
  ],
  [
    "a Deny of one value",
    [...tagged(`${team}/*`), deny("s3:*", `${b}/admin/*`)],
    "narrower",
    tagged(`${team}/*`),
  ],
  ["a placeholder is one text", tagged("${var.name}/*"), "narrower", on(`${b}/*`)],
  ["two placeholders", tagged("${var.name}"), "different", tagged("${var.other}")],
  ["a placeholder in an older version", old(tagged("{{name}}")), "equal", tagged("{{name}}")],
];

describe.each([["variables and placeholders", variables]] as const)("%s", (_, rows) => {
  test.each(rows)("%s", (_why, left, wanted, right) => {
    expect(relation(left, right)).toBe(wanted);
  });
});
