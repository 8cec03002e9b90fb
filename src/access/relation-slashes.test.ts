import { describe, expect, test } from "vitest";
import { newAccess, relation, type Side, when } from "../../test/support/access.ts";

/** What the left policy allows beside what the right one does, worked out by hand from AWS's rules. */
type Row = readonly [why: string, left: Side, relation: string, right: Side];

const arn = (operator: string, value: string) =>
  when({ [operator]: { "aws:PrincipalArn": `arn:aws:iam::111122223333:${value}` } });
const name = (operator: string, value: string) => when({ [operator]: { "aws:username": value } });
const org = (operator: string, value: string) =>
  when({ [operator]: { "aws:PrincipalOrgID": value } });
const path = (value: string) => when({ StringLike: { "aws:PrincipalOrgPaths": value } });
const none: Side = [];

describe("the name of a user is the last part of its ARN", () => {
  test.each<Row>([
    ["a star runs into the path", arn("ArnLike", "user/a*"), "different", name("StringLike", "a*")],
    [
      "a star after a path does so too",
      arn("ArnLike", "user/x/a*"),
      "different",
      name("StringLike", "a*"),
    ],
    [
      "a question mark may be a slash",
      arn("ArnLike", "user/a?b"),
      "different",
      name("StringLike", "a?b"),
    ],
    [
      "the end alone is the name",
      arn("ArnLike", "user/*/ab"),
      "narrower",
      name("StringLike", "a*"),
    ],
    [
      "a name of the path is not the user's",
      arn("ArnEquals", "user/a/b"),
      "narrower",
      name("StringEquals", "b"),
    ],
    ["no user has a slash in the name", name("StringEquals", "a/b"), "equal", none],
    ["nor a name of this form", name("StringLike", "a/*"), "equal", none],
    [
      "each user lacks it",
      name("StringNotLike", "a/*"),
      "equal",
      when({ StringNotEquals: { "aws:username": "a/b" } }),
    ],
  ])("%s", (_why, left, is, right) => {
    expect(relation(left, right)).toBe(is);
  });

  test("a star in a path is shown by a user with another name", () => {
    const answer = newAccess(name("StringLike", "a*"), arn("ArnLike", "user/x/a*"));
    const principals = answer.violations.map(({ witness }) => witness.principal);
    const [user] = principals;
    expect(user).toMatchObject({
      arn: expect.stringMatching(/^arn:aws:iam::111122223333:user\/x\/a.*\/[^a/]+$/),
    });
  });
});

describe("the organisation is the first part of the path", () => {
  test.each<Row>([
    ["a star runs into the units", path("o-*x/r-1/*"), "different", org("StringLike", "o-*x")],
    ["a fixed part is the organisation", path("o-1/r-1/*"), "narrower", org("StringEquals", "o-1")],
    [
      "no organisation has a slash in its id",
      [...org("StringEquals", "o-1/r-1"), ...path("o-1/r-1/*")],
      "equal",
      path("o-1/r-1/*"),
    ],
  ])("%s", (_why, left, is, right) => {
    expect(relation(left, right)).toBe(is);
  });
});
