import { expect, test } from "vitest";
import { segmentsOf } from "./inline.ts";

const shown = (message: string) =>
  segmentsOf(message)
    .map(({ code, text }) => (code ? `<${text}>` : text))
    .join("");

test.each([
  ["no span", "no span"],
  ["", ""],
  ["`a` and `b`", "<a> and <b>"],
  ["`` a`b ``", "<a`b>"],
  ["`` ` ``", "<`>"],
  ["`  `", "<  >"],
  ["` a`", "< a>"],
  ["`a `", "<a >"],
  ["an open ` stays", "an open ` stays"],
  ["``a` `b`", "``a<< >>b`".replace("<< >>", "< >")],
  ["```a``b```", "<a``b>"],
  ["`a`b`", "<a>b`"],
  ["a\n  b\r\nc", "a b c"],
])("reads code spans as CommonMark does: %j", (message, expected) => {
  expect(shown(message)).toBe(expected);
});

test("there is no empty text around a span", () => {
  expect(segmentsOf("")).toEqual([]);
  expect(segmentsOf("`a`")).toEqual([{ code: true, text: "a" }]);
});

test("takes one pass over a message of nothing but back-ticks of many lengths", () => {
  const message = Array.from({ length: 2000 }, (_, at) => "`".repeat(at + 1)).join(" ");
  expect(segmentsOf(message)).toEqual([{ code: false, text: message }]);
});
