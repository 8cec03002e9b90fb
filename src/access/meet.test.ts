import { describe, expect, test } from "vitest";
import { arn, ignoringCase, text } from "../../test/support/pattern-text.ts";
import { tokenText } from "../../test/support/token-text.ts";
import { Budget, BudgetExceeded, finish } from "./budget.ts";
import { inFields, meetAll, meetSteps } from "./meet.ts";
import { anything, type Pattern, patternOf } from "./patterns.ts";
import { digit, noColon, noSlash, run, single, slash, variable, withBars } from "./tokens.ts";

const meet = (...asked: Parameters<typeof meetSteps>) => finish(meetSteps(...asked));

const budget = () => new Budget(10_000_000);
const shown = (patterns: readonly Pattern[]) => patterns.map(({ tokens }) => tokenText(tokens));

const pairs: readonly (readonly [
  a: Pattern,
  b: Pattern,
  both: readonly string[],
  steps: number,
])[] = [
  [text("a"), text("b"), [], 1],
  [text("a"), text("a*"), ["a"], 2],
  [text("a*"), text("b*"), [], 1],
  [text("a*"), text("*b"), ["a*b"], 12],
  [text("a*"), text("*a"), ["a", "a*a"], 14],
  [text("ab*"), text("*bc"), ["abc", "ab*bc"], 23],
  [text("a*b"), text("*"), ["a*b"], 1],
  [text("a*b"), text("a*c*b"), ["a*c*b"], 2],
  [text("a?c"), text("?b?"), ["abc"], 19],
  [text("a?*"), text("*b"), ["ab", "a?*b"], 19],
  [text("*a*"), text("*b*"), ["*a*b*", "*b*a*"], 21],
  [text("a*c"), text("*b*"), ["a*b*c"], 19],
  [text("a?"), text("a"), [], 1],
  [text("?*"), text("a*"), ["a*"], 4],
  [text("?a*"), text("*b?"), ["ba", "?a*b?"], 21],
  [text("x${aws:username}"), text("x*"), ["x{0}"], 3],
  [text("x${aws:username}"), text("xab"), ["xab"], 15],
  [text("x${aws:username}"), text("xa*"), ["xa*"], 27],
  [text("x${aws:username}"), text("*b"), ["x*b"], 21],
  [text("x${aws:username}"), text("x${aws:username}*"), ["x{0}"], 3],
  [text("x${aws:username}*"), text("*${aws:username}y"), ["x{0}y", "x{0}*{0}y", "x*y"], 32],
  [text("x${aws:username}"), text("x${aws:userid}"), ["x*"], 12],
  [text("${aws:username}"), text("?"), ["?"], 11],
  [ignoringCase("ab"), text("AB"), ["AB"], 2],
  [ignoringCase("ab"), ignoringCase("a*"), ["<a><b>"], 4],
  [ignoringCase("abc"), text("aB*"), ["aB<c>"], 20],
  [ignoringCase("x${aws:username}"), text("x${aws:username}"), ["x{0}"], 2],
  [ignoringCase("x${aws:username}*"), text("x${aws:username}y*"), ["x{0}y*"], 2],
  [arn("arn:aws:s3:*:*:a*"), arn("arn:*:s3:us:*:*b"), ["arn:aws:s3:us:*[:]:a*b"], 20],
  [arn("arn:aws:s3:a*:*:*"), arn("arn:aws:s3:b*:*:*"), [], 1],
  [arn("arn:aws:s3:*:*:a*x"), arn("arn:aws:s3:*:1*:b*x"), [], 10],
  [arn("arn:aws:s3:::a*"), arn("arn:aws:s3:::*:b"), ["arn:aws:s3:::a*:b"], 22],
  [
    arn("arn:aws:*a*:::x"),
    arn("arn:aws:*b*:::x"),
    ["arn:aws:*[:]a*[:]b*[:]:::x", "arn:aws:*[:]b*[:]a*[:]:::x"],
    31,
  ],
  [
    arn("arn:aws:s3:::${aws:username}/*"),
    arn("arn:aws:s3:::alice/*"),
    ["arn:aws:s3:::alice/*", "arn:aws:s3:::alice/*/*"],
    118,
  ],
  [
    arn("arn:aws:sqs:*:${aws:PrincipalAccount}:q"),
    arn("arn:aws:sqs:us:1*:*"),
    ["arn:aws:sqs:us:1*[:]:q"],
    31,
  ],
  [
    arn("arn:aws:sqs:a*:${aws:PrincipalAccount}:q"),
    arn("arn:aws:sqs:*b:${aws:PrincipalAccount}:*"),
    ["arn:aws:sqs:a*[:]b:{2}[:]:q"],
    36,
  ],
  [
    arn("arn:aws:s3:::a*"),
    text("arn:*:s3:::*b"),
    ["arn:aws:s3:::a*b", "arn:aws:s3:::a*:s3:::*b"],
    315,
  ],
  [arn("arn:aws:s3:*:*:x"), text("arn:aws:*x"), ["arn:aws:s3:*[:]:*[:]:x"], 3],
  [
    arn("arn:aws:s3:::a*"),
    text("arn:aws:${aws:username}:*"),
    ["arn:aws:s3:::a*", "arn:aws:s3:::a*:*"],
    532,
  ],
  [patternOf([97, run + noSlash]), text("a*b"), ["a*[/]b"], 15],
  [patternOf([97, run + noSlash]), text("a*/b"), [], 18],
  [patternOf([run + noSlash]), patternOf([97, run + noColon]), ["a*[:/]"], 9],
  [patternOf([single + digit, single + digit]), text("1?"), ["1?"], 2],
  [patternOf([single + digit, single]), text("a?"), [], 1],
  [patternOf([single + noColon, 97]), patternOf([single + noSlash, single]), ["?[:/]a"], 12],
  [
    patternOf([97, run + noColon, 98]),
    patternOf([single, single + noSlash, single]),
    ["a?[:/]b"],
    19,
  ],
  [patternOf([slash, run + noSlash]), patternOf([run + noColon, 97]), ["/*[:/]a"], 12],
];
const titled = pairs.map(
  (row) => [tokenText(row[0].tokens), tokenText(row[1].tokens), row] as const,
);

