import { expect, it } from "vitest";
import { lineStart } from "./layout.ts";

it.each([
  ["the first line", "ab\ncd", 1, 0],
  ["the beginning of the text", "\nab", 0, 0],
  ["after a line feed", "ab\ncd", 4, 3],
  ["after a carriage return", "ab\rcd", 4, 3],
  ["after both", "ab\r\ncd", 5, 4],
  ["after an empty line", "a\n\nb", 3, 3],
  ["of a carriage return before a line feed", "a\rb\nc", 5, 4],
])("the start of a line: %s", (_title, text, offset, start) => {
  expect(lineStart(text, offset)).toBe(start);
});
