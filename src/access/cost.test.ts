import { describe, expect, test } from "vitest";
import {
  allow,
  deny,
  granted,
  newAccess,
  type Statement,
  when,
} from "../../test/support/access.ts";

/** Statements of different services, tags and buckets. */
function statements(count: number): readonly Statement[] {
  return Array.from({ length: count }, (_, at) =>
    allow(
      [`s3:Get${at}*`, `s3:Put${at}*`],
      [`arn:aws:s3:::bucket-${at}/*`, `arn:aws:s3:::bucket-${at}`],
      { StringEquals: { "aws:PrincipalTag/team": `team-${at}` } },
    ),
  );
}

const tag = (at: number) => `aws:PrincipalTag/t${at}`;

/** Denies that leave one combination of values. */
const denies = Array.from({ length: 8 }, (_, at) =>
  deny("*", "*", { StringNotEquals: { [tag(at)]: "a" } }),
);
/** Denies of two tags each, which may be kept off by either. */
const pairs = Array.from({ length: 8 }, (_, at) =>
  deny("*", "*", { StringEquals: { [tag(at)]: "a", [tag(at + 8)]: "a" } }),
);
const narrow = allow("s3:GetObject", "arn:aws:s3:::bucket/a", {
  StringEquals: { "aws:PrincipalTag/team": "a", "aws:ResourceTag/team": "a" },
});

/** Steps are the same on every machine, so more of them are a slower search. */
describe("the steps that a question takes are bounded", () => {
  test.each<[string, readonly Statement[], readonly Statement[], string, number]>([
    ["100 statements within themselves", statements(100), statements(100), "holds", 4900],
    [
      "one of 100 with another tag",
      statements(100),
      [...statements(99), ...when({ Null: { [tag(0)]: "true" } })],
      "violated",
      9000,
    ],
    ["everything within 100 statements", statements(100), when({}), "violated", 5200],
    ["everything within 400 statements", statements(400), when({}), "violated", 60_000],
    ["one that the last of 100 covers", [...statements(100), narrow], [narrow], "holds", 240],
    ["eight Denies that leave one way", [allow("*", "*"), ...denies], when({}), "violated", 36],
    [
      "the one way that eight Denies leave",
      [allow("*", "*"), ...denies],
      [allow("*", "*"), ...denies],
      "holds",
      175,
    ],
    ["eight Denies of two tags", when({}), [allow("*", "*"), ...pairs], "holds", 130],
    ["beside eight Denies of two tags", [narrow], [allow("*", "*"), ...pairs], "violated", 220],
    [
      "no way between eight Denies of two tags",
      [],
      [
        ...when({
          StringEquals: Object.fromEntries(Array.from({ length: 16 }, (_, at) => [tag(at), "a"])),
        }),
        ...pairs,
      ],
      "holds",
      62,
    ],
    [
      "an Allow split in two by a tag",
      [
        ...when({ StringEquals: { [tag(0)]: "a" } }),
        ...when({ StringNotEquals: { [tag(0)]: "a" } }),
      ],
      when({}),
      "holds",
      21,
    ],
  ])("%s", (_name, baseline, policy, verdict, most) => {
    const answer = newAccess(baseline, policy);
    expect(answer.verdict).toBe(verdict);
    expect(answer.steps).toBeLessThanOrEqual(most);
  });
});

test("each of 120 services is compared only with the statement that names it", () => {
  const policy = Array.from({ length: 120 }, (_, at) => ({
    ...allow("s3:GetObject", `arn:aws:s3:::${at}/*`),
    Principal: { Service: `service${at}.amazonaws.com` },
  }));
  expect(newAccess(policy, policy, "resource").verdict).toBe("holds");
});

/** The folder of each user of an account, beside the folder of one. */
test.each([
  ["arn:aws:s3:::b/alice/*", 3_000],
  ["arn:aws:s3:::b/x*", 3_000],
])("the folder of a user is found in %s in few steps", (resource, most) => {
  const policy = [
    {
      ...allow("s3:GetObject", "arn:aws:s3:::b/${aws:username}/*"),
      Principal: { AWS: "111122223333" },
    },
  ];
  const answer = granted(policy, { resources: [resource] }, "resource");
  expect(answer.verdict).toBe("violated");
  expect(answer.steps).toBeLessThanOrEqual(most);
});

describe("keys that are equal to each other", () => {
  /** Each tag is the next one, and the first has another value than the last: no request has that. */
  const chain = (length: number) =>
    when({
      StringEquals: Object.fromEntries(
        Array.from({ length }, (_, at) => [tag(at), `\${${tag(at + 1)}}`]),
      ),
      StringLike: { [tag(0)]: "a", [tag(length)]: "b" },
    });

  test("exclude a request", () => {
    expect(newAccess([], chain(60)).verdict).toBe("holds");
  });

  test("are not followed beyond 64 keys, and the answer is open", () => {
    expect(newAccess([], chain(70)).verdict).toBe("undecided");
  });
});
