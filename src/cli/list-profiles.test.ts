import { expect, test } from "vitest";
import { Profile } from "../../spec/scopes.ts";
import { profileLines } from "./list-profiles.ts";

test("every profile has a line with its name and what it keeps; the default is marked", () => {
  const rows = profileLines().map((line) => /^(\S+) {2,}(\S.*)$/.exec(line));
  expect(rows.map((row) => row?.[1])).toEqual(Profile.options);
  expect(profileLines().filter((line) => line.endsWith("(default)"))).toEqual([
    expect.stringMatching(/^full /),
  ]);
});

test("descriptions stand in one column", () => {
  const columns = profileLines().map((line) => /^\S+ +/.exec(line)?.[0].length);
  expect(new Set(columns).size).toBe(1);
});