describe("the texts that two patterns share", () => {
  test.each(titled)("%s and %s", (_a, _b, [a, b, both]) => {
    expect(shown(meet(a, b, budget()))).toEqual(both);
    expect(shown(meet(b, a, budget())).sort()).toEqual([...both].sort());
  });

  test.each(titled)("%s and %s cost few steps", (_a, _b, [a, b, , steps]) => {
    const within = budget();
    meet(a, b, within);
    expect(within.steps).toBeGreaterThan(steps * 0.9);
    expect(within.steps).toBeLessThan(steps * 1.1);
  });

  test("are those of one where the other takes everything", () => {
    const within = new Budget(3);
    expect(meet(text("a*b"), anything, within)).toEqual([text("a*b")]);
    expect(meet(anything, text("a*b"), within)).toEqual([text("a*b")]);
    expect(meet(text("a*b"), text("a*b"), within)).toEqual([text("a*b")]);
    expect(() => meet(text("a"), text("a"), within)).toThrow(BudgetExceeded);
  });

  test("have the bars of both where they share a variable", () => {
    const barred = (bars: number) => patternOf([97, withBars(variable, bars)]);
    expect(shown(meet(barred(noColon), barred(noSlash), budget()))[0]).toBe("a{0}[:/]");
  });

  test("are too many to list where many stars meet", () => {
    const many = (letter: string) => text(`*${letter}*`.repeat(9).replaceAll("**", "*"));
    expect(() => meet(many("a"), many("b"), budget())).toThrow(BudgetExceeded);
    const field = (letter: string) => `*${letter}*${letter}*${letter}*${letter}*`;
    const arns = (letter: string) => arn(`arn:${field(letter)}:${field(letter)}:::x`);
    expect(meet(text(field("a")), text(field("b")), budget())).toHaveLength(70);
    expect(meet(arns("a"), arns("b"), budget())).toHaveLength(4_900);
    const three = (letter: string) => arn(`arn:${field(letter)}:${field(letter)}:*${letter}*::x`);
    expect(() => meet(three("a"), three("b"), budget())).toThrow(BudgetExceeded);
  });
});

