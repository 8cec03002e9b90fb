import { describe, expect, test } from "vitest";
import { composedOf, editComposed } from "./composed-text.ts";

const never = (_text: string) => false;

/** @returns the function after the edit of the text that it gives. */
function edited(raw: unknown, rendered: string, after: string, isSample = never) {
  const composed = composedOf(raw);
  const edit = composed && editComposed(composed, rendered, after, isSample);
  return edit?.whole ?? null;
}

describe("the edit of a composed text", () => {
  test.each([
    ["a${X}c", "a1c", "b1c", "b${X}c"],
    ["a${X}", "a12", "a", "a"],
    ["${X}", "12", "12/*", "${X}/*"],
    ["a${X}${Y}c", "a12c", "a12d", "a${X}${Y}d"],
    ["a${X}${Y}c", "a12c", "ac", "ac"],
    ["${!v}/${X}", "${v}/1", "${w}/1", "${!w}/${X}"],
    ["plain", "plain", "plane", "plane"],
    ["a${X}a${X}a", "a1a1a", "b1a1a", "b${X}a${X}a"],
  ])("of %s from %s to %s", (sub, rendered, after, wanted) => {
    expect(edited({ "Fn::Sub": sub }, rendered, after)).toEqual({ "Fn::Sub": wanted });
  });

  test.each([
    ["goes through a value", "a${X}c", "a123c", "a1c"],
    ["may be in a value", "a${X}a${Y}a", "a1a2a3a", "b1a2a3a"],
    ["is about another text", "a${X}c", "x1y", "x2y"],
    ["is beside a value without text", "a${X}c", "ac", "abc"],
  ])("is not made if it %s", (_, sub, rendered, after) => {
    expect(edited({ "Fn::Sub": sub }, rendered, after)).toBeNull();
  });

  test("is not made if it writes a sample", () => {
    expect(edited({ "Fn::Sub": "a${X}" }, "a1", "a1-1", (text) => text.includes("1"))).toBeNull();
  });

  test("keeps the values that `Fn::Sub` is given", () => {
    const raw = { "Fn::Sub": ["a${X}", { X: { Ref: "P" } }] };
    expect(edited(raw, "a1", "b1")).toEqual({ "Fn::Sub": ["b${X}", { X: { Ref: "P" } }] });
  });

  const join = (...parts: unknown[]) => ({ "Fn::Join": ["", parts] });

  test("leaves of `Fn::Join` what it needs", () => {
    expect(edited(join("a", { Ref: "P" }, "c"), "a1c", "a1d")).toEqual(
      join("a", { Ref: "P" }, "d"),
    );
    expect(edited(join({ Ref: "P" }, "/*"), "1/*", "1")).toEqual({ Ref: "P" });
  });

  test("names the part of `Fn::Join` that is another one", () => {
    const composed = composedOf(join("a", { Ref: "P" }, "c"));
    const edit = composed && editComposed(composed, "a1c", "b1c", never);
    expect(edit).toMatchObject({ within: ["Fn::Join", "1", "0"], value: "b" });
  });

  test("puts text beside one value", () => {
    const arn = { "Fn::GetAtt": ["A", "Arn"] };
    expect(edited(arn, "1", "1/*")).toEqual({ "Fn::Sub": "${A.Arn}/*" });
    expect(edited({ "Fn::GetAtt": "A.Arn" }, "1", "1/*")).toEqual({ "Fn::Sub": "${A.Arn}/*" });
    expect(edited({ Ref: "A" }, "1", "arn:1")).toEqual({ "Fn::Sub": "arn:${A}" });
    expect(edited(arn, "1", "*")).toBeNull();
  });

  test("is not made in other functions", () => {
    expect(composedOf({ "Fn::Join": [",", ["a", "b"]] })).toBeNull();
    expect(composedOf({ "Fn::If": ["A", "b", "c"] })).toBeNull();
    expect(composedOf("a")).toBeNull();
  });
});
