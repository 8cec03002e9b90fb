import { expect, test } from "vitest";
import { objectDocument } from "./document.ts";
import { statementsOf } from "./normalise.ts";
import { hasPlainForm } from "./plain-form.ts";

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
])("a statement with %s", (_, raw, expected) => {
  const [statement] = statementsOf(objectDocument({ Statement: raw }));
  expect(statement && hasPlainForm(statement)).toBe(expected);
});
