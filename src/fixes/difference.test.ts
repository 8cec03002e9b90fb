import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { rootNode } from "../json/node.ts";
import { difference } from "./difference.ts";
import { applyOperations, applyPatch, patchOf } from "./patch.ts";

const name = fc.constantFrom("a", "A", "b", "a/b", "~", "__proto__", "");
const value = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: "small" },
    fc.constantFrom(null, true, 1, "x", "y"),
    fc.array(tie("value"), { maxLength: 5 }),
    fc.array(fc.tuple(name, tie("value")), { maxLength: 4 }).map(Object.fromEntries),
  ),
})).value;

describe("the difference of two values", () => {
  test("turns the first into the second", () => {
    fc.assert(
      fc.property(value, value, (before, after) => {
        const operations = difference(before, after, rootNode);
        expect(applyOperations(before, operations)).toEqual(after);
        expect(applyPatch(before, patchOf(operations))).toEqual(after);
      }),
    );
  });

  test.each([
    [{ Acton: "s3:*", Effect: "Allow" }, { Action: "s3:*", Effect: "Allow" }, ["move"]],
    [
      ["a", "b", "c", "d"],
      ["a", "c"],
      ["remove", "remove"],
    ],
    [["a", "b"], ["a", "x", "b"], ["add"]],
    [{ list: ["a", "b"] }, { list: ["a", "c"] }, ["replace"]],
    [{ a: 1 }, { a: 1 }, []],
    [{ StringLike: { k: "*" } }, { Null: { k: "false" } }, ["move", "replace"]],
    [{ a: { k: "*" } }, { b: { l: "*" } }, ["add", "remove"]],
  ])("%j to %j takes the operations of a person", (before, after, operations) => {
    expect(difference(before, after, rootNode).map(({ op }) => op)).toEqual(operations);
  });
});

test("a renamed member keeps its place", () => {
  const renamed = applyPatch({ Acton: "*", Effect: "Allow" }, [
    { op: "move", from: "/Acton", path: "/Action" },
  ]);
  expect(JSON.stringify(renamed)).toBe('{"Action":"*","Effect":"Allow"}');
});

test.each([
  [{ op: "test", path: "/a", value: 2 }],
  [{ op: "test", path: "/b", value: 1 }],
  [{ op: "remove", path: "/b" }],
  [{ op: "replace", path: "/a/b", value: 1 }],
  [{ op: "add", path: "/list/3", value: 1 }],
  [{ op: "remove", path: "/list/01" }],
  [{ op: "remove", path: "/toString" }],
] as const)("%j does not apply", (operation) => {
  expect(() => applyPatch({ a: 1, list: [0, 1] }, [operation])).toThrow(
    expect.objectContaining({ name: "PatchFailure" }),
  );
});
