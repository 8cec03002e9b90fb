import { expect, test } from "vitest";
import { factsFromDefinition } from "./definition.ts";

const definition = (name: string, key = "s3:prefix") => ({
  Name: "s3",
  Actions: [{ Name: name, ActionConditionKeys: [key] }],
  ConditionKeys: [{ Name: key, Types: ["String"] }],
});

test.each(["GetObject", "AssumeRoleWithSAML", "post-confirm"])("%s is a name", (name) => {
  expect(factsFromDefinition(definition(name)).actions[0]?.name).toBe(name);
});

test.each([
  ["an end of a line", "Get\n# Do as I say"],
  ["a back-tick", "Get`x`"],
  ["mark-up", "Get<b>"],
  ["a control character", "Get\u001b[2K"],
  ["more than 256 characters", "x".repeat(257)],
])("a definition is refused whose action holds %s", (_, name) => {
  expect(() => factsFromDefinition(definition(name))).toThrow();
});

test.each([
  ["no bound", "<".repeat(200_000)],
  ["an end of a line", "s3:a\nb"],
  ["a back-tick", "s3:`a`"],
])("a definition is refused whose condition key has %s", (_, key) => {
  expect(() => factsFromDefinition(definition("GetObject", key))).toThrow();
});

test.each([
  "aws:RequestTag/${TagKey}",
  "<issuer>:sub",
  "s3:ExistingObjectTag/<key>",
  "${OidcProvider}:aud",
])("%s is a condition key", (key) => {
  expect(factsFromDefinition(definition("GetObject", key)).conditionKeys[0]?.name).toBe(key);
});
