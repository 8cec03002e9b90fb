import { describe, expect, test } from "vitest";
import { uriMatcher } from "./uri-template.ts";

describe("an address against a template", () => {
  test.each([
    ["iam://checks/sid_uniqueness", { check_id: "sid_uniqueness" }],
    ["iam://checks/a%20b", { check_id: "a b" }],
    ["iam://checks/__proto__", { check_id: "__proto__" }],
    ["iam://checks/", undefined],
    ["iam://checks", undefined],
    ["iam://checks/a/b", undefined],
    ["iam://checks/a?b", undefined],
    ["iam://checks/a#b", undefined],
    ["iam://checks/%zz", undefined],
    ["IAM://checks/a", undefined],
    ["x", undefined],
  ])("%s", (uri, variables) => {
    expect(uriMatcher("iam://checks/{check_id}")(uri)).toEqual(variables);
  });

  test.each(["iam://checks", "iam://{a}/b", "iam://{a}{b}", "{a}", "iam://x/{A}", "}x{a}"])(
    "%s is not a template that is understood",
    (template) => {
      expect(() => uriMatcher(template)).toThrow(
        new TypeError(`Not a template of one trailing variable: ${template}`),
      );
    },
  );
});
