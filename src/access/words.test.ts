import { expect, test } from "vitest";
import { Budget, finish } from "./budget.ts";
import { oneOf, Terms } from "./literals.ts";
import { literal, type Pattern, patternOf } from "./patterns.ts";
import { arnPattern, readTokens, Variables } from "./read-pattern.ts";
import { uncoveredSteps } from "./uncovered.ts";
import {
  arnFields,
  otherArnFields,
  plainWords,
  spellings,
  textMeets,
  type Wording,
} from "./words.ts";

const budget = () => new Budget(100_000);
const tokensOf = (text: string) =>
  readTokens(text, { wildcards: true, variables: true }, new Variables()) ?? [];
const text = (written: string) => patternOf(tokensOf(written));
const arn = (written: string) => arnPattern(tokensOf(written)) ?? text("");

const plain: Wording = { fields: [], words: plainWords };
const ofQueue: Wording = { fields: arnFields("sqs", null), words: ["orders", "other"] };

/** A text of the pattern that the others do not take, in words. */
function spelt(
  pattern: Pattern,
  wording = plain,
  others: readonly Pattern[] = [],
  meets: (text: string) => boolean = () => true,
) {
  const found = finish(uncoveredSteps(pattern, others, budget()));
  if (!found) throw new Error("covered");
  return spellings({ pattern, text: found }, wording, () => "alice", meets);
}

test.each([
  ["a", ["a"]],
  ["a*", ["aexample", "aother"]],
  ["*", ["example", "other"]],
  ["a?c", ["axc", "a\u{e000}c"]],
  ["a?*c", ["aexamplec", "aotherc"]],
  ["*-*", ["example-example", "other-other"]],
  ["${aws:username}/x", ["alice/x"]],
  ["a${aws:username}*", ["aaliceexample", "aaliceother"]],
])("%s is spelt %j", (pattern, expected) => {
  expect(spelt(text(pattern))).toEqual(expected);
});

test("a whole field of an ARN has the value that a reader expects, and others have a word", () => {
  expect(spelt(arn("arn:*:sqs:*:*:a*"), ofQueue)).toEqual([
    "arn:aws:sqs:us-east-1:111122223333:aorders",
    "arn:aws:sqs:us-east-1:111122223333:aother",
  ]);
  expect(spelt(arn("arn:aws:*:eu-*:1*:a"), ofQueue)).toEqual([
    "arn:aws:sqs:eu-orders:1orders:a",
    "arn:aws:sqs:eu-other:1other:a",
  ]);
  expect(spelt(arn("arn:aws:sqs:?:*:a"), ofQueue)[0]).toBe("arn:aws:sqs:x:111122223333:a");
  expect(arnFields("s3", "444455556666")).toEqual([
    null,
    "aws",
    "s3",
    "us-east-1",
    "444455556666",
    null,
  ]);
});

test("a field whose usual value is excluded has another one, before it has a word", () => {
  const wording = { ...ofQueue, others: otherArnFields("sqs"), words: plainWords };
  const outside =
    (...excluded: string[]) =>
    (one: string) =>
      excluded.every((part) => !one.includes(part));
  const queue = arn("arn:*:sqs:*:*:a");
  expect(spelt(queue, wording, [], outside("us-east-1"))).toEqual([
    "arn:aws:sqs:eu-west-1:444455556666:a",
    "arn:aws-cn:sqs:cn-north-1:444455556666:a",
  ]);
  expect(spelt(queue, wording, [], outside("arn:aws:"))[0]).toBe(
    "arn:aws-cn:sqs:cn-north-1:444455556666:a",
  );
  expect(spelt(queue, wording, [], outside("1111", "4444"))[0]).toBe("arn:x:sqs:x:x:a");
  expect(spelt(arn("arn:aws:*:::a"), wording, [], outside("1"))[0]).toBe("arn:aws:sqs:::a");
});

test("words are tried until the text meets what is asked, then characters", () => {
  expect(spelt(text("a*"), plain, [], (one) => !one.includes("example"))).toEqual([
    "aother",
    "ax1",
  ]);
  expect(spelt(text("a*"), plain, [], (one) => one.length === 2)).toEqual(["ax", "a\u{e000}"]);
  expect(spelt(text("a*"), plain, [], () => false)).toEqual([]);
  // The third word is where fields stop to have the value that readers expect.
  const isOther = (one: string) => !one.includes("us-east-1");
  const many = { ...ofQueue, words: ["orders", "other", "x1", "eu"] };
  expect(spelt(arn("arn:aws:sqs:*:1:a"), many, [], isOther)).toEqual([
    "arn:aws:sqs:eu:1:a",
    "arn:aws:sqs:x:1:a",
  ]);
});

test("a wildcard is spelt with as many characters as the text has", () => {
  const [short = ""] = spelt(text("a*"), { fields: [], words: [] }, [text("a"), text("a?")]);
  expect(short).toBe("axx");
});

test("a text meets literals whose patterns take it, and negated ones whose patterns do not", () => {
  const terms = new Terms();
  const dimension = terms.dimension("a");
  const one = (pattern: string, negated = false) =>
    oneOf(terms, dimension, [text(pattern), literal("z")], negated);
  const meets = (...literals: readonly Parameters<typeof textMeets>[1][number][]) =>
    textMeets("abc", literals, budget());
  expect([meets(), meets(one("a*")), meets(one("b*"))]).toEqual([true, true, false]);
  expect([meets(one("a*", true)), meets(one("b*", true))]).toEqual([false, true]);
  expect(meets(one("a*"), one("*c"), one("b", true))).toBe(true);
  expect(meets(one("a*"), one("*d"))).toBe(false);
  expect(meets({ ...one("q"), texts: null, ranges: [] })).toBe(true);
});
