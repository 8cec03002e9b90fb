import { describe, expect, test } from "vitest";
import { arn, ignoringCase, text } from "../../test/support/pattern-text.ts";
import { tokenText } from "../../test/support/token-text.ts";
import { Budget, BudgetExceeded, finish } from "./budget.ts";
import { anything, literal, type Pattern, patternOf } from "./patterns.ts";
import { anyCase, foreign, foreignOrSlash, noSlash, run, single, variable } from "./tokens.ts";
import { contains, uncoveredSteps } from "./uncovered.ts";

const budget = () => new Budget(10_000_000);

/** The text that is left, `~` for a foreign character and `^` for one that may be a slash. */
function leftOf(pattern: Pattern, others: readonly Pattern[], within = budget()): string | null {
  const left = finish(uncoveredSteps(pattern, others, within));
  if (left === null) return null;
  return tokenText(left)
    .replaceAll(String.fromCharCode(foreign), "~")
    .replaceAll(String.fromCharCode(foreignOrSlash), "^");
}

describe("a text of a pattern that no other takes", () => {
  test.each([
    ["a", [], "a"],
    ["a", ["a"], null],
    ["a", ["*"], null],
    ["a", ["b", "ab", "a?"], "a"],
    ["a*", [], "a^"],
    ["a*", ["b*", "*b"], "a^"],
    ["a*", ["a"], "a^"],
    ["a*", ["?*"], null],
    ["a?", ["a?*"], null],
    ["a?", ["?"], "a^"],
    // As many foreign characters as the others have `?`, and one more.
    ["a*", ["a?"], "a^^"],
    ["a*", ["a?", "a??b?"], "a^^^^"],
    // Only a text as short as the others leave it.
    ["a*", ["a?*"], "a"],
    ["a*", ["a??*", "a"], "a^"],
    ["a*", ["a?*", "a"], null],
    ["a*", ["a???*", "a", "a??"], "a^"],
    // Several `*`, one at a time.
    ["a*b*", ["a?*b*"], "ab^^"],
    ["a*b*", ["a*b?*"], "a^^b"],
    // Both at once.
    ["a*b*", ["a?*b*", "ab?*"], "ab"],
    ["a*b*", ["a?*b*", "ab?*", "ab"], null],
    ["a*b*", ["ab*", "a??*b*", "a?b", "a?b?", "a?b???*"], "a^b^^"],
    ["a*b*", ["ab*", "a??*b*", "a?b", "a?b?", "a?b???*", "a?b??"], null],
    ["*b*", ["b*", "*b"], "^b^"],
    ["a${aws:username}", ["a*"], null],
    ["a${aws:username}", ["a?*"], "a{0}"],
    ["a${aws:username}*", ["a${aws:username}"], "a{0}^"],
    ["a${aws:username}*", ["a${aws:username}?*", "a${aws:username}"], null],
    ["a${aws:username}", ["a${aws:userid}"], "a{0}"],
  ] as const)("%s without %j", (pattern, others, left) => {
    expect(leftOf(text(pattern), others.map(text))).toBe(left);
  });

  test("wildcards that may be a slash leave one, others none", () => {
    const barred = patternOf([97, run + noSlash]);
    const one = patternOf([97, single + noSlash]);
    expect(leftOf(text("a*"), [barred])).toBe("a^");
    expect(leftOf(barred, [text("b*")])).toBe("a~");
    expect(leftOf(barred, [text("a*")])).toBeNull();
    expect(leftOf(text("a?"), [one])).toBe("a^");
    expect(leftOf(one, [text("a")])).toBe("a~");
    expect(leftOf(one, [text("a?*")])).toBeNull();
  });

  test("patterns of six fields cover only patterns of six fields", () => {
    expect(leftOf(text("arn:*:::::*"), [arn("arn:*:*:*:*:*")])).toBe("arn:^:::::^");
    expect(leftOf(arn("arn:aws:s3:::a*"), [arn("arn:*:s3:*:*:*")])).toBeNull();
    expect(leftOf(arn("arn:aws:s3:::a*"), [text("arn:aws:*")])).toBeNull();
  });

  test("the `?` of one field say nothing of the `*` of another", () => {
    const users = arn("arn:*:iam::????????????:user/*/*");
    const few = new Budget(200);
    expect(leftOf(arn("arn:*:iam::111122223333:user/*/a*"), [users], few)).toBeNull();
    expect(leftOf(arn("arn:*:iam::1111*:user/a*"), [users], few)).toBe(
      "arn:^:iam::1111^^^^^^^^^^^^^:user/a^",
    );
    const short = arn("arn:*:iam::????:user/*");
    expect(leftOf(arn("arn:*:iam::*:user/*"), [short])).toBe("arn:^:iam::^^^^^:user/^");
    expect(leftOf(arn("arn:*:iam::*:user/*"), [short, arn("arn:*:iam::?????*:user/*")])).toBe(
      "arn:^:iam:::user/^",
    );
  });

  test("one `*` that takes every length covers as many `*` as there are", () => {
    const many = text("a*b*b*b*b*b*b*");
    expect(leftOf(many, [text("a??????????*"), text("a*")])).toBeNull();
    expect(() => leftOf(many, [text("a??????????*"), text("ab*"), text("a?*")])).toThrow(
      BudgetExceeded,
    );
    // 12 lengths of 4 `*` are 20,736 texts, one `?` fewer makes 14,641.
    expect(() =>
      leftOf(text("a*b*b*b*"), [text("a??????????*"), text("a?*"), text("ab*")]),
    ).toThrow(BudgetExceeded);
    expect(leftOf(text("a*b*b*b*"), [text("a?????????*"), text("a?*"), text("ab*")])).toBeNull();
  });
});

