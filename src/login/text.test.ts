import { describe, expect, test } from "vitest";
import { clientName, shownAddress } from "./text.ts";

describe("the name of a client", () => {
  test.each([
    ["a\u0000b", "a\\u0000b"],
    ["a\u007fb", "a\\u007fb"],
    ["a\u00adb", "a\\u00adb"],
    ["a\u202e\u2066\u200bb", "a\\u202e\\u2066\\u200bb"],
    ["a\u2028\u2029b", "a\\u2028\\u2029b"],
    ["\ud800", "\\ud800"],
    ["a\u115f\u1160\u3164\uffa0b", "a\\u115f\\u1160\\u3164\\uffa0b"],
    // Variation selectors and the combining grapheme joiner cannot be seen either.
    ["a\ufe0f\u034f\u{e0100}b", "a\\ufe0f\\u034f\\u{e0100}b"],
    ["a\u{e0001}b", "a\\u{e0001}b"],
    ["a\nb\tc", "a\\nb\\tc"],
    ["ä 漢 😀 <b>", "ä 漢 😀 <b>"],
  ])("%j is shown as %s", (text, expected) => expect(clientName(text)).toBe(expected));

  test.each([
    ["Claude” (checked: claude.ai)", "Claude' (checked: claude.ai)"],
    ['"a" «b» „c‟ 「d」 ＂e＂ ″f‶ ˮg ʺh', "'a' 'b' 'c' 'd' 'e' 'f' 'g 'h"],
    ["Bob’s app", "Bob's app"],
  ])("cannot end the quotes around it: %s", (text, expected) =>
    expect(clientName(text)).toBe(expected),
  );

  test("cannot move what follows it away, or cover it", () => {
    expect(clientName(`a${"\u2003".repeat(40)}\u00a0  b`)).toBe("a b");
    expect(clientName(`a${"\u0336".repeat(40)}b`)).toBe(`a${"\u0336".repeat(4)}b`);
    expect(clientName(`a${"\u0301".repeat(4)}b`)).toBe(`a${"\u0301".repeat(4)}b`);
    expect(clientName("a\uf8ffb\u{f0000}")).toBe("a\ufffdb\ufffd");
  });

  test("is cut by characters", () => {
    expect(clientName("😀".repeat(80))).toBe("😀".repeat(80));
    expect(clientName("😀".repeat(81))).toBe(`${"😀".repeat(79)}…`);
    expect(clientName(`${"a".repeat(75)}\u0000`)).toBe(`${"a".repeat(75)}\\u00…`);
  });

  test("has a default, and only its start counts", () => {
    expect([null, undefined, "", " \t"].map(clientName)).toEqual(Array(4).fill("unnamed app"));
    expect(clientName("  Trial ")).toBe("Trial");
    expect(clientName("x".repeat(80))).toBe("x".repeat(80));
    expect(clientName("x".repeat(81))).toBe(`${"x".repeat(79)}…`);
    expect(clientName(`${" ".repeat(319)}ab`)).toBe("a");
  });
});

describe("an address that a request gave", () => {
  test.each([
    ["https://a.example/b?c=%20#d", "https://a.example/b?c=%20#d"],
    ["Call +1 555", "Call%20+1%20555"],
    ["~!\u007f\u0000ä漢😀", "~!%7f%00%c3%a4%e6%bc%a2%f0%9f%98%80"],
    ["a\u202eb", "a%e2%80%aeb"],
    ["\ud800", "%ef%bf%bd"],
    ["", ""],
  ])("%j is shown as %s", (text, expected) => expect(shownAddress(text)).toBe(expected));

  test("is cut", () => {
    expect(shownAddress("a".repeat(512))).toBe("a".repeat(512));
    expect(shownAddress("a".repeat(513))).toBe(`${"a".repeat(511)}…`);
    expect(shownAddress(" ".repeat(300))).toBe(`${"%20".repeat(171).slice(0, 511)}…`);
  });
});
