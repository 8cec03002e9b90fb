import { describe, expect, test } from "vitest";
import { splitDocuments } from "./split-documents.ts";

const split = (text: string) =>
  splitDocuments(text).map(({ text: part, origin }) => [part, origin.line, origin.offset]);

describe("documents of a YAML text", () => {
  test("a text without markers is one", () => {
    expect(split("a: 1\n")).toEqual([["a: 1\n", 0, 0]]);
  });

  test("begin at their markers, and know where that is", () => {
    expect(split("a: 1\n---\nb: 2\n--- {c: 3}\n")).toEqual([
      ["a: 1\n", 0, 0],
      ["---\nb: 2\n", 1, 5],
      ["--- {c: 3}\n", 3, 14],
    ]);
  });

  test("have the directives and comments before their marker", () => {
    expect(split("# note\n%YAML 1.2\n---\na: 1\n")).toEqual([
      ["# note\n%YAML 1.2\n---\na: 1\n", 0, 0],
    ]);
  });

  test("may be ended by dots", () => {
    expect(split("a: 1\n...\nb: 2\n")).toEqual([
      ["a: 1\n...\n", 0, 0],
      ["b: 2\n", 2, 9],
    ]);
  });

  test("that hold comments only are none, unless there is no other", () => {
    expect(split("---\n# nothing\n---\na: 1\n---\n")).toEqual([["---\na: 1\n", 2, 14]]);
    expect(split("---\n# nothing\n---\n")).toEqual([["---\n# nothing\n---\n", 0, 0]]);
    expect(split("")).toEqual([["", 0, 0]]);
  });

  test("are not told apart by dashes inside a line or with more behind them", () => {
    const text = "a: |\n  ---\n ---\n----\n---x\n";
    expect(split(text)).toEqual([[text, 0, 0]]);
  });

  test("count every kind of line end", () => {
    expect(split("a: 1\r\n---\rb: 2\n---\nc: 3").map(([, line]) => line)).toEqual([0, 1, 3]);
  });
});
