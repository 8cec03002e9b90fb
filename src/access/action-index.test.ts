import { describe, expect, test } from "vitest";
import { ActionIndex, actionPattern, isLiteralAction, type Overlap } from "./action-index.ts";
import { Budget, finish } from "./budget.ts";
import type { Names } from "./document.ts";
import { literal, matches, unitsOf } from "./patterns.ts";

function list(...entries: string[]): Names {
  return { negated: false, entries };
}

function not(...entries: string[]): Names {
  return { negated: true, entries };
}

const budget = () => new Budget(100_000);

function indexOf(...elements: Names[]): ActionIndex {
  const index = new ActionIndex(elements, budget());
  finish(index.read());
  return index;
}

describe("the pattern of an action entry", () => {
  test.each([
    ["s3:GetObject", "s3:getobject", true],
    ["s3:GetObject", "s3:getobjectacl", false],
    ["S3:GET*", "s3:getobject", true],
    ["s3:Get?bject", "s3:getobject", true],
    ["s3:Get?bject", "s3:getbject", false],
    ["s3:*", "sqs:getobject", false],
    ["*", "s3:getobject", true],
    ["*:*", "s3:getobject", true],
    ["**:**", "s3:getobject", true],
    ["*:Get*", "s3:getobject", true],
    // An action has one colon, and no wildcard takes it from an entry that has one.
    ["*:*", "s3", true],
    ["*:Get*", "a:b:getobject", false],
    ["s3:*", "s3:a:b", false],
    ["s3*", "s3:getobject", true],
    ["${aws:username}:x", "${aws:username}:x", true],
  ])("%s takes %s: %s", (entry, action, expected) => {
    expect(matches(actionPattern(entry), unitsOf(action), budget())).toBe(expected);
  });

  test("of everything is one, also by `*:*`", () => {
    expect(actionPattern("*:*").key).toBe(actionPattern("*").key);
    expect(actionPattern("***:*").key).toBe(actionPattern("*").key);
    expect(actionPattern("*:**").key).toBe(actionPattern("*").key);
    expect(actionPattern("*:*a").key).not.toBe(actionPattern("*").key);
    expect(actionPattern("a*:*").key).not.toBe(actionPattern("*").key);
    expect(actionPattern("*:").key).not.toBe(actionPattern("*").key);
    expect(actionPattern(":*").key).not.toBe(actionPattern("*").key);
  });

  test("counts stars in a row as one", () => {
    expect(actionPattern("s3:Get**").key).toBe(actionPattern("s3:Get*").key);
  });
});

describe("the memory of patterns", () => {
  const long = (length: number) => "s3:".padEnd(length, "a");

  test("has those of entries up to 128 characters", () => {
    const entries = ["s3:GetObject", "s3:Get*", long(127), long(128), long(129), long(1_000)];
    const first = entries.map(actionPattern);
    // Patterns of equal tokens are one, until there are too many of them.
    for (let at = 0; at < 20_000; at++) literal(`text ${at}`);
    const isKept = entries.map((entry, at) => actionPattern(entry) === first[at]);
    expect(isKept).toEqual([true, true, true, true, false, false]);
  });

  test("is emptied after 50,000, and fills again", () => {
    const first = actionPattern("s3:First");
    for (let at = 0; at < 40_000; at++) actionPattern(`s3:A${at}`);
    expect(actionPattern("s3:First")).toBe(first);
    for (let at = 0; at < 10_000; at++) actionPattern(`s3:B${at}`);
    const second = actionPattern("s3:First");
    expect(second).not.toBe(first);
    expect(second).toEqual(first);
    expect(actionPattern("s3:First")).toBe(second);
  });
});

test.each([
  ["s3:GetObject", true],
  ["s3:Get*", false],
  ["s3:Get?bject", false],
  ["*", false],
])("%s has no wildcard: %s", (entry, expected) => {
  expect(isLiteralAction(entry)).toBe(expected);
});

