import { describe, expect, test } from "vitest";
import { arn, ignoringCase, text, tokensOf } from "../../test/support/pattern-text.ts";
import { tokenText } from "../../test/support/token-text.ts";
import { Budget, BudgetExceeded, finish } from "./budget.ts";
import { inFields, meetAll, meetSteps, sixFields } from "./meet.ts";
import { anything, endsClash, literal, matches, type Pattern, patternOf } from "./patterns.ts";
import { pathOf } from "./read-pattern.ts";
import { anyCase, noColon, noSlash, run, single, variable } from "./tokens.ts";

const meet = (...asked: Parameters<typeof meetSteps>) => finish(meetSteps(...asked));

const budget = () => new Budget(1_000_000);
for (const name of ["aws:username", "aws:userid"]) text(`\${${name}}`);

describe("what is known about a pattern", () => {
  const facts = ({ key: _, tokens: __, ...rest }: Pattern) => rest;

  test("of a text", () => {
    expect(facts(text("a:b"))).toEqual({
      text: "a:b",
      hasVariable: false,
      hasAnyCase: false,
      singles: 0,
      runs: 0,
      head: 3,
      tail: 3,
      fielded: false,
      colons: 1,
      greedy: true,
    });
  });

  test("of a pattern with everything", () => {
    expect(facts(ignoringCase("ab*?c?*${aws:username}d"))).toEqual({
      text: null,
      hasVariable: true,
      hasAnyCase: true,
      singles: 2,
      runs: 2,
      head: 2,
      tail: 2,
      fielded: false,
      colons: 0,
      greedy: true,
    });
  });

  test.each([
    ["arn:aws:s3:::a", true],
    ["arn:aws:s3::a", false],
    ["arn:*:s3:::*", false],
    ["arn:?:s3:::a", false],
    ["arn:${aws:username}:s3:::a", false],
    ["arn:aws:s3:::a:*", true],
  ])("%s as a text has its first five fields fixed: %s", (written, fielded) => {
    expect(text(written).fielded).toBe(fielded);
  });

  test("of an ARN: wildcards and variables stay in their fields", () => {
    const { fielded, colons } = arn("arn:*:?:${aws:username}::*:*");
    expect([fielded, colons]).toEqual([true, 6]);
    expect(patternOf([single + 4, 58, 58, 58, 58, 58]).fielded).toBe(true);
  });

  test("an earlier `*` has to give way where a later one takes less", () => {
    const bars = [0, noColon, noSlash, noColon | noSlash];
    const greedy = bars.map((first) =>
      bars.map((second) => patternOf([run + first, 97, run + second]).greedy),
    );
    expect(greedy).toEqual([
      [true, false, false, false],
      [true, true, false, false],
      [true, false, true, false],
      [true, true, true, true],
    ]);
  });

  test("equal patterns are one object, and `*` stays one when others are forgotten", () => {
    expect(text("ab*")).toBe(text("ab**"));
    expect(text("*")).toBe(anything);
    const before = text("kept?");
    for (let number = 0; number < 20_001; number++) literal(`text ${number}`);
    expect(text("kept?")).not.toBe(before);
    expect(text("kept?").key).toBe(before.key);
    expect(text("*")).toBe(anything);
  });

  test("long patterns are forgotten by their length", () => {
    const before = text("short?");
    for (let number = 0; number < 300; number++) literal(`${number}${"x".repeat(4_000)}`);
    expect(text("short?")).not.toBe(before);
  });

  test("a lone surrogate and a wildcard have different keys", () => {
    expect(patternOf([0xd800]).key).not.toBe(patternOf([0xd801]).key);
    expect(new Set([0xd800, 0x1_d800, single, run].map((one) => patternOf([one]).key)).size).toBe(
      4,
    );
  });
});

