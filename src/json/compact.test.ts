import { expect, test } from "vitest";
import { withoutWhiteSpace } from "./compact.ts";

test.each([
  ['{\n  "a": [ 1.50, "b  c" ],\r\n\t"d": null }', '{"a":[1.50,"b  c"],"d":null}'],
  ['{ "a\\" b": "\\\\" , "c": " \\u0041 " }', '{"a\\" b":"\\\\","c":" \\u0041 "}'],
  ['{ "a": 1 }\r\n', '{"a":1}\r\n'],
  ["[ ]\n\n", "[]\n"],
])("%j becomes %j", (text, compact) => {
  expect(withoutWhiteSpace(text)).toBe(compact);
});
