import { describe, expect, test } from "vitest";
import { BadGlob, compileGlob } from "./glob.ts";

describe("a glob", () => {
  test.each([
    ["*.json", "a.json", true],
    ["*.json", "x/a.json", false],
    ["**/*.json", "a.json", true],
    ["**/*.json", "x/y/a.json", true],
    ["policies/**", "policies/x/a.json", true],
    ["policies/**", "other/a.json", false],
    ["a/**/b/*.yaml", "a/b/c.yaml", true],
    ["a/**/b/*.yaml", "a/x/b/b/c.yaml", true],
    ["a/**/b/*.yaml", "a/x/c.yaml", false],
    ["?.json", "a.json", true],
    ["?.json", "ab.json", false],
    ["*.{json,yaml}", "a.yaml", true],
    ["{a,b{c,d}}/*.json", "bd/x.json", true],
    ["{a,b{c,d}}/*.json", "b/x.json", false],
    ["./a/*.json", "a/x.json", true],
    ["a.json", "A.json", false],
    ["[a].json", "[a].json", true],
    ["a{.json", "a{.json", true],
  ])("%s, file %s: %s", (pattern, path, matches) => {
    expect(compileGlob(pattern).matches(path)).toBe(matches);
  });

  test.each([
    ["policies/scp/*.json", "policies/scp"],
    ["policies/a.json", "policies"],
    ["**/*.json", ""],
    ["{a,b}/*.json", ""],
    ["x/{a,b}/*.json", "x"],
  ])("%s looks below %j only", (pattern, base) => {
    expect(compileGlob(pattern).base).toBe(base);
  });

  test.each([
    ["/etc/*.json", /no leading/],
    ["../*.json", /no \.\./],
    ["a/{b,..}/*.json", /no \.\./],
    ["a".repeat(1025), /1025 characters/],
    ["{a,b}".repeat(7), /more than 64/],
  ])("%.20s is refused", (pattern, reason) => {
    expect(() => compileGlob(pattern)).toThrow(BadGlob);
    expect(() => compileGlob(pattern)).toThrow(reason);
  });

  test("64 alternatives are not too many", () => {
    expect(compileGlob("{a,b}".repeat(6)).matches("ababab")).toBe(true);
  });

  test("takes no longer for many wildcards", () => {
    const pattern = `${"*a".repeat(400)}b`;
    expect(compileGlob(pattern).matches("a".repeat(5000))).toBe(false);
  });
});
