import { describe, expect, test } from "vitest";
import { embeddedServices } from "./embedded.ts";
import { suggestActions, suggestNames, suggestServices } from "./suggest.ts";

const services = embeddedServices();
const s3 = services.get("s3");

describe("suggestions", () => {
  test("are the nearest names, nearest first, three at most", () => {
    expect(suggestNames(["abcdef", "abcdeg", "abcdxx", "zzz"], "abcdeX")).toEqual([
      "abcdef",
      "abcdeg",
      "abcdxx",
    ]);
    expect(suggestNames(["abcd1", "abcd2", "abcd3", "abcd4"], "abcd")).toHaveLength(3);
  });

  test("tell the action meant behind a slip of the pen", () => {
    if (!s3) throw new Error("no s3");
    expect(suggestActions(s3, "GetObjct")).toEqual(["s3:GetObject"]);
    expect(suggestActions(s3, "getobjectt")[0]).toBe("s3:GetObject");
    expect(suggestServices(services, "dynamdb")).toEqual(["dynamodb"]);
  });

  test("fall back to names that hold the text", () => {
    expect(suggestNames(["PutBucketObjectLockConfiguration", "GetObject"], "objectlock")).toEqual([
      "PutBucketObjectLockConfiguration",
    ]);
  });

  test.each<[string, string[], string, string[]]>([
    ["one edit in a short word", ["abc"], "abd", ["abc"]],
    ["not two", ["abc"], "add", []],
    ["one edit in five letters", ["abcde"], "abcxy", []],
    ["two in six", ["abcdef"], "abcdxy", ["abcdef"]],
    ["four in twelve", ["abcdefghijkl"], "abcdefgh1234", ["abcdefghijkl"]],
    ["not five in fifteen", ["abcdefghijklmno"], "abcdefghij12345", []],
    ["a letter too many in either", ["abcd"], "abcde", ["abcd"]],
    ["a letter too few in either", ["abcde"], "abcd", ["abcde"]],
    ["the nearest first", ["abcdxy", "abcdex"], "abcdef", ["abcdex", "abcdxy"]],
    ["of equally near ones the first", ["abcdez", "abcdex"], "abcdef", ["abcdex", "abcdez"]],
    ["a part of three letters", ["xxabcxx"], "abc", ["xxabcxx"]],
    ["not one of two", ["xxabxx"], "ab", []],
    [
      "parts after slips, short names first",
      ["1abcd234", "1abcd23", "abxd"],
      "abcd",
      ["abxd", "1abcd23", "1abcd234"],
    ],
    ["letters in any case", ["ABCDEF"], "abcdeX", ["ABCDEF"]],
    ["nothing for nothing", ["a"], "", []],
    ["a text of the greatest length", ["x".repeat(127)], "x".repeat(128), ["x".repeat(127)]],
    ["none for a longer one", ["x".repeat(128)], "x".repeat(129), []],
  ])("are %s", (_, names, wanted, expected) => {
    expect(suggestNames(names, wanted)).toEqual(expected);
  });

  test("are none when nothing is near, or the text is too short or too long to tell", () => {
    expect(suggestNames(["GetObject"], "RunInstances")).toEqual([]);
    expect(suggestNames(["GetObject"], "o")).toEqual([]);
    expect(suggestNames(["GetObject"], "")).toEqual([]);
    expect(suggestNames(["GetObject"], "GetObject".repeat(1000))).toEqual([]);
  });

  test("miss no name that is near, although most names are ruled out by their letters alone", () => {
    const names = services.prefixes.flatMap((prefix) => [prefix, `${prefix}x`, `x${prefix}`]);
    for (const prefix of services.prefixes) {
      if (prefix.length < 6) continue;
      const slip = `${prefix.slice(0, 2)}${prefix.slice(3)}`;
      if (services.prefixes.includes(slip)) continue;
      expect(suggestNames(names, slip), slip).not.toEqual([]);
    }
  });
});
