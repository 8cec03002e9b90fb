import { describe, expect, test } from "vitest";
import { leafOfLines } from "../../test/support/leaf.ts";
import { finish } from "./budget.ts";
import { caller } from "./callers.ts";
import { isRefuted } from "./leaf-refutation.ts";

/** A request may meet the statement, as far as is told. */
const open = false;
const refuted = true;
const many = (form: (index: number) => string, count: number) =>
  Array.from({ length: count }, (_, index) => form(index)).join(" ");

describe("what must stand in a variable's place", () => {
  test.each([
    ["is a value of its key", ["area like ${team}-*", "area is x-1", "team is x"], open],
    ["is not a value of its key", ["area like ${team}-*", "area is x-1", "team is y"], refuted],
    [
      "is excluded for its key",
      ["area like ${team}-*", "area is x-1", "team isNot x x-1"],
      refuted,
    ],
    ["is free", ["area like ${team}-*", "area is x-1"], open],
    ["is a number", ["area like ${age}-*", "area is x-1", "age below 1"], open],
    ["is one of two values", ["area like ${team}-*", "area is x-1 y-1", "team is y"], open],
    ["is none of two values", ["area like ${team}-*", "area is x-1 y-1", "team is z"], refuted],
    ["is the whole text", ["area is ${team}", "area like x*", "team is y"], refuted],
    ["... as it may be", ["area is ${team}", "area like x*", "team is xy"], open],
    ["ends the text", ["area like x-${team}", "area likeIf x-a*", "team is b"], refuted],
    ["... as it may do", ["area like x-${team}", "area likeIf x-a*", "team is ab"], open],
    ["begins the text", ["area like ${team}-*", "area likeIf ab*", "team is b"], refuted],
    [
      "... and goes on after what is fixed",
      ["area like ${team}-*", "area likeIf ab*", "team is abc"],
      open,
    ],
    [
      "... and ends before the text after it",
      ["area like ${team}-*", "area likeIf a-b*", "team is a"],
      open,
    ],
    [
      "... which begins elsewhere",
      ["area like ${team}-*", "area likeIf a-b*", "team is a-"],
      refuted,
    ],
    ["... which begins the text", ["area like ${team}-*", "area likeIf -b*", "team is -"], refuted],
    ["is empty", ["area like x${team}y", "area is xy", "team isNot x"], open],
    ["stands before a wildcard", ["area like ${team}*", "area likeIf ab*", "team is b"], refuted],
    [
      "... and takes nothing",
      ["area like ${team}*", "area likeIf ab*", "team like ?", "team is a"],
      open,
    ],
    [
      "... and takes all that is fixed",
      ["area like ${team}*", "area likeIf ab*", "team is ab"],
      open,
    ],
    [
      "... before a single character",
      ["area like ${team}?", "area likeIf ab*", "team is b"],
      refuted,
    ],
    ["follows a wildcard", ["area like *${team}", "area likeIf ab*", "team is x"], open],
    ["faces a wildcard", ["area like ab${team}", "area likeIf *x", "team is x"], open],
    ["faces single characters", ["area like ab${team}", "area likeIf ?bc*", "team is x"], refuted],
    ["... which it fits", ["area like ab${team}", "area likeIf ?bc*", "team is cx"], open],
    ["... at its own end", ["area like ab${team}", "area likeIf ab?", "team is xy"], refuted],
    ["faces other texts", ["area like ab${team}", "area likeIf cd* abx*", "team is y"], refuted],
    ["... that end too early", ["area like ab${team}", "area likeIf a abx*", "team is y"], refuted],
    [
      "... one of which it fits",
      ["area like ab${team}", "area likeIf cd* abx*", "team is xy"],
      open,
    ],
    [
      "faces another variable",
      ["area like ab${team}", "area likeIf ab${site}-*", "team is x-y"],
      open,
    ],
    [
      "faces two patterns, one of them open",
      ["area like ab${team}", "area likeIf abx* *b", "team is yb"],
      open,
    ],
    [
      "is of two patterns",
      ["area like ${team}-* x-${team}", "area likeIf x-a*", "team is b"],
      refuted,
    ],
    [
      "... one of which it fits",
      ["area like ${team}-* x-${team}", "area likeIf x-a*", "team is x"],
      open,
    ],
    [
      "... of two keys",
      ["area like ${team}-* x-${site}", "area likeIf x-a*", "team is b", "site is ab"],
      open,
    ],
    [
      "... one without a variable",
      ["area like ${team}-* x-a", "area likeIf x-a*", "team is b"],
      open,
    ],
    ["is there twice", ["area like ${team}-${team}", "area likeIf x-*", "team is y"], open],
    [
      "counts in any letter case",
      ["area isAnyCase ${team}-a", "area likeIf x*", "team is y"],
      open,
    ],
    ["is of a key that may be absent", ["area likeIf ${team}-*", "team is y"], open],
    ["is of a placeholder", ["area like ${Name}-*", "area is x-1"], open],
    [
      "is in one of several values",
      ["keys everyLike ${team}-*", "keys some x-1", "team is y"],
      open,
    ],
    [
      "is met by eight patterns",
      ["area like ${team}-*", `area likeIf ${many((at) => `x${at}*`, 8)}`, "team notLike x*"],
      refuted,
    ],
    [
      "is met by nine",
      ["area like ${team}-*", `area likeIf ${many((at) => `x${at}*`, 9)}`, "team notLike x*"],
      open,
    ],
    [
      "is in eight patterns",
      [`area like ${many((at) => `x${at}-\${team}`, 8)}`, "area likeIf x?-a*", "team notLike a*"],
      refuted,
    ],
    [
      "is in nine",
      [`area like ${many((at) => `x${at}-\${team}`, 9)}`, "area likeIf x?-a*", "team notLike a*"],
      open,
    ],

    [
      "is excluded beside a text",
      ["area like ${team}-*", "area likeIf a-b x*", "team notLike a a-b x*"],
      refuted,
    ],
    ["goes on after a wildcard", ["area like ${team}-*", "area likeIf a*b", "team is ac"], open],
    ["... which begins the text", ["area like ${team}-*", "area likeIf *b", "team is ac"], open],
    ["is the whole of a text", ["area like ${team}*", "area is ab", "team is ab"], open],
    [
      "follows what ends too early",
      ["area like ab${team}", "area likeIf a abx*", "team notLike x*"],
      refuted,
    ],
    [
      "follows another text",
      ["area like ab${team}", "area likeIf cd* abx*", "team notLike x*"],
      refuted,
    ],
    ["follows a colon", ["area like a:${team}", "area likeIf a*", "team is b"], open],
    [
      "depends on another variable",
      ["area like ab${team}", "area likeIf ab${site}-*", "team notLike *-*"],
      open,
    ],
    ["is absent with its text", ["area likeIf ${team}-*", "area isIf x-1", "team is y"], open],
  ] as const)("%s", (_, lines, expected) => {
    expect(finish(isRefuted(leafOfLines(lines)))).toBe(expected);
  });
});

