import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { globMatches, globsOverlap, hasWildcard, isAnyAction, isAnyResource } from "./wildcard.ts";

const glob = fc.string({ unit: fc.constantFrom("a", "b", "A", "*", "?"), maxLength: 7 });
const text = fc.string({ unit: fc.constantFrom("a", "b", "A"), maxLength: 7 });

/** The textbook definition, slow and plainly right. */
function matches(pattern: string, subject: string): boolean {
  if (pattern === "") return subject === "";
  const [first, rest] = [pattern[0], pattern.slice(1)];
  if (first === "*") {
    return matches(rest, subject) || (subject !== "" && matches(pattern, subject.slice(1)));
  }
  return (
    subject !== "" && (first === "?" || first === subject[0]) && matches(rest, subject.slice(1))
  );
}

/** Likewise for two patterns. */
function overlap(a: string, b: string): boolean {
  if (a === "" && b === "") return true;
  if (a.startsWith("*")) return overlap(a.slice(1), b) || (b !== "" && overlap(a, b.slice(1)));
  if (b.startsWith("*")) return overlap(b, a);
  if (a === "" || b === "") return false;
  return (a[0] === b[0] || a[0] === "?" || b[0] === "?") && overlap(a.slice(1), b.slice(1));
}

describe("globMatches", () => {
  test.each([
    ["", "", true],
    ["", "a", false],
    ["*", "", true],
    ["?", "", false],
    ["s3:Get*", "s3:GetObject", true],
    ["s3:Get*", "s3:PutObject", false],
    ["s3:?etObject", "s3:GetObject", true],
    ["*Object*", "s3:GetObjectAcl", true],
    ["a*b*c", "abcbc", true],
    ["a.c", "abc", false],
    ["S3:get*", "s3:GetObject", false],
  ])("pattern %j and text %j: %j", (pattern, subject, expected) => {
    expect(globMatches(pattern, subject)).toBe(expected);
  });

  test("agrees with the textbook definition", () => {
    fc.assert(
      fc.property(glob, text, (pattern, subject) => {
        expect(globMatches(pattern, subject)).toBe(matches(pattern, subject));
      }),
      { numRuns: 2000 },
    );
  });

  test("ignores the case of ASCII letters alone", () => {
    expect(globMatches("S3:GET*", "s3:getObject", { ignoreCase: true })).toBe(true);
    expect(globMatches("ä", "Ä", { ignoreCase: true })).toBe(false);
    expect(globMatches("k", "\u212A", { ignoreCase: true })).toBe(false);
    expect(globMatches("[", "{", { ignoreCase: true })).toBe(false);
  });

  test("answers at once for a pattern that would hang a backtracking expression", () => {
    expect(globMatches(`${"*a".repeat(60)}b`, "a".repeat(2000))).toBe(false);
  });
});

describe("globsOverlap", () => {
  test.each([
    ["arn:aws:s3:::*", "arn:aws:s3:::*/*", true],
    ["arn:aws:s3:::*personalize*", "arn:aws:s3:::bucket/*", true],
    ["a*b", "a?c", false],
    ["a*b", "?c*", true],
    ["ab", "a?", true],
    ["ab", "a", false],
    ["*x", "x*y", false],
    ["a*", "*b", true],
    ["*a*b*", "??", true],
    ["*a*b*", "?", false],
  ])("%j and %j: %j", (a, b, expected) => {
    expect(globsOverlap(a, b)).toBe(expected);
  });

  test("agrees with the textbook definition, in both orders", () => {
    fc.assert(
      fc.property(glob, glob, (a, b) => {
        const expected = overlap(a, b);
        expect(globsOverlap(a, b)).toBe(expected);
        expect(globsOverlap(b, a)).toBe(expected);
      }),
      { numRuns: 5000 },
    );
  });

  test("ignores case when told to", () => {
    expect(globsOverlap("S3:Get*", "s3:g*t", { ignoreCase: true })).toBe(true);
    expect(globsOverlap("S3:Get*", "s3:g*t")).toBe(false);
    expect(globsOverlap("S3:Get?", "s3:get*", { ignoreCase: true })).toBe(true);
  });
});

test("a wildcard is a star or a question mark", () => {
  expect(["a*", "?", "a", ""].map(hasWildcard)).toEqual([true, true, false, false]);
});

test("any action is a run of stars, or two such runs around one colon", () => {
  expect(["*", "**", "*:*", "**:***"].filter(isAnyAction)).toHaveLength(4);
  expect(["", "s3:*", "*:", ":*", "*:*:*", "*?", "*\n"].filter(isAnyAction)).toEqual([]);
});

test("any resource is a run of stars", () => {
  expect(["*", "***"].filter(isAnyResource)).toHaveLength(2);
  expect(["", "*:*", "arn:aws:s3:::*", "*\n"].filter(isAnyResource)).toEqual([]);
});