describe("letters that may have either case", () => {
  test.each([
    ["ab", [], "ab"],
    ["ab", ["ab"], "Ab"],
    ["ab", ["ab", "Ab"], "aB"],
    ["ab", ["ab", "Ab", "aB"], "AB"],
    ["ab", ["ab", "Ab", "aB", "AB"], null],
    ["a*", ["a*"], "A^"],
    ["a*", ["a*", "A?*"], "A"],
    ["a*", ["a*", "A*"], null],
    ["a*b*", ["a*b*", "a*B*", "A*b*", "A?*B*"], "AB^^"],
    ["a*", ["a*", "A?*", "A"], null],
    ["a*b*b*b*b*b*", ["a*", "A*", "B??????????"], null],
    ["a-1", ["a-1"], "A-1"],
    // Of ten letters every spelling is tried, of eleven only four.
    ["abcdefghij", ["abcdefghij", "ABCDEFGHIJ", "Abcdefghij", "aBcDeFgHiJ"], "aBcdefghij"],
    ["abcdefghijk", ["abcdefghijk"], "ABCDEFGHIJK"],
    ["abcdefghijk", ["abcdefghijk", "ABCDEFGHIJK"], "Abcdefghijk"],
    ["abcdefghijk", ["abcdefghijk", "ABCDEFGHIJK", "Abcdefghijk"], "aBcDeFgHiJk"],
  ] as const)("%s without %j", (pattern, others, left) => {
    expect(leftOf(ignoringCase(pattern), others.map(text))).toBe(left);
  });

  test("are left alone where the others ignore it as well", () => {
    expect(leftOf(ignoringCase("ab*"), [ignoringCase("a*")])).toBeNull();
    expect(leftOf(ignoringCase("a*"), [ignoringCase("ab*")])).toBe("a^");
  });

  test("are too many when four spellings are taken", () => {
    const four = ["abcdefghijk", "ABCDEFGHIJK", "Abcdefghijk", "aBcDeFgHiJk"].map(text);
    expect(() => leftOf(ignoringCase("abcdefghijk"), four)).toThrow(BudgetExceeded);
  });

  test("do not include digits and signs", () => {
    const tokens = [49, 97].map((unit) => anyCase + unit);
    expect(leftOf(patternOf(tokens), [literal("1a")])).toBe("1A");
    expect(leftOf(patternOf([anyCase + 97, variable]), [patternOf([97, variable])])).toBe("A{0}");
    expect(leftOf(patternOf([anyCase + 97, single]), [text("a?")])).toBe("A^");
  });
});

test("a pattern contains another when nothing of it is left", () => {
  expect(contains(anything, text("a"), budget())).toBe(true);
  expect(contains(text("a"), text("a"), budget())).toBe(true);
  expect(contains(text("a"), ignoringCase("a"), budget())).toBe(false);
  expect(contains(text("a"), text("b"), budget())).toBe(false);
  expect(contains(text("a*"), text("ab*"), budget())).toBe(true);
  expect(contains(text("ab*"), text("a*"), budget())).toBe(false);
  expect(contains(ignoringCase("a*"), text("AB"), budget())).toBe(true);
  // One text is compared without any work.
  const within = budget();
  expect(contains(text("a"), text("a*"), within)).toBe(false);
  expect(within.steps).toBe(0);
});