describe("in ARNs, what must stand in a variable's place", () => {
  test.each([
    [
      "is in a field",
      ["source arnLike arn:aws:sqs:*:${team}:q", "source arnIs arn:aws:sqs:*:1*:q", "team is 2"],
      refuted,
    ],
    [
      "... as it may be",
      ["source arnLike arn:aws:sqs:*:${team}:q", "source arnIs arn:aws:sqs:*:1*:q", "team is 12"],
      open,
    ],
    [
      "... beside a wildcard",
      ["source arnLike arn:aws:sqs:*:x${team}:q", "source arnIs arn:aws:sqs:*:*1:q", "team is 21"],
      open,
    ],
    [
      "is in the last field",
      ["source arnLike arn:aws:sqs:*:*:x/${team}", "source arnIs arn:aws:*:*:*:x/a*", "team is b"],
      refuted,
    ],
    [
      "faces a text",
      ["source arnLike arn:aws:sqs:*:*:x/${team}", "source like arn:aws:sqs:*", "team is b"],
      open,
    ],

    [
      "is excluded",
      [
        "source arnLike arn:aws:sqs:*:${team}:q",
        "source arnIs arn:aws:sqs:*:1*:q",
        "team notLike 1*",
      ],
      refuted,
    ],
    [
      "follows a text in its field",
      [
        "source arnLike arn:aws:sqs:*:x${team}:q",
        "source arnIs arn:aws:sqs:*:x1*:q",
        "team notLike x*",
      ],
      open,
    ],
  ] as const)("%s", (_, lines, expected) => {
    expect(finish(isRefuted(leafOfLines(lines)))).toBe(expected);
  });
});

const account = "111122223333";