describe("a pattern takes a text", () => {
  const takes = (pattern: Pattern, tokens: readonly number[]) => matches(pattern, tokens, budget());

  test.each([
    ["a*b*c", "abbc", true],
    ["a*b*c", "acb", false],
    ["*a", "aaa", true],
    ["a?*", "a", false],
    ["a?*", "ab", true],
    ["?", "", false],
    ["*", "", true],
  ])("%s, %j: %s", (pattern, written, expected) => {
    expect(takes(text(pattern), literal(written).tokens)).toBe(expected);
  });

  test("with variables, where both have the same", () => {
    const name = "${aws:username}";
    expect(takes(text(`a${name}*`), text(`a${name}b`).tokens)).toBe(true);
    expect(takes(text(`a${name}`), text("a${aws:userid}").tokens)).toBe(false);
    expect(takes(text(name), literal("a").tokens)).toBe(false);
    expect(takes(text("a*"), text(`a${name}`).tokens)).toBe(true);
    expect(takes(text("a?"), text(`a${name}`).tokens)).toBe(false);
    expect(takes(text(name), ignoringCase(name).tokens)).toBe(false);
    expect(takes(ignoringCase(name), text(name).tokens)).toBe(true);
  });

  test("also where an earlier `*` has to give way", () => {
    // The organisation's id has no slash, so that the first `*` takes all but the last.
    const pattern = patternOf([run, ...tokensOf("/a"), ...pathOf(tokensOf("*")).tokens]);
    expect(pattern.greedy).toBe(false);
    expect(takes(pattern, literal("x/a/ab/c").tokens)).toBe(true);
    expect(takes(pattern, literal("x/ab").tokens)).toBe(false);
    expect(takes(pattern, literal("").tokens)).toBe(false);
  });

  test("also where a `?` or a variable takes more than the `*` around it", () => {
    const bar = run + noSlash;
    const open = patternOf([bar, single, bar]);
    expect(open.greedy).toBe(false);
    expect(takes(open, literal("ab/c").tokens)).toBe(true);
    expect(takes(open, literal("abc/").tokens)).toBe(true);
    expect(takes(open, literal("a/b/").tokens)).toBe(false);
    expect(patternOf([bar, single + noSlash, bar]).greedy).toBe(true);
    expect(patternOf([single, variable, bar, 97, bar]).greedy).toBe(true);
    const barredName = variable + (noSlash << 1);
    expect(takes(patternOf([bar, variable, bar]), [barredName, variable])).toBe(true);
    expect(patternOf([bar, barredName, bar]).greedy).toBe(true);
  });

  test("within the budget", () => {
    const long = literal("ab".repeat(2_000)).tokens;
    expect(() => matches(text("*a*b*a*c"), long, new Budget(50))).toThrow(BudgetExceeded);
    const spent = budget();
    matches(text("a"), literal("a").tokens, spent);
    expect(spent.steps).toBe(1);
    matches(text("*b"), literal("a".repeat(160)).tokens, spent);
    expect(spent.steps).toBeGreaterThan(10);
  });
});

