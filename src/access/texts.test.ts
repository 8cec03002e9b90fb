import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Budget, BudgetExceeded, finish } from "./budget.ts";
import { meetSteps } from "./meet.ts";
import { endsClash, matches, patternOf, unitsOf } from "./patterns.ts";
import { anyCase, colon, isRun, isSingle, noColon, run, single, type Token } from "./tokens.ts";
import { contains, uncoveredSteps } from "./uncovered.ts";

const meet = (...asked: Parameters<typeof meetSteps>) => finish(meetSteps(...asked));

/**
 * The patterns are compared with regular expressions on every text of up to five characters: small
 * enough to try them all, long enough for each `*` of a pattern to take nothing, one character and two.
 */
const alphabet = ["a", "A", "b", ":", "x"];
const texts = [""];
for (let from = 0, length = 1; length <= 5; length++) {
  const to = texts.length;
  for (; from < to; from++) for (const letter of alphabet) texts.push(`${texts[from]}${letter}`);
}

const anyTokens = fc.array(fc.constantFrom(97, 65, 98, colon, anyCase + 97, single, run), {
  maxLength: 5,
});

/** ARNs: only in their first five fields do wildcards leave out the colon. */
const barred = fc.array(fc.constantFrom(97, anyCase + 97, single + noColon, run + noColon), {
  maxLength: 2,
});
const arns = fc
  .tuple(
    fc.array(barred, { minLength: 5, maxLength: 5 }),
    fc.array(fc.constantFrom(97, colon, single, run), { maxLength: 3 }),
  )
  .map(([fields, last]) => [...fields.flatMap((field) => [...field, colon]), ...last]);
const arnTexts = ["", "a", "x"].flatMap((first) =>
  ["", "A", "xa"].flatMap((second) =>
    ["", "a", "x"].flatMap((third) =>
      ["", "a", ":", "x:"].map((last) => `${first}:${second}:${third}::${first}:${last}`),
    ),
  ),
);

function expressionOf(list: readonly Token[]): RegExp {
  const parts = list.map((token) => {
    if (isRun(token)) return token === run ? ".*" : "[^:]*";
    if (isSingle(token)) return token === single ? "." : "[^:]";
    if (token > anyCase) return "[aA]";
    return String.fromCharCode(token);
  });
  return new RegExp(`^${parts.join("")}$`, "s");
}

/** In place of a token: itself, or one that takes other texts; four ways. */
function alike(token: Token, way: number): readonly Token[] {
  if (isRun(token)) {
    const one = single + (token & 7);
    return [[token], [], [one, token], [one]][way] ?? [];
  }
  if (token < anyCase || isSingle(token)) return [token];
  return [way < 2 ? token : way === 2 ? 97 : 65];
}

/** Patterns, and the texts that they are tried on. */
const kinds = [
  ["names", anyTokens, texts],
  ["ARNs", arns, arnTexts],
] as const;
const takenBy = (list: readonly Token[], tried: readonly string[]) => {
  const expression = expressionOf(list);
  return tried.filter((text) => expression.test(text));
};
/** A question with too many texts to try has no answer to compare. */
function within<Answer>(ask: () => Answer): Answer {
  try {
    return ask();
  } catch (error) {
    fc.pre(!(error instanceof BudgetExceeded));
    throw error;
  }
}
const uncovered = (list: readonly Token[], others: readonly (readonly Token[])[]) =>
  within(() => finish(uncoveredSteps(patternOf(list), others.map(patternOf), budget())));
const containsList = (outer: readonly Token[], inner: readonly Token[]) =>
  within(() => contains(patternOf(outer), patternOf(inner), budget()));
const budget = () => new Budget(100_000);
const runs = { numRuns: 400 };

