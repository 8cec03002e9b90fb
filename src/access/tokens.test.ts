import { expect, test } from "vitest";
import {
  anyCase,
  barsOf,
  digit,
  foldUnit,
  foreign,
  foreignOrSlash,
  isForeign,
  isLetter,
  isRun,
  isSingle,
  isUnit,
  isVariable,
  noColon,
  noSlash,
  plainVariable,
  run,
  single,
  type Token,
  takesToken,
  takesUnit,
  tokenMatches,
  variable,
  variableNumber,
  wildcardToken,
  withBars,
  withoutRepeatedRuns,
} from "./tokens.ts";

const unit = (text: string) => text.charCodeAt(0);
const letter = (text: string) => anyCase + unit(text);
const second = variable + 8 * 2;
const everyBar = noColon | noSlash | digit;

test("each token is a unit, a single, a run or a variable", () => {
  const tokens: readonly (readonly [Token, string])[] = [
    [0, "unit"],
    [unit("a"), "unit"],
    [foreign, "unit"],
    [0xffff, "unit"],
    [letter("a"), "unit"],
    [letter("z"), "unit"],
    [single, "single"],
    [single + everyBar, "single"],
    [run, "run"],
    [run + everyBar, "run"],
    [variable, "variable"],
    [second, "variable"],
    [second + 7, "variable"],
  ];
  const kindsOf = (token: Token) =>
    [
      isUnit(token) && "unit",
      isSingle(token) && "single",
      isRun(token) && "run",
      isVariable(token) && "variable",
    ].filter(Boolean);
  for (const [token, kind] of tokens) expect(kindsOf(token), String(token)).toEqual([kind]);
});

test("the wildcards of a text", () => {
  expect([..."*?a"].map((text) => wildcardToken(unit(text)))).toEqual([run, single, unit("a")]);
});

test("equal runs that follow each other are one", () => {
  const slashless = run + noSlash;
  expect(
    withoutRepeatedRuns([run, run, unit("a"), run, slashless, slashless, single, single]),
  ).toEqual([run, unit("a"), run, slashless, single, single]);
  expect(withoutRepeatedRuns([unit("a"), unit("a")])).toEqual([unit("a"), unit("a")]);
});

test("a variable has a number, a letter case and bars", () => {
  const barred = withBars(second, noColon);
  expect([variableNumber(variable), variableNumber(second), variableNumber(second + 7)]).toEqual([
    0, 2, 2,
  ]);
  expect(plainVariable(second + 7)).toBe(second);
  expect([barsOf(second), barsOf(second + 1), barsOf(barred)]).toEqual([0, 0, noColon]);
  expect(barsOf(withBars(barred, noSlash))).toBe(noColon | noSlash);
  // Variables have no bar for digits: its bit is their letter case.
  expect(withBars(second, digit)).toBe(second);
  expect([withBars(run, noColon), withBars(run + noColon, noSlash)]).toEqual([
    run + noColon,
    run + noColon + noSlash,
  ]);
});

test("letters and their case are those of ASCII", () => {
  expect([..."@AZ[`az{"].filter((text) => isLetter(unit(text)))).toEqual([..."AZaz"]);
  expect(String.fromCharCode(...[..."@AZ[azÄ"].map((text) => foldUnit(unit(text))))).toBe(
    "@az[azÄ",
  );
  expect([unit("a"), foreign, foreignOrSlash, foreignOrSlash + 1].map(isForeign)).toEqual([
    false,
    true,
    true,
    false,
  ]);
});

test("what a wildcard with bars takes", () => {
  const units = { a: unit("a"), 0: 48, 9: 57, below: 47, above: 58, foreign, foreignOrSlash };
  const taken = (bars: number) =>
    Object.entries(units)
      .filter(([, one]) => takesUnit(bars, one))
      .map(([name]) => name)
      .sort()
      .join(" ");
  expect(taken(0)).toBe("0 9 a above below foreign foreignOrSlash");
  expect(taken(noColon)).toBe("0 9 a below foreign foreignOrSlash");
  expect(taken(noSlash)).toBe("0 9 a above foreign");
  expect(taken(digit)).toBe("0 9 foreign foreignOrSlash");
  expect(taken(everyBar)).toBe("0 9 foreign");
});

test("whether a wildcard takes all that a token can be", () => {
  expect(takesToken(digit, unit("5"))).toBe(true);
  expect(takesToken(digit, unit("a"))).toBe(false);
  expect(takesToken(noColon, letter("a"))).toBe(true);
  expect(takesToken(digit, letter("a"))).toBe(false);
  // A variable may have a colon unless it is barred from them.
  expect(takesToken(0, second)).toBe(true);
  expect(takesToken(noColon, second)).toBe(false);
  expect(takesToken(noColon, withBars(second, noColon))).toBe(true);
  expect(takesToken(noColon | noSlash, withBars(second, noColon))).toBe(false);
  expect(takesToken(digit, second)).toBe(true);
  expect(takesToken(noColon, run)).toBe(false);
  expect(takesToken(noColon, run + noColon)).toBe(true);
  expect(takesToken(digit, single + digit)).toBe(true);
  expect(takesToken(digit, single)).toBe(false);
  expect(takesToken(0, run)).toBe(true);
});

test.each([
  ["a unit and itself", unit("a"), unit("a"), true],
  ["a unit and another", unit("a"), unit("b"), false],
  ["a unit and a letter in any case", unit("a"), letter("a"), false],
  ["a letter in any case and its capital", letter("a"), unit("A"), true],
  ["a letter in any case and itself", letter("a"), unit("a"), true],
  ["a letter in any case and another", letter("a"), unit("b"), false],
  ["a question mark and a unit", single, unit(":"), true],
  ["a question mark without colon and a colon", single + noColon, unit(":"), false],
  ["a question mark and a variable", single, second, false],
  ["a question mark and a letter in any case", single, letter("a"), true],
  ["a variable and itself", second, second, true],
  ["a variable and another", second, variable, false],
  ["a variable and a unit", second, unit("a"), false],
  ["a variable and its value in any case", second, second + 1, false],
  ["a variable in any case and its value", second + 1, second, true],
  ["a variable without colon and any value", withBars(second, noColon), second, false],
  ["a variable and a value without colon", second, withBars(second, noColon), true],
])("%s", (_name, pattern, text, expected) => {
  expect(tokenMatches(pattern, text)).toBe(expected);
});
