import { expect, test } from "vitest";
import type { IgnorePattern } from "../../spec/config.ts";
import { compileIgnorePatterns } from "./ignore.ts";

const finding = {
  filepath: "policies/a.json",
  action: "s3:GetObject",
  resource: "arn:aws:s3:::shop",
  sid: "Read",
  condition_key: null,
};

test.each<[IgnorePattern, boolean]>([
  [{ action: "^s3:" }, true],
  [{ action_matches: "^s3:" }, true],
  [{ action: "^ec2:" }, false],
  [{ action: ["^ec2:", "Object$"] }, true],
  [{ action: "^s3:", resource: "shop" }, true],
  [{ action: "^s3:", resource: "other" }, false],
  [{ resource_matches: "shop" }, true],
  [{ filepath: "^policies/" }, true],
  [{ filepath_regex: "^other/" }, false],
  [{ sid: "Read" }, true],
  [{ sid: "Rea" }, false],
  [{ sid: "Re.*" }, true],
  [{ statement_sid: ["Write", "Read"] }, true],
  // A field that is null is an empty text.
  [{ condition_key: "^$" }, true],
  [{ condition_key_matches: "aws:" }, false],
  // A field that is undefined is not there.
  [{ action: "^s3:", resource: undefined } as unknown as IgnorePattern, true],
])("the pattern %j drops the finding: %s", (pattern, isIgnored) => {
  const filter = compileIgnorePatterns([{ sid: "Other" }, pattern]);
  expect(filter.isActive).toBe(true);
  expect(filter.ignores(finding)).toBe(isIgnored);
});

test("a pattern of a file does not match a name that its caller chose", () => {
  const filter = compileIgnorePatterns([{ filepath: ["^$", "."] }]);
  expect(filter.ignores({ ...finding, filepath: null })).toBe(false);
  expect(filter.ignores({ ...finding, filepath: "" })).toBe(true);
});

test("a pattern of a Sid does not match a statement without one, an expression may", () => {
  const without = { ...finding, sid: null };
  expect(compileIgnorePatterns([{ sid: "" }]).ignores(without)).toBe(false);
  expect(compileIgnorePatterns([{ sid: ".*" }]).ignores(without)).toBe(true);
});

test("only patterns with an action are about actions", () => {
  const filter = compileIgnorePatterns([{ sid: "Read" }, { action: "Object" }]);
  expect(filter.ignoresAction(finding)).toBe(true);
  expect(filter.ignoresAction({ ...finding, action: "s3:ListBucket" })).toBe(false);
  expect(compileIgnorePatterns([{ action_matches: "Get" }]).ignoresAction(finding)).toBe(true);
});

test("without patterns nothing is dropped", () => {
  const filter = compileIgnorePatterns([]);
  expect(filter.isActive).toBe(false);
  expect([filter.ignores(finding), filter.ignoresAction(finding)]).toEqual([false, false]);
});
