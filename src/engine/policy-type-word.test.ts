import { expect, test } from "vitest";
import { declaredType } from "./policy-type-word.ts";

test.each([
  [null, null],
  [undefined, null],
  ["TRUST_POLICY", "TRUST_POLICY"],
  ["trust", "TRUST_POLICY"],
])("%j declares %s", (word, type) => {
  expect(declaredType(word, "policy_type")).toBe(type);
});

test.each([
  ["trusted", 'policies[3].policy_type "trusted" is not a policy type; use one of '],
  ["x".repeat(41), `policies[3].policy_type "${"x".repeat(40)}" is not a policy type; use one of `],
  [7, "policies[3].policy_type is not a policy type; use one of "],
])("%j is refused", (word, message) => {
  expect(() => declaredType(word, "policies[3].policy_type")).toThrow(message);
});
