import { describe, expect, test } from "vitest";
import { maxDepth, tooDeep } from "../json/text.ts";
import { functionOf, readYaml } from "./yaml-text.ts";

function read(text: string, functions = false) {
  const result = readYaml(text, functions ? { tags: "functions" } : {});
  if ("refused" in result) throw new Error(result.problem);
  return result;
}

function refusal(text: string) {
  const result = readYaml(text);
  if (!("refused" in result)) throw new Error("the text was read");
  const { refused, problem, span } = result;
  return { refused, problem, slice: text.slice(span.start, span.end), span };
}

describe("a refused text", () => {
  test.each<[string, string, string, string]>([
    ["", "syntax", "The text is empty", ""],
    ["# nothing", "syntax", "The text is empty", "# nothing"],
    ["a: 1\n--- b\n", "syntax", "The text holds more than one document", "--- b"],
    ["a: &a [*a]", "syntax", "An alias is inside its own anchor", "*a"],
    ["a: *b", "syntax", "No anchor `b` stands before its alias", "*b"],
    ["? [a]\n: b", "syntax", "A member name must be text", "[a]"],
    ["? {a: 1}\n: b", "syntax", "A member name must be text", "{a: 1}"],
    ["a: b: c", "syntax", "Nested mappings are not allowed in compact mappings", "b"],
    ["a: 1\n]", "syntax", "Unexpected flow-seq-end token in YAML stream", "]"],
    [
      "a: [1, 2",
      "syntax",
      "Flow sequence in block collection must be sufficiently indented and end with a ]",
      "",
    ],
    ["a: @b", "syntax", "Plain value cannot start with reserved character @", "@"],
  ])("%j has its kind, its problem and its place", (text, refused, problem, slice) => {
    const found = refusal(text);
    expect(found).toMatchObject({ refused, problem });
    expect(found.slice.startsWith(slice)).toBe(true);
    expect(found.span.end).toBeGreaterThanOrEqual(found.span.start);
    expect(found.span.end - found.span.start).toBeLessThanOrEqual(Math.max(text.length, 1));
  });

  test("shows the beginning of a long name", () => {
    expect(refusal(`a: *${"b".repeat(150)}`).problem).toBe(
      `No anchor \`${"b".repeat(100)}\` stands before its alias`,
    );
  });

  test("shows the beginning of a long message of the library", () => {
    const { problem } = refusal(`"\\x${"é".repeat(300)}"`);
    expect(problem.length).toBeLessThanOrEqual(203);
  });

  test.each([
    ["lists", (depth: number) => `${"[".repeat(depth)}${"]".repeat(depth)}`],
    ["objects", (depth: number) => `${"{a: ".repeat(depth)}1${"}".repeat(depth)}`],
    ["lists in blocks", (depth: number) => `${"- ".repeat(depth)}1`],
    [
      "objects in blocks",
      (depth: number) =>
        Array.from({ length: depth }, (_, level) => `${" ".repeat(level)}a:\n`).join(""),
    ],
  ])("nests %s too deeply", (_, nested) => {
    expect(readYaml(nested(maxDepth))).not.toHaveProperty("refused");
    expect(refusal(nested(maxDepth + 1))).toMatchObject({ refused: "depth", problem: tooDeep });
  });

  test("may nest as deep as it likes without running out of stack", () => {
    expect(refusal("[".repeat(100_000))).toMatchObject({ refused: "depth" });
    expect(refusal("- ".repeat(100_000))).toMatchObject({ refused: "depth" });
    expect(refusal("{a: ".repeat(100_000))).toMatchObject({ refused: "depth" });
  });

  test("nests too deeply where aliases do", () => {
    const half = maxDepth / 2 + 1;
    const text = `x: &x ${"[".repeat(half)}${"]".repeat(half)}\ny: ${"[".repeat(half)}*x${"]".repeat(half)}`;
    expect(refusal(text)).toMatchObject({ refused: "depth", problem: tooDeep });
  });

  test("grows too large by its aliases", () => {
    const lines = Array.from({ length: 30 }, (_, at) =>
      at === 0 ? "a0: &a0 [x, y]" : `a${at}: &a${at} [*a${at - 1}, *a${at - 1}]`,
    );
    expect(refusal(lines.join("\n"))).toMatchObject({
      refused: "syntax",
      problem: "Aliases make the document too large",
    });
  });

  test("grows too large by aliases of empty collections", () => {
    const lines = Array.from({ length: 30 }, (_, at) =>
      at === 0 ? "a0: &a0 [[], {}]" : `a${at}: &a${at} [*a${at - 1}, *a${at - 1}]`,
    );
    expect(refusal(lines.join("\n"))).toMatchObject({ refused: "syntax" });
  });

  test("grows too large by an alias of a long text", () => {
    const text = `x: &x ${"y".repeat(200_000)}\nlist: [*x, *x, *x, *x, *x, *x]`;
    expect(refusal(text).problem).toBe("Aliases make the document too large");
    expect(readYaml(text.replace(", *x, *x", ""))).not.toHaveProperty("refused");
  });

  test("grows too large by an alias of a long name", () => {
    const keys = Array.from({ length: 6 }, () => "  - {*x : 1}").join("\n");
    expect(refusal(`x: &x ${"y".repeat(200_000)}\nlist:\n${keys}`).problem).toBe(
      "Aliases make the document too large",
    );
  });

  test("does not grow by names that are written out", () => {
    const text = Array.from({ length: 2_000 }, (_, at) => `${"y".repeat(600)}${at}: 1`).join("\n");
    expect(readYaml(text)).not.toHaveProperty("refused");
  });
});

