import { expect, test } from "vitest";
import { accountIn } from "./sample-regions.ts";
import { Unknowns } from "./unknowns.ts";

test("no token of an unknown value has an account in it", () => {
  // Of 200,000 random numbers of 24 hexadecimal digits, 0.8 % had twelve decimal digits in a row.
  const tokens = Array.from({ length: 2_000 }, () =>
    new Unknowns().token({ source: "Account", like: "account", span: null }),
  );
  expect(tokens.map(accountIn).filter((account) => account !== null)).toEqual([]);
});
