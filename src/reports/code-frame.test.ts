import { describe, expect, test } from "vitest";
import { locationOf } from "../../test/support/report-input.ts";
import { codeFrame, linesOf, linesReader } from "./code-frame.ts";

const framed = (text: string, piece: string) =>
  codeFrame(linesOf(text), locationOf(text, piece)).map(
    ({ number, before, marked, after }) => `${number}: ${before}[${marked}]${after}`,
  );

describe("a code frame", () => {
  const text = ["{", '  "a": 1,', '  "b": [', "    2,", "    3", "  ]", "}"].join("\n");

  test("shows the piece meant, and one line before and after", () => {
    expect(framed(text, '"a"')).toEqual(["1: []{", '2:   ["a"]: 1,', '3: []  "b": [']);
  });

  test("marks every line of a longer piece, without its indentation", () => {
    const piece = "[\n    2,\n    3\n  ]";
    expect(framed(text, piece)).toEqual([
      '2: []  "a": 1,',
      '3:   "b": [[]',
      "4:     [2,]",
      "5:     [3]",
      "6:   []]",
      "7: []}",
    ]);
  });

  test("stops at the first and the last line", () => {
    expect(framed("x", "x")).toEqual(["1: [x]"]);
    expect(framed("a\nb", "b")).toEqual(["1: []a", "2: [b]"]);
  });

  test("loses the middle of a long piece", () => {
    const long = Array.from({ length: 50 }, (_, at) => `line ${at + 1}`).join("\n");
    const frame = framed(long, long);
    expect(frame).toHaveLength(7);
    expect(frame[0]).toBe("1: [line 1]");
    expect(frame[5]).toBe("6: [line 6]");
    expect(frame.at(-1)).toBe("null: […]");
    const six = long.slice(0, long.indexOf("\nline 7"));
    expect(framed(long, six).at(-1)).toBe("7: []line 7");
  });

  test("shows no line that a piece only ends before", () => {
    const lines = ["a: 1", "b: 2", "c: 3"];
    const start = { line: 1, column: 0, offset: 0 };
    const end = { line: 2, column: 0, offset: 5 };
    expect(codeFrame(lines, { start, end }).map(({ marked }) => marked)).toEqual(["a: 1", ""]);
  });

  test("shows the lines around a place without extent", () => {
    const start = { line: 1, column: 0, offset: 0 };
    expect(codeFrame(["a", "b"], { start, end: start }).map(({ after }) => after)).toEqual([
      "a",
      "b",
    ]);
  });

  test.each([
    // As long as a line may be.
    [`${"a".repeat(155)}"x"${"b".repeat(2)}`, `${"a".repeat(155)}["x"]bb`],
    [`${"a".repeat(60)}"x"${"b".repeat(98)}`, `${"a".repeat(60)}["x"]${"b".repeat(97)}…`],
    [`${"a".repeat(61)}"x"${"b".repeat(97)}`, `…${"a".repeat(60)}["x"]${"b".repeat(97)}`],
    [`${"a".repeat(200)}"x"`, `…${"a".repeat(60)}["x"]`],
    // Cut before a character of two units.
    [`${"🙂".repeat(50)}-"x"${"b".repeat(97)}`, `…${"🙂".repeat(30)}-["x"]${"b".repeat(96)}…`],
    [`${"a".repeat(157)}🙂"x"`, `…${"a".repeat(58)}🙂["x"]`],
  ])("cuts the line %#", (line, shown) => {
    expect(framed(line, '"x"')).toEqual([`1: ${shown}`]);
  });

  test("shows of a long line what stands near the piece, and cuts no character in two", () => {
    const line = `${"🙂".repeat(5000)}"here"${"🙂".repeat(5000)}`;
    const [shown] = codeFrame([line], locationOf(line, '"here"'));
    expect(shown?.marked).toBe('"here"');
    expect(shown?.before).toMatch(/^…(🙂)+$/u);
    expect(shown?.after).toMatch(/^(🙂)+…$/u);
    expect(JSON.stringify(shown).length).toBeLessThan(300);
  });

  test("cuts a marked piece that is longer than a line may be", () => {
    const line = `x${"y".repeat(5000)}`;
    const [shown] = codeFrame([line], locationOf(line, "y".repeat(5000)));
    expect(shown).toMatchObject({ before: "x", marked: "y".repeat(159), after: "…" });
  });
});

test("the lines of one text are kept until another comes", () => {
  const read = linesReader();
  const lines = read("a\r\nb\nc\rd");
  expect(lines).toEqual(["a", "b", "c", "d"]);
  expect(read("a\r\nb\nc\rd")).toBe(lines);
  expect(read(null)).toBeNull();
  expect(read("a\r\nb\nc\rd")).toBe(lines);
  expect(read("e")).toEqual(["e"]);
  expect(read("a\r\nb\nc\rd")).not.toBe(lines);
});