test("numbers that a double would change stay as they are written", () => {
  const { value } = read("[012345670123, 12345678901234567890, +5, -5, 0x1F, 1.50, 1e400, 10]");
  expect(value).toEqual(["012345670123", "12345678901234567890", 5, -5, 31, 1.5, "1e400", 10]);
});

describe("names", () => {
  test("may be anchors and aliases", () => {
    expect(read("&k name: 1\nother: *k\nlast: {*k : 2}").value).toEqual({
      name: 1,
      other: "name",
      last: { name: 2 },
    });
  });

  test("that are numbers stay as they are written", () => {
    expect(read("0x1F: a\n1.50: b\n010: c").value).toEqual({
      "0x1F": "a",
      "1.50": "b",
      "010": "c",
    });
  });

  test("that repeat keep the values that do not count", () => {
    const { value, duplicates } = read("a: 1\na: [2]\na: {b: 3}");
    expect(value).toEqual({ a: { b: 3 } });
    expect(duplicates).toMatchObject([{ name: "a", earlier: ["1", "[2]"], span: { start: 12 } }]);
  });
});

describe("anchors", () => {
  test("of a copy do not replace later ones of their name", () => {
    expect(read("x: &x [&y 1]\ny: &y 2\nz: *x\nw: *y").value).toEqual({
      x: [1],
      y: 2,
      z: [1],
      w: 2,
    });
  });

  test("mean within a copy what they meant where they were read", () => {
    expect(read("a: &n 1\nx: &x [*n]\nb: &n 2\ny: *x\nz: *n").value).toEqual({
      a: 1,
      x: [1],
      b: 2,
      y: [1],
      z: 2,
    });
  });
});

describe("tags", () => {
  test.each<[string | undefined, string | null]>([
    ["!Ref", "Ref"],
    ["!Condition", "Condition"],
    ["!Sub", "Fn::Sub"],
    ["!GetAtt", "Fn::GetAtt"],
    [`!${"a".repeat(64)}`, `Fn::${"a".repeat(64)}`],
    [`!${"a".repeat(65)}`, null],
    ["!", null],
    ["!!str", null],
    ["!a-b", null],
    ["x!Sub", null],
    ["tag:yaml.org,2002:str", null],
    [undefined, null],
  ])("%s is short for %s", (tag, name) => {
    expect(functionOf(tag)).toBe(name);
  });

  test("become the functions that they are short for, each with its place", () => {
    const text = "arn: !Sub 'arn:${x}'\nlist: !Join [',', [!Ref a]]\nplain: !!str 1";
    const { value, root } = read(text, true);
    expect(value).toEqual({
      arn: { "Fn::Sub": "arn:${x}" },
      list: { "Fn::Join": [",", [{ Ref: "a" }]] },
      plain: "1",
    });
    const member = root.members?.get("arn")?.value.members?.get("Fn::Sub");
    expect(member && text.slice(member.key.start, member.key.end)).toBe("'arn:${x}'");
    expect(member && text.slice(member.value.start, member.value.end)).toBe("'arn:${x}'");
  });

  test("are dropped otherwise", () => {
    expect(read("arn: !Sub x").value).toEqual({ arn: "x" });
  });
});

describe("lines inside brackets and quotes", () => {
  test.each<[string, string, unknown]>([
    ["a list", "a: [\n1,\n2\n]\nb: 3", { a: [1, 2], b: 3 }],
    ["an object", "a: {\nx: 1\n}\nb: 3", { a: { x: 1 }, b: 3 }],
    ["a text", 'a: "x\ny"\nb: 3', { a: "x y", b: 3 }],
  ])("may begin anywhere: %s", (_, text, value) => {
    expect(read(text).value).toEqual(value);
  });

  test("have no effect on the indents after them", () => {
    expect(readYaml("a: [\n1\n]\n b: 2")).toHaveProperty("refused", "syntax");
    expect(readYaml("a:\n  b: [\n1\n]\nc: 2")).toMatchObject({ value: { a: { b: [1] }, c: 2 } });
  });
});
