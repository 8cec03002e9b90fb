import { describe, expect, test } from "vitest";
import { bindings, valuesThatMake } from "./bind.ts";
import { Budget } from "./budget.ts";
import { type Literal, oneOf, Terms } from "./literals.ts";
import type { Pattern } from "./patterns.ts";
import { pathOf, readTokens, resourcePattern, Variables } from "./read-pattern.ts";

type Values = Readonly<Record<string, string>>;

/** Patterns and literals of one question. */
class Question {
  readonly variables = new Variables();
  readonly terms = new Terms();
  readonly budget: Budget;

  constructor(budget = 100_000) {
    this.budget = new Budget(budget);
  }

  pattern(text: string, ignoreCase = false): Pattern {
    const reading = { wildcards: true, variables: true, ignoreCase };
    return resourcePattern(readTokens(text, reading, this.variables) ?? []);
  }

  literal(patterns: readonly Pattern[], negated = false): Literal {
    return oneOf(this.terms, this.terms.dimension("@resource"), patterns, negated);
  }

  bind(text: string, literals: readonly Literal[], known: Values = {}): readonly Values[] {
    const environment = new Map(Object.entries(known));
    const found = [...bindings(text, literals, environment, this.variables, this.budget)];
    expect(found.every((one) => one.text === text)).toBe(true);
    return found.map((one) => Object.fromEntries(one.environment));
  }
}

/** The ways in which a text fits one pattern. */
function bound(pattern: string, text: string, known: Values = {}): readonly Values[] {
  const question = new Question();
  return question.bind(text, [question.literal([question.pattern(pattern)])], known);
}

describe("what stands in the place of variables", () => {
  test.each([
    ["${a:b}", "x", [{ "a:b": "x" }]],
    ["home/${a:b}/*", "home/alice/docs", [{ "a:b": "alice" }]],
    ["${a:b}", "", [{ "a:b": "" }]],
    ["x${a:b}y", "xy", [{ "a:b": "" }]],
    ["x${a:b}", "y", []],
    ["${a:b}x", "xy", []],
    ["${a:b}-${a:b}", "x-x", [{ "a:b": "x" }]],
    ["${a:b}-${a:b}", "x-y", []],
    ["${a:b}-${A:B}", "x-x", [{ "a:b": "x" }]],
    ["${Name}/${a:b}", "x/y", [{ "@${Name}": "x", "a:b": "y" }]],
    ["{{name}}", "x", [{ "@{{name}}": "x" }]],
    ["?${a:b}", "xy", [{ "a:b": "y" }]],
    ["?${a:b}", "", []],
    ["${a:b}?", "x", [{ "a:b": "" }]],
    ["X${a:b}", "xy", []],
  ])("%s in %s: %j", (pattern, text, expected) => {
    expect(bound(pattern, text)).toEqual(expected);
  });

  test("is tried from one character on, and empty last", () => {
    expect(bound("${a:b}${a:c}", "xy")).toEqual([
      { "a:b": "x", "a:c": "y" },
      { "a:b": "xy", "a:c": "" },
      { "a:b": "", "a:c": "xy" },
    ]);
    // A wildcard before it takes as little as it can.
    expect(bound("*${a:b}", "xy")).toEqual([{ "a:b": "xy" }, { "a:b": "y" }, { "a:b": "" }]);
  });

  test("in a field of an ARN has no colon", () => {
    expect(bound("arn:aws:s3:${a:b}:${a:c}:x", "arn:aws:s3:us:1:x")).toEqual([
      { "a:b": "us", "a:c": "1" },
    ]);
    expect(bound("arn:aws:${a:b}:::x", "arn:aws:s3:::y:::x")).toEqual([]);
    // Past the fifth colon, and in a text that is not an ARN, it may have some.
    expect(bound("arn:aws:s3:::${a:b}", "arn:aws:s3:::x:y")).toEqual([{ "a:b": "x:y" }]);
    expect(bound("${a:b}", "x:y")).toEqual([{ "a:b": "x:y" }]);
  });

  test("stays beside what a wildcard takes, which in a field has no colon either", () => {
    expect(bound("arn:aws:*:::${a:b}", "arn:aws:s3:::x")).toEqual([{ "a:b": "x" }]);
    expect(bound("arn:aws:*:::${a:b}", "arn:aws:s3:::x:::y")).toEqual([{ "a:b": "x:::y" }]);
  });

  test("in the id of an organisation has no slash", () => {
    const question = new Question();
    const tokens = readTokens("${a:b}", { wildcards: true, variables: true }, question.variables);
    const literals = [question.literal([pathOf(tokens ?? [])])];
    expect(question.bind("o-a/r-b/", literals)).toEqual([{ "a:b": "o-a" }]);
  });

  test("is known already", () => {
    expect(bound("${a:b}/*", "x/y", { "a:b": "x" })).toEqual([{ "a:b": "x" }]);
    expect(bound("${a:b}/*", "x/y", { "a:b": "y" })).toEqual([]);
    expect(bound("${a:b}", "xy", { "a:b": "x" })).toEqual([]);
    expect(bound("${a:b}", "x", { "a:b": "X" })).toEqual([]);
    expect(bound("${a:b}y", "y", { "a:b": "" })).toEqual([{ "a:b": "" }]);
    expect(bound("${a:b}", "x", { "a:c": "y" })).toEqual([{ "a:c": "y", "a:b": "x" }]);
    expect(bound("${N}", "x", { "@${N}": "x" })).toEqual([{ "@${N}": "x" }]);
    expect(bound("${N}", "x", { "@${N}": "y" })).toEqual([]);
  });

  test("counts in any letter case where the operator ignores it", () => {
    const of = (text: string, known: Values) => {
      const question = new Question();
      return question.bind(text, [question.literal([question.pattern("${a:b}-x", true)])], known);
    };
    expect(of("Alice-X", { "a:b": "aLICE" })).toEqual([{ "a:b": "aLICE" }]);
    expect(of("Alice-X", {})).toEqual([{ "a:b": "Alice" }]);
    expect(of("Bob-X", { "a:b": "aLICE" })).toEqual([]);
  });
});