describe("elements that take an action", () => {
  const elements = [
    list("s3:GetObject", "s3:PutObject"),
    list("S3:Get*"),
    list("*:getobject"),
    list("sqs:*", "sqs:SendMessage"),
    not("s3:*"),
    not("sqs:SendMessage", "sqs:Receive*"),
    list("*"),
    list("s?:GetObject"),
    not("*"),
    list("s3*"),
  ];
  test.each([
    ["s3:GetObject", [0, 1, 2, 5, 6, 7, 9]],
    ["S3:GETOBJECT", [0, 1, 2, 5, 6, 7, 9]],
    ["s3:PutObject", [0, 5, 6, 9]],
    ["sqs:SendMessage", [3, 4, 6]],
    ["sqs:ReceiveMessage", [3, 4, 6]],
    ["sqs:GetObject", [2, 3, 4, 5, 6]],
    ["ec2:RunInstances", [4, 5, 6]],
  ])("%s: %j", (action, expected) => {
    expect(indexOf(...elements).taking(action)).toEqual(expected);
  });

  test("are none before they are read", () => {
    expect(new ActionIndex([list("s3:GetObject")], budget()).taking("s3:GetObject")).toEqual([]);
  });

  test("are looked for among the entries of the service, and of any", () => {
    const spent = (...entries: string[]) => {
      const steps = budget();
      const names = list(...entries);
      const own = new ActionIndex([names], steps);
      finish(own.read());
      const before = steps.steps;
      own.taking("s3:GetObject");
      return steps.steps - before;
    };
    expect(spent("s3:Put*")).toBeGreaterThan(0);
    expect(spent("*:Put*")).toBe(spent("s3:Put*"));
    expect(spent("sqs:*", "s:Put*", "s3a:*", "sqs:GetObject", "S4:*")).toBe(0);
    expect(spent("s3:PutObject", "s3:GetObject")).toBe(0);
    expect(spent("S3:Put*", "s?:Put*")).toBe(2 * spent("s3:Put*"));
  });

  test("are in order, past the tenth as well", () => {
    const many = Array.from({ length: 12 }, (_, at) => (at === 2 ? not("sqs:*") : list("s3:*")));
    expect(indexOf(...many).taking("s3:GetObject")).toEqual(many.map((_, at) => at));
  });
});

describe("how an element overlaps an entry", () => {
  const shown = (overlap: Overlap) =>
    typeof overlap === "string"
      ? overlap
      : { patterns: overlap.patterns.map(({ key }) => key), negated: overlap.negated };
  const some = (negated: boolean, ...entries: string[]) => ({
    patterns: entries.map((entry) => actionPattern(entry).key),
    negated,
  });
  test.each<[Names, string, "all" | "none" | ReturnType<typeof some>]>([
    [list("s3:*"), "s3:Get*", "all"],
    [list("*"), "s3:Get*", "all"],
    [list("*:Get*"), "s3:GetObject*", "all"],
    [list("s3:Get*"), "s3:Get*", "all"],
    [list("s3:Put*"), "s3:Get*", "none"],
    [list("sqs:*"), "s3:Get*", "none"],
    [list(), "s3:Get*", "none"],
    [list("s3:GetObject"), "s3:Get*", some(false, "s3:GetObject")],
    [list("s3:*Object"), "s3:Get*", some(false, "s3:*Object")],
    [list("s3:GetObject", "sqs:*", "s3:Put*"), "s3:Get*", some(false, "s3:GetObject")],
    [list("s3:GetObject", "*:GetBucket"), "s3:Get*", some(false, "s3:GetObject", "*:GetBucket")],
    [list("s3:GetObject", "sqs:SendMessage"), "*", some(false, "s3:GetObject", "sqs:SendMessage")],
    [list("s3:GetObject", "s3:*"), "s3:Get*", "all"],
    [list("s3*"), "s3:Get*", "all"],
    [list("s?:Get*"), "s3:Get*", "all"],
    [list("s3:Get*"), "s?:Get*", some(false, "s3:Get*")],
    [not("s3:*"), "s3:Get*", "none"],
    [not("s3:Put*"), "s3:Get*", "all"],
    [not(), "s3:Get*", "all"],
    [not("s3:GetObject"), "s3:Get*", some(true, "s3:GetObject")],
  ])("%j and %s: %j", (names, entry, expected) => {
    expect(shown(indexOf(list("iam:*"), names).overlap(1, actionPattern(entry)))).toEqual(expected);
  });

  test("is none without such an element", () => {
    expect(indexOf(list("s3:*")).overlap(1, actionPattern("*"))).toBe("none");
  });

  test("is the same when asked again", () => {
    const index = indexOf(list("s3:GetObject", "sqs:*"));
    const first = index.overlap(0, actionPattern("s3:*"));
    expect(index.overlap(0, actionPattern("s3:*"))).toEqual(first);
    expect(index.overlap(0, actionPattern("sqs:Send*"))).toBe("all");
  });

  test("costs a step for each entry that may have something in common", () => {
    const spent = (...entries: string[]) => {
      const steps = budget();
      const index = new ActionIndex([list(...entries)], steps);
      index.overlap(0, actionPattern("s3:Get*"));
      return steps.steps;
    };
    expect(spent("s3:Put*", "sqs:*", "s3:List*")).toBe(0);
    expect(spent("s3:GetObject")).toBeGreaterThanOrEqual(1);
    expect(spent("s3:GetObject", "s3:GetBucket")).toBe(2 * spent("s3:GetObject"));
  });
});

test("the elements are read with pauses", () => {
  const names = list(...Array.from({ length: 600 }, (_, at) => `s3:Action${at}`));
  expect([...new ActionIndex([names], budget()).read()]).toEqual([null, null]);
});
