import { expect, test } from "vitest";
import { switchValue } from "./switch-value.ts";

const node = { pointer: "", key: false } as never;

test.each([
  [["true"], true],
  [["FALSE", "false"], false],
  [["true", "false"], null],
  [["yes"], null],
  [[], null],
])("%j asks for %j", (texts, wanted) => {
  expect(switchValue(texts.map((text) => ({ text, raw: text, node })))).toBe(wanted);
});
