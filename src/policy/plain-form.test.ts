import { expect, test } from "vitest";
import { objectDocument } from "./document.ts";
import { statementsOf } from "./normalise.ts";
import { hasPlainCondition, hasPlainForm } from "./plain-form.ts";

const plain = { Effect: "Allow", Action: ["s3:GetObject"], Resource: "*" };

test.each<[string, object, boolean]>([
  ["Effect, Action and Resource", plain, true],
  ["a Sid", { Sid: "Read", ...plain }, true],
  ["a list of resources", { ...plain, Resource: ["arn:aws:s3:::a/*", "*"] }, true],
  ["a Condition of any form", { ...plain, Condition: [] }, true],
  ["a Deny", { ...plain, Effect: "Deny" }, true],
  ["no Effect", { Action: "s3:GetObject", Resource: "*" }, false],
  ["no Action", { Effect: "Allow", Resource: "*" }, false],
  ["no Resource", { Effect: "Allow", Action: "s3:GetObject" }, false],
  ["another Effect", { ...plain, Effect: "allow" }, false],
  ["an empty list", { ...plain, Action: [] }, false],
  ["a number in a list", { ...plain, Resource: ["*", 1] }, false],
  ["an object for a list", { ...plain, Resource: {} }, false],
  ["a Sid that is no text", { ...plain, Sid: 1 }, false],
  ["a Principal", { ...plain, Principal: "*" }, false],
  ["NotAction beside Action", { ...plain, NotAction: "s3:*" }, false],
  ["an unknown member", { ...plain, Comment: "x" }, false],
  ["no Resource but NotResource", { Effect: "Allow", Action: "s3:*", NotResource: "*" }, false],
  ["only an Effect", { Effect: "Allow" }, false],
  ["an empty Sid", { Sid: "", ...plain }, true],
  ["an Effect that is no text", { ...plain, Effect: ["Allow"] }, false],
  ["a number for an action", { ...plain, Action: 1 }, false],
  ["a list in a list", { ...plain, Action: [["s3:GetObject"]] }, false],
  ["a number at the start of a list", { ...plain, Action: [1, "s3:GetObject"] }, false],
])("a statement with %s", (_, raw, expected) => {
  const [statement] = statementsOf(objectDocument({ Statement: raw }));
  expect(statement && hasPlainForm(statement)).toBe(expected);
});

test.each<[string, unknown, boolean]>([
  ["a text", { StringEquals: { "aws:x": "a" } }, true],
  ["a list of texts", { StringEquals: { "aws:x": ["a", "b"] } }, true],
  ["several operators and keys", { A: { b: "c", d: ["e"] }, F: { g: "h" } }, true],
  ["an unknown operator, of which this says nothing", { Odd: { k: "v" } }, true],
  ["an empty text", { A: { b: "" } }, true],
  ["none", undefined, false],
  ["null", null, false],
  ["no operator", {}, false],
  ["a list of operators", [{ A: { b: "c" } }], false],
  ["a text for the operators", "x", false],
  ["an operator without keys", { A: {} }, false],
  ["one operator of two without keys", { A: { b: "c" }, D: {} }, false],
  ["a text for the keys", { A: "b" }, false],
  ["a list for the keys", { A: ["b"] }, false],
  ["an empty list", { A: { b: [] } }, false],
  ["a boolean", { Bool: { b: true } }, false],
  ["a number", { A: { b: 1 } }, false],
  ["one key of two with null", { A: { b: "c", d: null } }, false],
  ["a number in a list", { A: { b: ["c", 1] } }, false],
])("a Condition with %s has the plain form or not: %#", (_, Condition, expected) => {
  const raw = Condition === undefined ? plain : { ...plain, Condition };
  const [statement] = statementsOf(objectDocument({ Statement: raw }));
  expect(statement && hasPlainCondition(statement)).toBe(expected);
  // Asked again, it says the same.
  expect(statement && hasPlainCondition(statement)).toBe(expected);
  expect(statement && hasPlainForm(statement)).toBe(true);
  expect(statement && hasPlainForm(statement)).toBe(true);
});
