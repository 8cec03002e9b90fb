import { expect, test } from "vitest";
import { childNode, keyNode, pointerOf, rootNode, stepsOf } from "./node.ts";

test("the pointer of the root is empty", () => {
  expect(pointerOf(rootNode)).toBe("");
  expect(stepsOf(rootNode)).toEqual([]);
});

test("a pointer escapes tilde and slash, tilde first", () => {
  const node = childNode(childNode(rootNode, "a/b~c"), "~1");
  expect(pointerOf(node)).toBe("/a~1b~0c/~01");
});

test("an empty member name is a step like any other", () => {
  expect(pointerOf(childNode(childNode(rootNode, ""), 0))).toBe("//0");
});

test("a key has the pointer of its value", () => {
  const parent = childNode(childNode(rootNode, "Statement"), 3);
  expect(pointerOf(keyNode(parent, "Sid"))).toBe("/Statement/3/Sid");
  expect(keyNode(parent, "Sid").part).toBe("key");
  expect(stepsOf(keyNode(parent, "Sid"))).toEqual(["Statement", 3, "Sid"]);
});