describe("fixed beginnings or ends differ", () => {
  test.each([
    ["a*", "b*", true],
    ["ab*", "a*", false],
    ["ab*", "ac*", true],
    ["*a", "*b", true],
    ["*xa", "*ya", true],
    ["*a", "*ba", false],
    ["a", "ab", true],
    ["a", "a*", false],
    ["a?*", "ab*", false],
    ["?*", "a*", false],
    ["a", "?", false],
    ["??", "a", true],
    ["${aws:username}a*", "${aws:username}b*", false],
    ["a${aws:username}", "b${aws:username}", true],
    ["${aws:username}a", "${aws:username}b", true],
    ["${aws:username}", "ab", false],
    ["x${aws:username}y", "xab", true],
    ["x${aws:username}b", "xab", false],
    ["${aws:username}yb", "xyzb", true],
    ["${aws:username}b", "xyzb", false],
    ["b${aws:username}", "bxyz", false],
    ["?b", "ab", false],
    ["?b", "?b", false],
  ])("%s, %s: %s", (left, right, expected) => {
    expect(endsClash(text(left), text(right))).toBe(expected);
    expect(endsClash(text(right), text(left))).toBe(expected);
  });

  test("but for letter case and bars", () => {
    expect(endsClash(ignoringCase("a*"), text("A*"))).toBe(false);
    expect(endsClash(ignoringCase("a*"), text("B*"))).toBe(true);
    expect(endsClash(text("A*"), ignoringCase("a*"))).toBe(false);
    expect(endsClash(text("B*"), ignoringCase("a*"))).toBe(true);
    expect(endsClash(text("a*"), ignoringCase("a*"))).toBe(false);
    expect(endsClash(literal("/"), patternOf([single + noSlash]))).toBe(true);
    expect(endsClash(literal("a"), patternOf([single + 4]))).toBe(true);
    expect(endsClash(patternOf([single + noColon]), literal(":"))).toBe(true);
    expect(endsClash(patternOf([single + noSlash]), literal("/"))).toBe(true);
    expect(endsClash(patternOf([single + noSlash]), literal(":"))).toBe(false);
    expect(endsClash(patternOf([single + noSlash]), patternOf([single + noColon]))).toBe(false);
    expect(endsClash(patternOf([single + 4]), literal("a"))).toBe(true);
    expect(endsClash(patternOf([single + 4]), literal("1"))).toBe(false);
  });
});