describe("an ARN contains another field by field", () => {
  const digits = "?".repeat(12);

  test.each([
    [`arn:*:iam::${digits}:user/*`, "arn:*:iam::111122223333:user/*/x*", true],
    [`arn:*:iam::${digits}:user/*/*`, "arn:*:iam::111122223333:user/*/x*/*y", true],
    [`arn:*:iam::${digits}:user/*`, `arn:*:iam::${digits}:user/*`, true],
    [`arn:aws:iam::${digits}:user/*`, "arn:*:iam::111122223333:user/*/x*", false],
    [`arn:*:iam::${digits}:user/*`, "arn:*:iam::11112222333:user/*/x*", false],
    [`arn:*:iam::${digits}:user/*`, "arn:*:iam::*:user/*/x*", false],
    [`arn:*:iam::${digits}:user/a*`, "arn:*:iam::111122223333:user/*/x*", false],
    [`arn:*:iam::${digits}:root`, "arn:*:iam::111122223333:roo?", false],
    ["arn:*:iam::*:user/??*", "arn:*:iam::*:user/*/x*", true],
    ["arn:*:iam::*:user/??*", "arn:*:iam::*:user/*", false],
  ])("%s, %s: %s", (outer, inner, expected) => {
    const within = budget();
    expect(contains(arn(outer), arn(inner), within)).toBe(expected);
    expect(within.steps).toBeLessThan(30);
  });

  test("but a text that is not an ARN as a whole", () => {
    expect(contains(text("*?:a"), arn("arn:aws:*:*:*:a"), budget())).toBe(true);
    expect(contains(arn("arn:aws:?:*:*:a"), text("arn:aws:x:*"), budget())).toBe(false);
  });
});

describe("steps", () => {
  const stepsOf = (pattern: Pattern, ...others: readonly Pattern[]) => {
    const within = budget();
    leftOf(pattern, others, within);
    return within.steps;
  };

  test("are none where a pattern is among the others, or all are covered", () => {
    expect(stepsOf(text("a*b"), text("a*b"))).toBe(0);
    expect(stepsOf(text("a*b"), anything)).toBe(0);
    expect(stepsOf(text("a*b"), text("b*"), text("*c"), text("a*c"))).toBe(0);
    expect(stepsOf(text("a*b"))).toBe(0);
  });

  test.each<[number, Pattern, readonly Pattern[]]>([
    [2, text("a?"), [text("?a"), text("??")]],
    [5, text("a*"), [text("a?*"), text("a")]],
    [21, text("a*b*"), [text("a?*b*"), text("ab?*"), text("ab")]],
    [24, ignoringCase("ab"), [text("ab"), text("Ab"), text("aB"), text("AB")]],
    [24, ignoringCase("ab*"), [text("ab*"), text("Ab*"), text("aB*"), text("AB*")]],
    [
      10,
      arn("arn:*:iam::1*:user/*"),
      [arn("arn:*:iam::????:user/*"), arn("arn:*:iam::?????*:user/*")],
    ],
    [
      39,
      arn("arn:*:iam::1*:user/*"),
      [arn("arn:*:iam::????:user/*"), text("arn:*:iam::?????*:user/*")],
    ],
    [1039, text("arn:*:iam::1*:user/*"), [text("arn:*:iam::????:user/*"), text("a?*")]],
  ])("are %i", (expected, pattern, others) => {
    const steps = stepsOf(pattern, ...others);
    expect(steps).toBeGreaterThan(expected * 0.9);
    expect(steps).toBeLessThan(expected * 1.1);
  });
});

test("control is not handed back where no pause is due, and often where one always is", () => {
  const pauses = (isPaused: boolean, pattern: Pattern, ...others: readonly Pattern[]) => {
    const within = budget();
    Object.defineProperty(within, "pauseDue", { get: () => isPaused });
    return [...uncoveredSteps(pattern, others, within)].length;
  };
  const cases = [
    [text("a*"), text("ab*"), text("ac*")],
    [text("a*b*"), text("a?*b*"), text("ab?*"), text("ab")],
    [ignoringCase("ab"), text("ab"), text("Ab"), text("aB"), text("AB")],
  ] as const;
  for (const [pattern, ...others] of cases) expect(pauses(false, pattern, ...others)).toBe(0);
  const often = cases.map(([pattern, ...others]) => pauses(true, pattern, ...others));
  expect(often).toEqual([2, 21, 12]);
});

test("control is handed back between others, between lengths, and between spellings", () => {
  const pausesOf = (steps: Generator<null, unknown>) => [...steps].length;
  const others = Array.from({ length: 1_000 }, (_, at) => text(`a${at}*`));
  expect(pausesOf(uncoveredSteps(text("a*"), others, budget()))).toBeGreaterThan(2);
  const lengths = [text("a?????????*"), text("a?*"), text("ab*")];
  expect(pausesOf(uncoveredSteps(text("a*b*b*b*"), lengths, budget()))).toBeGreaterThan(20);
  const long = `a${"?".repeat(600)}*`;
  expect(
    pausesOf(uncoveredSteps(text("a*"), [text(long), text("a?*"), text("a")], budget())),
  ).toBeGreaterThan(2);
  const letters = [..."abcdefghij"];
  const spellings = Array.from({ length: 400 }, (_, bits) =>
    letters.map((letter, at) => ((bits >> at) & 1 ? letter.toUpperCase() : letter)).join(""),
  );
  const spelt = uncoveredSteps(ignoringCase(letters.join("")), spellings.map(text), budget());
  expect(pausesOf(spelt)).toBeGreaterThan(100);
});