describe("what must stand in the place of a caller's own key", () => {
  const [role, user, service] = [
    caller("role"),
    caller("user"),
    caller("service", "s3.amazonaws.com"),
  ];

  test.each([
    ["is an account", role, ["area like ${account}-*", `area is ${account}-x`], open],
    ["is no account", role, ["area like ${account}-*", "area is x-1"], refuted],
    ["is an account of a service", service, ["source like ${account}-*", "source is x-1"], open],
    [
      "is the account of the ARN",
      user,
      ["area like ${account}-*", `area is ${account}-x`, `arn arnLike arn:aws:iam::${account}:*`],
      open,
    ],
    [
      "is not the account of the ARN",
      user,
      ["area like ${account}-*", `area is ${account}-x`, "arn arnLike arn:aws:iam::222233334444:*"],
      refuted,
    ],
    ["is a name", user, ["area like ${user}/*", "area is alice/x"], open],
    [
      "is not the name in the ARN",
      user,
      ["area like ${user}/*", "area is alice/x", `arn arnLike arn:aws:iam::${account}:user/bob`],
      refuted,
    ],
    [
      "is the name in the ARN",
      user,
      [
        "area like ${user}/*",
        "area is alice/x",
        `arn arnLike arn:aws:iam::${account}:user/x/alice`,
      ],
      open,
    ],
    ["has a slash, which no name has", user, ["area is x/${user}", "area like x/a/*"], refuted],
    [
      "is the name of another caller",
      user,
      ["area is x/${user}", "area like x/a*", "user is bob"],
      refuted,
    ],
    [
      "is the name of this caller",
      user,
      ["area is x/${user}", "area like x/a*", "user is alice"],
      open,
    ],

    [
      "is an excluded account",
      user,
      ["area like ${account}-*", `area is ${account}-x`, `account isNot ${account}`],
      refuted,
    ],
    [
      "is another account than the excluded one",
      user,
      ["area like ${account}-*", `area is ${account}-x`, "account isNot 222233334444"],
      open,
    ],
    [
      "is an excluded name",
      user,
      ["area like ${user}/*", "area is alice/x", "user isNot alice"],
      refuted,
    ],
    [
      "is another name than the excluded one",
      user,
      ["area like ${user}/*", "area is alice/x", "user isNot bob"],
      open,
    ],
    [
      "is no account beside another variable",
      role,
      ["area like ${account}-${site}", "area is x-y"],
      refuted,
    ],
  ] as const)("%s", (_, by, lines, expected) => {
    expect(finish(isRefuted(leafOfLines(lines, by)))).toBe(expected);
  });
});

describe("what several variables must make together", () => {
  test.each([
    ["is made", ["area like ${team}-${site}", "area is x-y", "team is x", "site is y"], open],
    ["is made of other values", ["area like ${team}-${site}", "area is x-y", "team is x"], open],
    ["is not made", ["area like ${team}-${site}", "area is x-y", "site is x"], refuted],
    ["is one of two texts", ["area like ${team}-${site}", "area is a-b x-y", "site is y"], open],
    [
      "is none of two texts",
      ["area like ${team}-${site}", "area is a-b x-y", "site is z"],
      refuted,
    ],
    [
      "is one of two patterns",
      ["area like ${team}-${site} ${site}-${team}", "area is x-y", "site is x"],
      open,
    ],
    [
      "is none of two patterns",
      ["area like ${team}-${site} ${site}-${team}", "area is x-y", "site is z"],
      refuted,
    ],
    [
      "is a text or a pattern",
      ["area like ${team}-${site}", "area likeIf x-y x-*", "site is z"],
      open,
    ],
    [
      "counts in any letter case",
      ["area isAnyCase ${team}-${site}", "area is x-y", "site is z"],
      open,
    ],
    [
      "is of eight texts",
      ["area like ${team}-${site}", `area is ${many((at) => `x-${at}`, 8)}`, "site is z"],
      refuted,
    ],
    [
      "is of nine",
      ["area like ${team}-${site}", `area is ${many((at) => `x-${at}`, 9)}`, "site is z"],
      open,
    ],
    [
      "is of eight patterns",
      [`area like ${many((at) => `${at}-\${team}-\${site}`, 8)}`, "area is 0-x-y", "site is z"],
      refuted,
    ],
    [
      "is of nine",
      [`area like ${many((at) => `${at}-\${team}-\${site}`, 9)}`, "area is 0-x-y", "site is z"],
      open,
    ],
    ["has too many ways", ["area like ${team}${site}", "area is abcdefghij", "site is z"], open],

    [
      "is a text that is also allowed",
      ["area like q ${team}-${site}", "area is x-y q", "site is z"],
      open,
    ],
    [
      "is none of the allowed texts",
      ["area like q ${team}-${site}", "area is x-y", "site is z"],
      refuted,
    ],
    [
      "is written in other letters",
      ["area isAnyCase q ${team}-${site}", "area is x-y", "site is Y"],
      open,
    ],
  ] as const)("%s", (_, lines, expected) => {
    expect(finish(isRefuted(leafOfLines(lines)))).toBe(expected);
  });
});

