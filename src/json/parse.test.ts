import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseJson } from "./parse.ts";

describe("names with an escape", () => {
  test.each([
    ['{"a":1,"\\\\":1}', '{"a":1,"\\n":1}', "\n"],
    ['{"b":1,"\\\\u0041":1}', '{"b":1,"\\u0041ction":1}', "Action"],
    [
      '{"c":1,"aws:ResourceTag\\\\/tea":1}',
      '{"c":1,"aws:ResourceTag\\/team":1}',
      "aws:ResourceTag/team",
    ],
  ])("are read right whatever was read before: %s, %s", (taught, text, name) => {
    // What an earlier caller sent.
    const kept = Array.from({ length: 5 }, () => JSON.parse(taught));
    expect(kept).toHaveLength(5);
    expect(Object.keys(parseJson(text) as object)[1]).toBe(name);
  });

  test("keep order, and of those that repeat the last counts", () => {
    expect(
      JSON.stringify(parseJson('{"a":1,"b":2,"\\u0061":3,"c":{"d":[{"\\u0064":4}]},"a":5}')),
    ).toBe('{"a":5,"b":2,"c":{"d":[{"d":4}]}}');
  });

  test("may be __proto__, which is a name like others", () => {
    const value = parseJson('{"\\u005f_proto__":{"x":1}}');
    expect(Object.keys(value as object)).toEqual(["__proto__"]);
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
  });

  test.each([
    ["arrays", "[", "]"],
    ["objects", '{"a":', "}"],
  ])("may stand around %s that nest deeper than the stack", (_, open, close) => {
    const depth = 30_000;
    const value = parseJson(`{"\\u0061":${open.repeat(depth)}1${close.repeat(depth)}}`);
    let inside: unknown = value;
    let levels = -1;
    for (; typeof inside === "object" && inside !== null; levels++) {
      [inside] = Object.values(inside);
    }
    expect([levels, inside]).toEqual([depth, 1]);
  });

  test.each([
    '{"\\x":1}',
    '{"\\u00g0":1}',
    '{"a\\"',
    '{"\\n":1',
    '{"\\n":1}}',
    '["\\n":1]',
    '{"\n\\n":1}',
  ])("make no JSON of what is none: %s", (text) =>
    expect(() => parseJson(text)).toThrow(SyntaxError),
  );
});

/** As JSON.stringify writes it, with letters of strings and names as escapes. */
function spelled(value: unknown): string {
  if (typeof value === "string") {
    return JSON.stringify(value).replaceAll(
      /(?<!\\)[g-z]/g,
      (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`,
    );
  }
  if (Array.isArray(value)) return `[${value.map(spelled)}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  return `{${Object.entries(value).map(([name, member]) => `${spelled(name)} : ${spelled(member)}`)}}`;
}

test("everything comes back, however it is written", () => {
  fc.assert(
    fc.property(fc.jsonValue(), (given) => {
      const value = { quoted: JSON.stringify(given), given };
      const json = JSON.stringify(value);
      expect(JSON.stringify(parseJson(json))).toBe(json);
      expect(JSON.stringify(parseJson(spelled(value)))).toBe(json);
    }),
  );
});
