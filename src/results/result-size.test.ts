import { describe, expect, test } from "vitest";
import { costOfJson, measureResult, prefixWithin, resultBytes } from "./result-size.ts";

test("an empty output costs the result around it and its braces, twice", () => {
  const result = { content: [{ type: "text", text: "{}" }], structuredContent: {}, isError: false };
  expect(measureResult({})).toBe(JSON.stringify(result).length);
});

test("an output in both its forms has the size of the one it was made of", () => {
  for (const output of [{}, { report: '"\\ é🙂\u0000\ud800' }, { a: [1, { b: null }] }]) {
    const json = JSON.stringify(output);
    expect(resultBytes({ json, text: JSON.stringify(json) })).toBe(measureResult(output));
  }
});

test("the cost of a text is that of its parts together", () => {
  expect(costOfJson("")).toBe(0);
  expect(costOfJson('"a"')).toBe(costOfJson('"') + costOfJson("a") + costOfJson('"'));
  expect([costOfJson('"'), costOfJson("\\"), costOfJson("a"), costOfJson("é")]).toEqual([
    3, 3, 2, 4,
  ]);
});

/** What a text costs inside a JSON string of the output: all but the quotes around it. */
const costInside = (text: string) => costOfJson(JSON.stringify(text)) - costOfJson('""');

describe("the longest beginning that fits", () => {
  /** One of each kind of UTF-16 unit, and those at the ends of their ranges. */
  const units = [
    ...'a"\\\b\t\n\f\r\u0000\u000b\u000e\u001f \u007f\u0080\u07ff\u0800\ud7ff\ue000\uffff',
    "\ud800",
    "\udbff",
    "\udc00",
    "\udfff",
    "\ud800\udc00",
    "\udbff\udfff",
  ];

  test.each(units.map((unit) => [JSON.stringify(unit), unit]))(
    "%s is in when its cost fits, out when one byte is missing",
    (_, unit) => {
      const text = `x${unit}x`;
      const cost = costInside(`x${unit}`);
      expect(prefixWithin(text, cost)).toBe(`x${unit}`);
      expect(prefixWithin(text, cost - 1)).toBe("x");
    },
  );

  test("is all of a text that fits, and nothing when nothing does", () => {
    expect(prefixWithin("abc", 6)).toBe("abc");
    expect(prefixWithin("abc", 1_000)).toBe("abc");
    expect(prefixWithin("abc", 1)).toBe("");
    expect(prefixWithin("", 0)).toBe("");
  });
});