describe("several literals", () => {
  test("without variables leave everything as it was", () => {
    const question = new Question();
    const literals = [
      question.literal([question.pattern("x")]),
      question.literal([question.pattern("y")]),
    ];
    expect(question.bind("x", literals, { "a:b": "z" })).toEqual([{ "a:b": "z" }]);
    expect(question.bind("x", [], {})).toEqual([{}]);
  });

  test("have one value for each variable", () => {
    const question = new Question();
    const of = (...patterns: string[]) =>
      patterns.map((text) => question.literal([question.pattern(text)]));
    expect(question.bind("x/y", of("${a:b}/*", "*/${a:c}"))).toEqual([{ "a:b": "x", "a:c": "y" }]);
    expect(question.bind("x/y", of("${a:b}/*", "*/${a:b}"))).toEqual([]);
    expect(question.bind("x/x", of("${a:b}/*", "*/${a:b}"))).toEqual([{ "a:b": "x" }]);
  });

  test("that exclude something bind nothing", () => {
    const question = new Question();
    const out = question.literal([question.pattern("${a:b}")], true);
    const within = question.literal([question.pattern("x${a:c}")]);
    expect(question.bind("xy", [out])).toEqual([{}]);
    expect(question.bind("xy", [out, within])).toEqual([{ "a:c": "y" }]);
  });

  test("of ranges bind nothing", () => {
    const question = new Question();
    const { index } = question.terms.dimension("a");
    const ranges = question.terms.literal({
      dimension: index,
      absentOk: false,
      quantifier: "one",
      texts: null,
      ranges: [],
    });
    expect(question.bind("x", [ranges])).toEqual([{}]);
  });

  test("bind by one of their patterns, a pattern without variables among them", () => {
    const question = new Question();
    const of = (...texts: string[]) => [
      question.literal(texts.map((text) => question.pattern(text))),
    ];
    expect(question.bind("xy", of("x${a:b}", "${a:c}y"))).toEqual([{ "a:b": "y" }, { "a:c": "x" }]);
    expect(question.bind("xy", of("xy", "z${a:b}"))).toEqual([{}]);
    expect(question.bind("xy", of("z", "z${a:b}"))).toEqual([]);
  });
});

