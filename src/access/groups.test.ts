import { describe, expect, test } from "vitest";
import { ActionIndex, actionPattern } from "./action-index.ts";
import { Budget, finish } from "./budget.ts";
import type { Names } from "./document.ts";
import { groupsOf, Reach } from "./groups.ts";
import type { Group } from "./leaf.ts";
import type { Origin } from "./origin.ts";

const budget = () => new Budget(100_000);

/** An index of what statements with these actions may block. */
function indexOf(elements: readonly (readonly string[])[], steps = budget()): ActionIndex {
  const index = new ActionIndex(
    elements.map((entries) => ({ negated: false, entries })),
    steps,
  );
  finish(index.read());
  return index;
}

function origin(action: Names): Origin {
  return {
    side: "policy",
    hasVariables: true,
    statement: {
      index: 0,
      sid: null,
      effect: "allow",
      action,
      resource: null,
      principal: null,
      conditions: [],
      readable: true,
      path: "/Statement/0",
    },
  };
}

function pattern(entries: readonly string[], negated = false): Group {
  return { entries, pattern: { patterns: entries.map(actionPattern), negated } };
}

function literals(...entries: string[]): Group {
  return { entries, pattern: null };
}

describe("groups of a statement's actions", () => {
  const elements = [["s3:Get*"], ["s3:PutObject"], ["s3:*"]];
  test.each<[string, Names, readonly (readonly [Group, readonly number[] | null])[]]>([
    [
      "one action",
      { negated: false, entries: ["s3:GetObject"] },
      [[literals("s3:GetObject"), [0, 2]]],
    ],
    [
      "actions that the same elements take are one group",
      { negated: false, entries: ["s3:GetObject", "s3:PutObject", "s3:GetBucket"] },
      [
        [literals("s3:GetObject", "s3:GetBucket"), [0, 2]],
        [literals("s3:PutObject"), [1, 2]],
      ],
    ],
    [
      "also those that none takes",
      { negated: false, entries: ["sqs:A", "sqs:B"] },
      [[literals("sqs:A", "sqs:B"), []]],
    ],
    [
      "an action that is listed twice is there once",
      { negated: false, entries: ["sqs:A", "sqs:A"] },
      [[literals("sqs:A"), []]],
    ],
    [
      "each pattern is a group, after the actions",
      { negated: false, entries: ["s3:*", "sqs:A", "sqs:?", "s3:*"] },
      [
        [literals("sqs:A"), []],
        [pattern(["s3:*"]), null],
        [pattern(["sqs:?"]), null],
      ],
    ],
    [
      "what has no colon, or two, is no action",
      { negated: false, entries: ["s3", "s3:a:b", "s3:A"] },
      [[literals("s3:A"), [2]]],
    ],
    ["nothing makes no group", { negated: false, entries: [] }, []],
    [
      "all but some are one group",
      { negated: true, entries: ["s3:GetObject", "sqs:*"] },
      [[pattern(["s3:GetObject", "sqs:*"], true), null]],
    ],
  ])("%s", (_why, names, expected) => {
    expect([...groupsOf(origin(names), indexOf(elements), budget())]).toEqual(expected);
  });

  test("are found with pauses", () => {
    const steps = budget();
    const entries = Array.from({ length: 3 }, (_, at) => `s3:Get${at}`);
    const found = groupsOf(
      origin({ negated: false, entries }),
      indexOf([Array.from({ length: 300 }, (_, at) => `s3:${"?".repeat(at)}*`)], steps),
      steps,
    );
    expect([...found].filter((one) => one === null).length).toBeGreaterThanOrEqual(1);
  });
});

describe("the elements that a group reaches", () => {
  const index = () => indexOf([["s3:Get*"], ["s3:GetObject"], ["sqs:*"], ["*"]]);
  const all = [0, 1, 2, 3];

  test("are those that take its actions", () => {
    const reach = new Reach(index(), literals("s3:GetObject"), [0, 1, 3]);
    expect(all.map((element) => reach.of(element))).toEqual(["all", "all", "none", "all"]);
  });

  test("are those that have something in common with its pattern", () => {
    const reach = new Reach(index(), pattern(["s3:Get*"]), null);
    const some = { patterns: [actionPattern("s3:GetObject")], negated: false };
    expect(all.map((element) => reach.of(element))).toEqual(["all", some, "none", "all"]);
    // The same object: it is worked out once.
    expect(reach.of(1)).toBe(reach.of(1));
  });

  test("may be any where it is all but some", () => {
    const reach = new Reach(index(), pattern(["s3:Get*"], true), null);
    const some = (entry: string) => ({ patterns: [actionPattern(entry)], negated: false });
    expect(all.map((element) => reach.of(element))).toEqual([
      some("s3:Get*"),
      some("s3:GetObject"),
      some("sqs:*"),
      "all",
    ]);
  });
});