describe("a pattern with all that its variable may be", () => {
  const user = caller("user");

  test.each([
    ["is excluded", ["area like ${team}", "area notLike x*", "team like x?"], refuted],
    ["is not excluded", ["area like ${team}", "area notLike x*", "team like ?x"], open],
    ["is excluded for a free key", ["area like ${team}", "area notLike x*"], open],
    ["is excluded in part", ["area like ${team}", "area notLike x*", "team like x? y?"], open],
    ["is excluded by two", ["area like ${team}", "area notLike x* y*", "team like x? y?"], refuted],
    [
      "is excluded before and after it",
      ["area like a-${team}-b", "area notLike a-x*-b", "team like x?"],
      refuted,
    ],
    [
      "... but not after it",
      ["area like a-${team}-b*", "area notLike a-x*-b", "team like x?"],
      open,
    ],
    [
      "is excluded beside one that is not",
      ["area like ${team} y", "area notLike x*", "team like x?"],
      open,
    ],
    [
      "is excluded beside another one",
      ["area like ${team} xy", "area notLike x*", "team like x?"],
      refuted,
    ],
    ["has two variables", ["area like ${team}${site}", "area notLike x*", "team like x?"], open],
    [
      "is excluded with eight forms",
      ["area like ${team}", "area notLike x*", `team like ${many((at) => `x${at}?`, 8)}`],
      refuted,
    ],
    [
      "is excluded with nine",
      ["area like ${team}", "area notLike x*", `team like ${many((at) => `x${at}?`, 9)}`],
      open,
    ],
    ["is another variable", ["area like ${team}", "area notLike x*", "team is ${site}"], open],
    ["is a number", ["area like ${age}", "area notLike x*", "age below 1"], open],
    [
      "is excluded by a name",
      ["area like ${user}", "area notLike a*", `arn arnLike arn:aws:iam::${account}:user/alice`],
      refuted,
    ],
    [
      "... with another path",
      ["area like ${user}", "area notLike a*", `arn arnLike arn:aws:iam::${account}:user/alice/*`],
      open,
    ],
    [
      "is excluded by an account",
      ["area like ${account}", "area notLike 1*", "arn arnLike arn:aws:iam::1*:user/alice"],
      refuted,
    ],
    ["... of nothing that is said", ["area like ${account}", "area notLike ????????????"], refuted],
    ["... of eleven digits", ["area like ${account}", "area notLike ???????????"], open],
    [
      "in a field of an ARN has no colon",
      [
        "source arnLike arn:aws:sqs:*:${team}:q",
        "source isNot x",
        "source notLike arn:aws:sqs:*:x*:q",
        "team like x*",
      ],
      refuted,
    ],
    [
      "in the last field may have one",
      [
        "source arnLike arn:aws:sqs:a:b:${team}",
        "source notLike arn:aws:sqs:a:b:x?",
        "team like x*",
      ],
      open,
    ],

    [
      "is beside another excluded variable",
      ["area like ${team}", "area notLike ${site}*", "team like x?", "site like x?"],
      open,
    ],
    [
      "in a field of an ARN is excluded there",
      [
        "source arnLike arn:aws:sqs:a:${team}:q",
        "source arnNot arn:aws:sqs:a:x*:q",
        "team like x*",
      ],
      refuted,
    ],
    [
      "in the last field has a colon",
      ["source arnLike arn:aws:sqs:a:b:${team}", "source like arn:aws:sqs:a:b:*:*", "team like x*"],
      open,
    ],
    ["in a text has a colon", ["area like ${team}", "area likeIf *:*", "team like x*"], open],
  ] as const)("%s", (_, lines, expected) => {
    expect(finish(isRefuted(leafOfLines(lines, user)))).toBe(expected);
  });
});
