import { describe, expect, test } from "vitest";
import { leafOfLines } from "../../test/support/leaf.ts";
import { finish } from "./budget.ts";
import { caller } from "./callers.ts";
import { isUnequal } from "./leaf-equalities.ts";

/** @param kind Of caller. */
function leaf(lines: readonly string[], kind: "role" | "user" | "service" = "role") {
  return leafOfLines(lines, caller(kind, kind === "service" ? "s3.amazonaws.com" : ""));
}

const open = false;
const unequal = true;

describe("keys that are equal", () => {
  test.each([
    ["have values in common", ["area is ${team}", "area like x", "team is x"], open],
    ["have no value in common", ["area is ${team}", "area like x*", "team like y*"], unequal],
    [
      "have one value that the other must not have",
      ["area is ${team}", "area like x", "team isNot x"],
      unequal,
    ],
    [
      "have one value that itself must not have",
      ["area is ${team}", "area isNot x", "team is x"],
      unequal,
    ],
    ["have another value", ["area is ${team}", "area isNot y", "team is x"], open],
    ["may begin with one another", ["area is ${team}", "area notLike ${team}?*"], open],
    ["are not equal the other way round", ["area is ${team}", "team isNot ${area}"], unequal],
    [
      "are equal over a third one",
      ["area is ${team}", "team is ${site}", "area like x*", "site like y*"],
      unequal,
    ],
    [
      "... from which they differ",
      ["area is ${team}", "team is ${site}", "area isNot ${site}"],
      unequal,
    ],
    [
      "... which is equal to both",
      ["area is ${team}", "site is ${team}", "area isNot ${site}"],
      unequal,
    ],
    [
      "... to which they are not",
      ["area is ${team}", "site isNot ${team}", "area isNot ${site}"],
      open,
    ],
    ["in a ring", ["area is ${team}", "team is ${site}", "site is ${area}", "area like x"], open],
    ["are one of two patterns", ["area is ${team} x", "area like y*", "team like z*"], open],
    [
      "are so in two spellings of one pattern",
      ["area like ${team} ${TEAM}", "area likeIf x*", "team like y*"],
      unequal,
    ],
    ["are part of the other", ["area like ${team}-*", "area likeIf x*", "team like y*"], open],
    ["may be absent", ["area isIf ${team}", "area likeIf x*", "team like y*"], open],
    ["may be absent for one", ["area is ${team}", "area like x*", "team likeIf y*"], unequal],
    [
      "say something of placeholders",
      ["area is ${Name}", "team is ${Name}", "area isNot ${team}"],
      open,
    ],
    ["are of several values", ["keys every ${team}", "team like x*"], open],
    ["are a number", ["area is ${age}", "age below 1", "area like x*"], open],

    [
      "are two of several values",
      ["keys some ${team}", "keys someLike ${area}", "team isNot ${area}"],
      open,
    ],
    [
      "are one of two, the other excluded",
      ["site is ${team}", "area is q ${site}", "area like x*", "area isNot ${team}"],
      unequal,
    ],
  ] as const)("%s", (_, lines, expected) => {
    expect(finish(isUnequal(leaf(lines)))).toBe(expected);
  });
});