describe("many ways", () => {
  const six = ["a", "aa", "aaa", "aaaa", "aaaaa", "aaaaaa"];
  const text = "a".repeat(20);

  test("are bound to six at most", () => {
    expect(bound("${a:b}${a:c}", text).map((values) => values["a:b"])).toEqual(six);
    const question = new Question();
    const of = (pattern: string) => question.literal([question.pattern(pattern)]);
    expect(question.bind(text, [of("${a:b}${a:c}"), of("${a:d}${a:e}")])).toHaveLength(6);
    const both = question.literal([question.pattern("${a:f}${a:g}"), question.pattern("${a:h}*")]);
    const found = question.bind(text, [both]);
    expect(found).toHaveLength(6);
    expect(found.every((values) => values["a:f"] !== undefined)).toBe(true);
  });

  test("of patterns that have fewer are joined up to six", () => {
    const question = new Question();
    const names = ["b", "c", "d", "e"];
    const all = names.map((name) => question.pattern(`\${a:${name}1}\${a:${name}2}`));
    const found = question.bind("x", [question.literal(all)]);
    expect(found).toHaveLength(6);
    expect(found.map((values) => Object.keys(values)[0])).toEqual([
      "a:b1",
      "a:b1",
      "a:c1",
      "a:c1",
      "a:d1",
      "a:d1",
    ]);
  });

  test("cost steps, and end", () => {
    const question = new Question();
    const hard = Array.from({ length: 12 }, (_, at) => `\${a:${at}}`).join("");
    expect(
      question.bind("a".repeat(60), [question.literal([question.pattern(`${hard}b`)])]),
    ).toEqual([]);
    // One for the pattern, and one for each 64 of some 4,000 places.
    expect(question.budget.steps).toBe(1 + 62);
  });
});

describe("all values under which a text fits a pattern", () => {
  function values(text: string, pattern: string, question = new Question()) {
    const found = valuesThatMake(
      question.pattern(pattern),
      text,
      question.variables,
      question.budget,
    );
    return found?.map((environment) => Object.fromEntries(environment)) ?? null;
  }

  test.each([
    ["home/alice", "home/${a:b}", [{ "a:b": "alice" }]],
    ["home/alice", "home/${a:b}/${a:c}", []],
    ["x-x", "${a:b}-${a:b}", [{ "a:b": "x" }]],
    ["x", "x", [{}]],
    [
      "xy",
      "${a:b}${a:c}",
      [
        { "a:b": "x", "a:c": "y" },
        { "a:b": "xy", "a:c": "" },
        { "a:b": "", "a:c": "xy" },
      ],
    ],
    [
      "aaaa",
      "${a:b}${a:c}",
      [1, 2, 3, 4, 0].map((at) => ({ "a:b": "a".repeat(at), "a:c": "a".repeat(4 - at) })),
    ],
  ])("%s, %s: %j", (text, pattern, expected) => {
    expect(values(text, pattern)).toEqual(expected);
  });

  test("are not known when there are more than five, or too many places", () => {
    expect(values("aaaaa", "${a:b}${a:c}")).toBeNull();
    const hard = Array.from({ length: 12 }, (_, at) => `\${a:${at}}`).join("");
    expect(values("a".repeat(60), `${hard}b`)).toBeNull();
    const question = new Question();
    expect(values("x", "x", question)).toEqual([{}]);
    expect(question.budget.steps).toBe(1);
  });
});

test("the patterns that one text is compared with are bounded together", () => {
  const question = new Question();
  const patterns = Array.from({ length: 60 }, (_, at) =>
    question.pattern(`\${a:b}\${c:d}\${e:f}y${at}`),
  );
  expect(question.bind("x".repeat(60), [question.literal(patterns)])).toEqual([]);
  // Each takes 62 steps.
  expect(question.budget.steps).toBeLessThan(500);
});