describe.each(kinds)("sets of %s, compared with regular expressions", (_, lists, tried) => {
  it("a pattern takes the same texts", () => {
    fc.assert(
      fc.property(lists, (list) => {
        const pattern = patternOf(list);
        const taken = tried.filter((text) => matches(pattern, unitsOf(text), budget()));
        expect(taken).toEqual(takenBy(list, tried));
      }),
      runs,
    );
  });

  it("what two patterns share is what both take", () => {
    fc.assert(
      fc.property(lists, lists, (left, right) => {
        const [a, b] = [patternOf(left), patternOf(right)];
        const shared = meet(a, b, budget());
        const taken = tried.filter((text) =>
          shared.some((one) => matches(one, unitsOf(text), budget())),
        );
        const other = expressionOf(right);
        const both = takenBy(left, tried).filter((text) => other.test(text));
        expect(taken).toEqual(both);
        if (endsClash(a, b)) expect(both).toEqual([]);
      }),
      runs,
    );
  });

  it("an uncovered text is taken by the pattern alone, and without one the others take every text", () => {
    fc.assert(
      fc.property(lists, fc.array(lists, { minLength: 1, maxLength: 4 }), (list, others) => {
        const found = uncovered(list, others);
        const rest = others.map(expressionOf);
        const isLeft = (text: string) => !rest.some((one) => one.test(text));
        if (found === null) {
          expect(takenBy(list, tried).filter(isLeft)).toEqual([]);
        } else {
          // A letter that may have either case is left in either.
          const text = String.fromCharCode(
            ...found.map((token) => (token > anyCase ? token - anyCase : token)),
          );
          expect(expressionOf(list).test(text)).toBe(true);
          expect(isLeft(text)).toBe(true);
        }
      }),
      { numRuns: 1_000 },
    );
  });

  it("without an uncovered text, others that are made from the pattern take every text, too", () => {
    const ways = fc.array(fc.nat({ max: 3 }), { minLength: 5, maxLength: 5 });
    fc.assert(
      fc.property(lists, fc.array(ways, { minLength: 1, maxLength: 4 }), (list, choices) => {
        const others = choices.map((choice) =>
          list.flatMap((token, at) => alike(token, choice[at] ?? 0)),
        );
        const found = uncovered(list, others);
        const rest = others.map(expressionOf);
        const left = takenBy(list, tried).filter((text) => !rest.some((one) => one.test(text)));
        if (found === null) expect(left).toEqual([]);
      }),
      { numRuns: 1_000 },
    );
  });

  it("a pattern contains the same one with fewer wildcards", () => {
    fc.assert(
      fc.property(
        lists,
        fc.array(fc.boolean(), { minLength: 16, maxLength: 16 }),
        (list, widened) => {
          const fieldsBefore = (index: number) =>
            list.slice(0, index).filter((token) => token === colon).length;
          const inFields = list.filter((token) => token === colon).length >= 5;
          const wider = list.map((token, index) => {
            if (token === colon || !widened[index]) return token;
            return inFields && fieldsBefore(index) < 5 ? run + noColon : run;
          });
          expect(containsList(wider, list)).toBe(true);
        },
      ),
      runs,
    );
  });

  it("a pattern contains another when it takes all of its texts", () => {
    fc.assert(
      fc.property(lists, lists, (outer, inner) => {
        const holds = containsList(outer, inner);
        const expression = expressionOf(outer);
        expect(!holds || takenBy(inner, tried).every((text) => expression.test(text))).toBe(true);
      }),
      runs,
    );
  });
});

it("tries several lengths of every wildcard before it says that all texts are covered", () => {
  const [b, x] = [98, 97];
  const pattern = patternOf([run, b, run]);
  // Zero or more than one character before the b is covered, and so is anything but one after it.
  const others = [
    [b, run],
    [single, single, run],
  ].map(patternOf);
  expect(finish(uncoveredSteps(pattern, others, budget()))).toBeNull();
  const narrower = [
    [b, run],
    [single, single, single, run],
    [x, b],
  ].map(patternOf);
  expect(finish(uncoveredSteps(pattern, narrower, budget()))).not.toBeNull();
});