describe("keys that are equal but for letter case", () => {
  test.each([
    ["have values in common", ["area isAnyCase ${team}", "area is x", "team is X"], open],
    ["differ in letter case", ["area isAnyCase ${team}", "area isNot ${team}"], open],
    [
      "differ the other way round",
      ["area isAnyCase ${team}", "team isNotAnyCase ${area}"],
      unequal,
    ],
    ["are equal as well", ["area is ${team}", "team isNotAnyCase ${area}"], unequal],
    [
      "differ from a third one",
      ["area isAnyCase ${team}", "team is ${site}", "area isNotAnyCase ${site}"],
      unequal,
    ],
    [
      "differ from one of two",
      ["area isAnyCase ${team}", "team isNotAnyCase ${site} ${area}"],
      unequal,
    ],
    ["differ from another one", ["area isAnyCase ${team}", "area isNotAnyCase ${site}"], open],
    ["differ from a part", ["area isAnyCase ${team}", "area isNotAnyCase ${team}x"], open],
    [
      "... of two",
      ["area isAnyCase ${team}", "area isNotAnyCase ${team}${site}", "site like x*"],
      open,
    ],
    ["are two in a row", ["area isAnyCase ${team}${site}", "area isNotAnyCase ${team}"], open],
    [
      "differ over two others, of which two are equal as well",
      [
        "area isAnyCase ${team}",
        "team is ${site}",
        "site isAnyCase ${owner}",
        "area isNotAnyCase ${owner}",
      ],
      unequal,
    ],
    ["are one of two", ["area isAnyCase ${team} ${site}", "area isNotAnyCase ${team}"], open],
    ["are part of the other", ["area isAnyCase ${team}x", "area isNotAnyCase ${team}"], open],
    ["... one that is absent", ["area isIf x", "area isNotAnyCase ${area}"], open],
    ["are one key", ["area is x", "area isNotAnyCase ${area}"], unequal],

    [
      "differ beside what they have in common",
      ["area isAnyCase ${team}", "team isNotAnyCase ${area}", "team like x*"],
      unequal,
    ],
  ] as const)("%s", (_, lines, expected) => {
    expect(finish(isUnequal(leaf(lines)))).toBe(expected);
  });
});

const account = "111122223333";

describe("keys of the caller", () => {
  test.each([
    ["one key is itself", "role", ["area isNot ${area}", "area like x*"], unequal],
    ["a key that may be absent is itself", "role", ["area isNot ${area}"], open],
    [
      "the account may be that of the ARN",
      "role",
      ["owner is ${account}", "owner like 1*", "arn arnIs arn:aws:iam::1*:role/x"],
      open,
    ],
    [
      "the account is that of the resource, which has another",
      "role",
      ["account is ${owner}", "owner isNot ${account}"],
      unequal,
    ],
    [
      "... also by the ARN",
      "role",
      ["arn arnIs arn:*:iam::${owner}:*", "owner isNot ${account}"],
      unequal,
    ],
    [
      "... in the fields of another ARN",
      "role",
      ["arn arnIs arn:aws:iam::${owner}:*", "owner isNot ${account}"],
      open,
    ],
    [
      "the account of a service",
      "service",
      ["account is ${owner}", "owner isNot ${account}"],
      unequal,
    ],
    [
      "the name may be that in the ARN",
      "user",
      ["area is ${user}", "area like a*", `arn arnIs arn:aws:iam::${account}:user/alice`],
      open,
    ],
    ["the name is a tag", "user", ["user is ${area}", "area isNot ${user}"], unequal],
    ["... with a slash, which no name has", "user", ["user is ${area}", "area like a/*"], unequal],
    [
      "... and the name of a part of them",
      "user",
      ["arn arnIs arn:aws:iam::*:user/${area}", "area isNot ${user}"],
      open,
    ],
    ["the name is itself", "user", ["user isNot ${user}"], unequal],
    ["the account is not the ARN, which has colons", "role", ["account is ${arn}"], unequal],
    ["... nor that of a user", "user", ["account is ${arn}"], unequal],
    ["... nor a tag with a colon", "role", ["account is ${area}", "area like *:*"], unequal],
    ["... nor one with a slash", "role", ["account is ${area}", "area like */*"], unequal],
    ["the ARN has its own account", "role", ["arn arnIsNot arn:*:iam::${account}:*"], unequal],
    ["the ARN of another account", "role", ["arn arnIsNot arn:*:iam::${owner}:*"], open],

    [
      "the account in another ARN",
      "role",
      ["source arnIs arn:*:iam::${owner}:*", "owner isNot ${account}"],
      open,
    ],
  ] as const)("%s", (_, kind, lines, expected) => {
    expect(finish(isUnequal(leaf(lines, kind)))).toBe(expected);
  });
});

test("of 64 keys at most", () => {
  const chain = (count: number) => [
    ...Array.from(
      { length: count },
      (_, at) => `aws:PrincipalTag/${at} is \${aws:PrincipalTag/${at + 1}}`,
    ),
    `aws:PrincipalTag/0 like x*`,
    `aws:PrincipalTag/${count} like y*`,
  ];
  expect(finish(isUnequal(leaf(chain(63))))).toBe(unequal);
  expect(finish(isUnequal(leaf(chain(64))))).toBe(open);
});
