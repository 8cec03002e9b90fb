import { expect, test } from "vitest";
import { KnownResources } from "./known-resources.ts";
import { Unknowns } from "./unknowns.ts";

const bucket = (name: string) => `arn:aws:s3:::${name}`;
const names = (count: number) => Array.from({ length: count }, (_, index) => bucket(`b${index}`));
const anything = { pattern: "*", sample: null };

/** Resources of a Deny with an unknown one, beside those of an Allow. */
function known(of: readonly string[], own: readonly string[] = []) {
  const statements = [
    { Effect: "Deny", Resource: own },
    { Effect: "Allow", Resource: of },
  ];
  return new KnownResources(statements, new Unknowns());
}

test("each unknown text of a statement is another resource, and the same text the same one", () => {
  const resources = known([bucket("a"), bucket("a/*")]);
  const like = (text: string) => resources.like({ ...anything, text }, 0);
  expect(["x", "y", "x", "z"].map(like)).toEqual([bucket("a/*"), bucket("a"), bucket("a/*"), null]);
});

test("what the statement has already is not an unknown one of it", () => {
  const resources = known([bucket("a"), bucket("a/*")], [bucket("a/*")]);
  expect(resources.like({ ...anything, text: "x" }, 0)).toBe(bucket("a"));
});

test.each([
  [bucket("a"), "arn:aws:s3:::x", bucket("a")],
  [bucket("a"), "arn:aws:s3:::x/y", null],
  [bucket("a"), "arn:aws:sqs:::x", null],
])("of %s and a sample %s: %s", (arn, sample, found) => {
  expect(known([arn]).like({ text: "x", pattern: "arn:*", sample }, 0)).toBe(found);
});

test("at most 32 known ARNs and 32 unknown texts are compared", () => {
  expect(known(names(32)).like({ ...anything, text: "x" }, 0)).not.toBeNull();
  expect(known(names(33)).like({ ...anything, text: "x" }, 0)).toBeNull();
  const resources = known(names(32));
  const none = { pattern: "arn:aws:sqs:*", sample: null };
  for (let count = 0; count < 32; count++) resources.like({ ...none, text: String(count) }, 0);
  expect(resources.like({ ...anything, text: "x" }, 0)).toBeNull();
});

test("longer texts are not compared", () => {
  const long = bucket("a".repeat(300));
  expect(known([long]).like({ ...anything, text: "x" }, 0)).toBeNull();
  const pattern = `${bucket("a".repeat(250))}*`;
  expect(known([bucket("a")]).like({ text: "x", pattern, sample: null }, 0)).toBeNull();
});
