import { describe, expect, test } from "vitest";
import { allow, deny, granted, relation, type Side, when } from "../../test/support/access.ts";

/** What the left policy allows beside what the right one does, worked out by hand from AWS's rules. */
type Row = readonly [why: string, left: Side, relation: string, right: Side];

const bucket = "arn:aws:s3:::b";
const name = "${aws:username}";
const account = "${aws:PrincipalAccount}";
const [team, area] = ["${aws:PrincipalTag/team}", "${aws:PrincipalTag/area}"];
const objects = (...paths: readonly string[]) =>
  allow(
    "s3:*",
    paths.map((path) => `${bucket}/${path}`),
  );
const without = (...paths: readonly string[]) => ({ ...objects(...paths), Effect: "Deny" });

const inResources: readonly Row[] = [
  ["a home is inside all homes", [objects(`${name}/*`)], "narrower", [objects("*")]],
  ["a home is not that of a user", [objects(`${name}/*`)], "different", [objects("alice/*")]],
  [
    "a home is not one of a list, also where the list holds the usual names",
    [objects("alice/*", "example/*", "other/*")],
    "different",
    [objects(`${name}/*`)],
  ],
  [
    "a Deny of one home",
    [objects(`${name}/*`), without("alice/*")],
    "narrower",
    [objects(`${name}/*`)],
  ],
  [
    "a Deny of two homes",
    [objects(`${name}/*`), without("alice/*", "bob/*")],
    "narrower",
    [objects(`${name}/*`)],
  ],
  [
    "a Deny of all but the own home",
    [allow("s3:*", "*"), { Effect: "Deny", Action: "s3:*", NotResource: `${bucket}/${name}/*` }],
    "equal",
    [objects(`${name}/*`)],
  ],
  [
    "a folder that is written out beside folders that begin with a tag",
    [objects(`${team}*`)],
    "narrower",
    [objects(`${team}*`, "shared/x")],
  ],
  [
    "a folder beside buckets that begin with the account",
    [objects(`${account}*`)],
    "narrower",
    [objects(`${account}*`, "logs/*")],
  ],
  [
    "two variables in another order",
    [objects(`${team}/${area}`)],
    "different",
    [objects(`${area}/${team}`)],
  ],
  ["two variables inside two stars", [objects(`${team}/${area}`)], "narrower", [objects("*/*")]],
  [
    "a tag with two values",
    [
      allow("s3:*", `${bucket}/${team}/*`, {
        StringEquals: { "aws:PrincipalTag/team": ["x", "y"] },
      }),
    ],
    "narrower",
    [objects("x/*", "y/*")],
  ],
  [
    "roles of the caller's account among the roles of every account",
    [allow("sts:AssumeRole", `arn:aws:iam::${account}:role/*`)],
    "narrower",
    [allow("sts:AssumeRole", "arn:aws:iam::*:role/*")],
  ],
  [
    "roles of the caller's account beside those of one account",
    [allow("sts:AssumeRole", `arn:aws:iam::${account}:role/*`)],
    "different",
    [allow("sts:AssumeRole", "arn:aws:iam::111122223333:role/*")],
  ],
  [
    "a placeholder of a template beside a name",
    [allow("s3:*", "arn:aws:s3:::${Bucket}/*")],
    "different",
    [objects("*")],
  ],
];

const equalTags = (operator: string, key: string, value: string) =>
  when({ [operator]: { [`aws:PrincipalTag/${key}`]: value } });

const inConditions: readonly Row[] = [
  [
    "two tags that are equal but for letter case, in either order",
    equalTags("StringEqualsIgnoreCase", "area", team),
    "equal",
    equalTags("StringEqualsIgnoreCase", "team", area),
  ],
  [
    "the capital may end the value, or have one more character",
    when({ StringEqualsIgnoreCase: { "aws:PrincipalTag/team": `a${area}` } }),
    "undecided: policy_variable",
    when({ StringLike: { "aws:PrincipalTag/team": ["a*", "A??*"] } }),
  ],
  [
    "one of them may be absent where they must differ",
    equalTags("StringNotEqualsIgnoreCase", "area", team),
    "different",
    equalTags("StringEqualsIgnoreCase", "team", area),
  ],
  [
    "equal tags are less than two tags",
    when({ StringEquals: { "aws:ResourceTag/team": team } }),
    "narrower",
    when({ Null: { "aws:ResourceTag/team": "false", "aws:PrincipalTag/team": "false" } }),
  ],
  [
    "different tags beside another value",
    when({ StringNotEquals: { "aws:PrincipalTag/area": team } }),
    "different",
    when({ StringNotEquals: { "aws:PrincipalTag/area": "example" } }),
  ],
  [
    "a tag that begins with another",
    when({ StringLike: { "aws:RequestTag/team": `${team}*` } }),
    "wider",
    when({ StringEquals: { "aws:RequestTag/team": team } }),
  ],
  [
    "the caller's account beside one account",
    when({ StringEquals: { "aws:ResourceAccount": account } }),
    "different",
    when({ StringEquals: { "aws:ResourceAccount": "111122223333" } }),
  ],
  [
    "the caller's account in an ARN",
    when({ ArnLike: { "aws:SourceArn": `arn:aws:sns:*:${account}:*` } }),
    "narrower",
    when({ ArnLike: { "aws:SourceArn": "arn:aws:sns:*:*:*" } }),
  ],
  [
    "a Deny of other organizations is an Allow of the own one",
    [
      allow("*", "*"),
      deny("*", "*", { StringNotEquals: { "aws:ResourceOrgID": "${aws:PrincipalOrgID}" } }),
    ],
    "equal",
    when({ StringEquals: { "aws:ResourceOrgID": "${aws:PrincipalOrgID}" } }),
  ],
];

describe.each([
  ["resources", inResources],
  ["conditions", inConditions],
] as const)("variables in %s", (_, rows) => {
  test.each(rows)("%s", (_why, left, wanted, right) => {
    expect(relation(left, right)).toBe(wanted);
  });
});

test.each(["alice", "secret/x"])("a variable may be the forbidden %s", (path) => {
  const policy = [objects(`${name}/*`)];
  expect(granted(policy, { resources: [`${bucket}/${path}/*`] }).verdict).toBe("violated");
});