describe("what two patterns share", () => {
  const shown = (patterns: readonly Pattern[]) => patterns.map(({ tokens }) => tokenText(tokens));

  test.each([
    ["a*", "*b", ["a*b"]],
    ["a*", "*a", ["a*a", "a"]],
    ["a", "b", []],
    ["*", "a?", ["a?"]],
    ["a?c", "ab?", ["abc"]],
    // A variable that faces another one, or nothing but `*`, stays.
    ["${aws:username}*", "${aws:username}", ["{0}"]],
    ["a*", "*${aws:username}", ["a*{0}", "a*"]],
    // Where it faces characters it counts as `*`.
    ["${aws:username}", "alice", ["alice"]],
    ["a${aws:username}", "ab", ["ab"]],
    ["${aws:username}", "${aws:userid}", ["*"]],
    ["x${aws:username}", "y${aws:userid}", []],
  ])("%s, %s", (left, right, expected) => {
    expect(shown(meet(text(left), text(right), budget())).toSorted()).toEqual(expected.toSorted());
    expect(shown(meet(text(right), text(left), budget())).toSorted()).toEqual(expected.toSorted());
  });

  test.each([
    ["arn:aws:s3:::a*", "arn:*:s3:::*b", ["arn:aws:s3:::a*b"]],
    ["arn:aws:s3:::a", "arn:aws:sqs:::a", []],
    ["arn:aws:*:*:*:*", "arn:*:s3:?:1:a", ["arn:aws:s3:?[:]:1:a"]],
    ["arn:aws:sqs:*:${aws:username}:a", "arn:aws:sqs:b:1:a", ["arn:aws:sqs:b:1:a"]],
    [
      "arn:aws:sqs:*:${aws:username}:a",
      "arn:aws:sqs:b:${aws:username}:*",
      ["arn:aws:sqs:b:{0}[:]:a"],
    ],
    ["arn:aws:sqs:*:${aws:username}:a", "arn:aws:sqs:b:${aws:userid}:*", ["arn:aws:sqs:b:*[:]:a"]],
  ])("%s, %s, by field", (left, right, expected) => {
    expect(shown(meet(arn(left), arn(right), budget()))).toEqual(expected);
    expect(shown(meet(arn(right), arn(left), budget()))).toEqual(expected);
  });

  test("letters that may have either case have that of the other, and bars add up", () => {
    expect(shown(meet(ignoringCase("ab*"), text("A?"), budget()))).toEqual(["A<b>"]);
    expect(shown(meet(ignoringCase("ab*"), text("Ab"), budget()))).toEqual(["Ab"]);
    expect(shown(meet(ignoringCase("a*c"), ignoringCase("ab*"), budget()))).toEqual(["<a><b>*<c>"]);
    expect(shown(meet(patternOf([single + noSlash]), text("?"), budget()))).toEqual(["?[/]"]);
    const path = pathOf(tokensOf("o-*"));
    expect(shown(meet(path, text("o-a*/b"), budget()))).toEqual(["o-a*[/]/b", "o-a*[/]/*/b"]);
    expect(shown(meet(path, pathOf(tokensOf("*a")), budget()))).toEqual(["o-*[/]a/*"]);
    const [name, barred] = [patternOf([variable]), patternOf([variable + (noSlash << 1)])];
    expect(shown(meet(name, barred, budget()))[0]).toBe("{0}[/]");
    expect(shown(meet(patternOf([anyCase + 97]), patternOf([single + 4]), budget()))).toEqual([]);
  });

  test("a `?` and a variable keep the bars and the letter case of both, also with other tokens beside them", () => {
    const of = (left: number, right: number) =>
      shown(meet(patternOf([left, 97, run]), patternOf([right, run, 98]), budget()));
    expect(of(single + noSlash, single + noColon)).toEqual(["?[:/]a*b"]);
    expect(of(single + noSlash, anyCase + 120)).toEqual(["<x>a*b"]);
    expect(of(120, single + 4)).toEqual([]);
    expect(of(variable + 1, variable + 1 + (noSlash << 1))[0]).toBe("{0i}[/]a*b");
    expect(of(variable + 1, variable + (noSlash << 1))[0]).toBe("{0}[/]a*b");
    // What stays differs, so that only the values may be the same.
    expect(of(variable, variable + 8)).not.toContain("{0}a*b");
    expect(of(variable, variable + 8)).toContain("*a*b");
    expect(of(single, variable)).toContain("?a*b");
  });

  test("a text as a pattern of six fields", () => {
    const of = (written: string) => shown(finish(inFields(text(written), budget())));
    expect(of("arn:aws:s3:::a")).toEqual(["arn:aws:s3:::a"]);
    expect(of("a")).toEqual([]);
    expect(of("arn:aws:s3*")).toEqual(["arn:aws:s3*[:]:*[:]:*[:]:*"]);
    expect(shown([sixFields])).toEqual(["*[:]:*[:]:*[:]:*[:]:*[:]:*"]);
    // The value of a variable may have colons.
    expect(of("a:b:${aws:username}")).toEqual(["a:b:*[:]:*[:]:*[:]:*"]);
  });

  test("of several lists, those with variables first", () => {
    const of = (...lists: readonly (readonly string[])[]) =>
      shown(
        finish(
          meetAll(
            lists.map((list) => list.map(text)),
            budget(),
          ),
        ),
      );
    expect(of()).toEqual(["*"]);
    expect(of(["a*", "b*"], ["*c"])).toEqual(["a*c", "b*c"]);
    expect(of(["a"], ["b"], ["c"])).toEqual([]);
    expect(of(["ab", "b*"], ["a*"])).toEqual(["ab"]);
    expect(of(["a", "a${aws:username}"])).toEqual(["a{0}", "a"]);
  });

  test("too many patterns use up the budget", () => {
    const many = text("*a*a*a*a*a*a*a*a*a*a*");
    const others = text("*b*b*b*b*b*b*b*b*b*b*");
    expect(() => meet(many, others, new Budget(100_000_000))).toThrow(BudgetExceeded);
    const list = Array.from({ length: 72 }, (_, at) => text(`a${at}*`));
    const ends = Array.from({ length: 72 }, (_, at) => text(`*${at}b`));
    expect(() => finish(meetAll([list, ends], new Budget(100_000_000)))).toThrow(BudgetExceeded);
  });
});