test.each([
  [
    "arn:*:s3:::a*",
    [
      "arn:*[:]:s3:::a*",
      "arn:*[:]:*[:]:s3:::a*",
      "arn:*[:]:*[:]:*[:]:s3:::a*",
      "arn:*[:]:*[:]:*[:]:*[:]:s3:::a*",
      "arn:*[:]:*[:]:*[:]:*[:]:*:s3:::a*",
    ],
  ],
  ["arn:aws:s3:::*", ["arn:aws:s3:::*"]],
  ["a:b:c:*:e:f:g", ["a:b:c:*[:]:e:f:g", "a:b:c:*[:]:*[:]:e:f:g", "a:b:c:*[:]:*[:]:*:e:f:g"]],
  // The value of a variable may have colons.
  [
    "a:b:${aws:username}:d:e:f",
    [
      "a:b:{0}[:]:d:e:f",
      "a:b:*[:]:d:e:f",
      "a:b:*[:]:*[:]:d:e:f",
      "a:b:*[:]:*[:]:*[:]:d:e:f",
      "a:b:*[:]:*[:]:*[:]:*:d:e:f",
    ],
  ],
])("%s in six fields: %j", (pattern, expected) => {
  expect(shown(finish(inFields(text(pattern), budget())))).toEqual(expected);
});

describe("the texts that lists of patterns share", () => {
  test.each<[readonly (readonly Pattern[])[], readonly string[]]>([
    [[], ["*"]],
    [
      [[text("a*"), text("b*")], [text("*c")]],
      ["a*c", "b*c"],
    ],
    [[[text("a")], [text("b")], [text("c")]], []],
    [[[text("a*")], [text("a*"), text("*b")]], ["a*"]],
    [[[text("ab*")], [text("*c"), text("a*")]], ["ab*"]],
    // A pattern with a variable comes first.
    [
      [[text("x*")], [text("xab"), text("x${aws:username}")]],
      ["x{0}", "xab"],
    ],
    [[[anything], [text("a")]], ["a"]],
    [
      [
        [text("ab"), text("a*")],
        [text("*b"), text("a?")],
      ],
      ["ab", "a*b", "a?"],
    ],
    [[[text("a*")], []], []],
    [[[text("a*"), text("a*b")], [text("*b")]], ["a*b"]],
  ])("%#", (lists, expected) => {
    expect(shown(finish(meetAll(lists, budget())))).toEqual(expected);
  });

  test("are too many past five thousand", () => {
    const starts = (count: number) => Array.from({ length: count }, (_, at) => text(`a${at}-*`));
    const ends = (count: number) => Array.from({ length: count }, (_, at) => text(`*+${at}`));
    expect(finish(meetAll([starts(50), ends(100)], budget()))).toHaveLength(5_000);
    expect(() => finish(meetAll([starts(51), ends(99)], budget()))).toThrow(BudgetExceeded);
  });
});

describe("pauses", () => {
  const pausesOf = (steps: Generator<null, unknown>) => [...steps].length;

  test("are not taken where none is due", () => {
    const within = budget();
    Object.defineProperty(within, "pauseDue", { get: () => false });
    const lists = [
      [text("a*"), text("c?*")],
      [text("*b*"), text("*c*d")],
      [text("*e*"), text("*${aws:username}*")],
    ];
    expect(pausesOf(meetAll(lists, within))).toBe(0);
  });

  test("are taken in the meeting of long patterns", () => {
    const long = (letter: string) => text(`${letter}${"?".repeat(60)}*z`);
    expect(
      pausesOf(meetAll([[long("a")], [text(`*${"y?".repeat(20)}*`)]], budget())),
    ).toBeGreaterThan(3);
  });

  test("are taken between patterns of a list", () => {
    const list = Array.from({ length: 600 }, (_, at) => text(`b${at}*`));
    const within = budget();
    Object.defineProperty(within, "pauseDue", { get: () => true });
    expect(pausesOf(meetAll([[text("a")], list], within))).toBeGreaterThanOrEqual(600);
  });

  test("are taken while many results are listed", () => {
    const field = (letter: string) => `*${letter}*${letter}*${letter}*${letter}*`;
    const arns = (letter: string) => arn(`arn:${field(letter)}:${field(letter)}:::x`);
    const within = budget();
    const pauses = pausesOf(meetAll([[arns("a")], [arns("b")]], within));
    expect(pauses).toBeGreaterThan(within.steps / 500);
  });
});
