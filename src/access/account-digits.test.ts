import { expect, test } from "vitest";
import { withAccounts } from "./account-digits.ts";
import { patternOf, unitsOf } from "./patterns.ts";
import { foreign, run, single, type Token } from "./tokens.ts";

/** Tokens of a pattern whose field for the account has `*` and `?`. */
function tokensOf(text: string): Token[] {
  return unitsOf(text).map((unit) => (unit === 42 ? run : unit === 63 ? single : unit));
}

/** Accounts that an ARN is tried with; the wildcards of the found text are foreign characters. */
function accountsOf(arn: string): readonly string[] {
  const tokens = tokensOf(arn);
  const text = tokens.map((token) => (token === run || token === single ? foreign : token));
  const found = { pattern: patternOf(tokens), text };
  return Array.from(withAccounts(found, "101010101010"), (one) => {
    const written = String.fromCharCode(...one.text);
    // Pattern and text have the same account, and the rest as it was.
    const field = (tokens: readonly Token[]) => String.fromCharCode(...tokens).split(":")[4];
    if (one !== found) expect(field(one.pattern.tokens.slice(0, 30))).toBe(written.split(":")[4]);
    expect(written.split(":").toSpliced(4, 1)).toEqual(
      String.fromCharCode(...text)
        .split(":")
        .toSpliced(4, 1),
    );
    return written.split(":")[4] ?? "";
  });
}

test("an open account is the one to try first, then usual ones, then a digit twelve times", () => {
  const accounts = accountsOf("arn:aws:iam::*:role/app");
  expect(accounts.slice(0, 3)).toEqual(["101010101010", "111122223333", "444455556666"]);
  expect(accounts.at(-1)).toBe("000000000000");
  expect(accounts).toHaveLength(17);
});

test.each([
  ["arn:aws:iam::1*:role/app", /^1\d{11}$/],
  ["arn:aws:iam::*9:role/app", /^\d{11}9$/],
  ["arn:aws:iam::12*34:role/app", /^12\d{8}34$/],
  ["arn:aws:iam::1???????????:role/app", /^1\d{11}$/],
  ["arn:aws:iam::1?*4:role/app", /^1\d{10}4$/],
  ["arn:aws:iam::*5*:role/app", /^\d*5\d*$/],
  ["arn:aws:iam::111122223333*:role/app", /^111122223333$/],
])("an account in part: %s", (arn, form) => {
  const accounts = accountsOf(arn);
  expect(accounts.length).toBeGreaterThan(0);
  for (const account of accounts) {
    expect(account).toMatch(form);
    expect(account).toHaveLength(12);
  }
  expect(new Set(accounts).size).toBe(accounts.length);
});

test("two stars share the digits, one of them with one digit or none", () => {
  const places = new Set(accountsOf("arn:aws:iam::*x*:role/app").map((one) => one.indexOf("x")));
  expect([...places].sort((a, b) => a - b)).toEqual([0, 1, 10, 11]);
});

test.each([
  ["arn:aws:iam::1111222233334*:role/app", "more than twelve digits"],
  ["arn:aws:iam::1?:role/app", "fewer than twelve, and no star"],
])("no account fits %s: %s", (arn) => {
  expect(accountsOf(arn)).toEqual([]);
});

test.each([
  "arn:aws:iam::111122223333:role/*",
  "arn:aws:iam::*",
  "*",
  "arn:aws:iam::*\u00e9:role/app",
])("%s stays as it is", (arn) => {
  const tokens = tokensOf(arn);
  const found = { pattern: patternOf(tokens), text: tokens };
  expect([...withAccounts(found, "101010101010")]).toEqual([found]);
});
