import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { PolicyType, shortPolicyTypeWords } from "../../spec/policy.ts";
import { letsInCallers, policyTypeFacts, typeInWords, typesChecked } from "./type-facts.ts";

function manual(path: string): string {
  return readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");
}

test.each([
  ["docs/library.md", "`policy_type`", shortPolicyTypeWords],
  ["action.yml", "Type of every policy", shortPolicyTypeWords],
  ["docs/config.md", "`policy_types`", PolicyType.options],
])("%s lists every policy type", (path, row, words) => {
  const line = manual(path)
    .split("\n")
    .find((text) => text.includes(row));
  expect(words.filter((word) => !line?.includes(word))).toEqual([]);
});

test("a permissions boundary is evaluated like the managed policy that it is", () => {
  const { access, size } = policyTypeFacts.PERMISSIONS_BOUNDARY;
  expect({ access, size }).toEqual({ access: "identity", size: "managed" });
});

test.each([
  ["RESOURCE_POLICY", true],
  ["TRUST_POLICY", true],
  ["IDENTITY_POLICY", false],
  ["RESOURCE_CONTROL_POLICY", false],
  ["ENDPOINT_POLICY", false],
] as const)("%s: it lets in the callers that it names: %s", (type, expected) => {
  expect(letsInCallers(type)).toBe(expected);
});

test.each([
  ["grants", ["IDENTITY_POLICY", "RESOURCE_POLICY", "TRUST_POLICY"]],
  ["rcp", ["RESOURCE_CONTROL_POLICY"]],
] as const)("the checks of %s run on %j", (group, types) => {
  expect(typesChecked(group)).toEqual(types);
});

test("a type in a sentence has the article of its first sound", () => {
  expect(typeInWords("IDENTITY_POLICY")).toBe("an identity policy");
  expect(typeInWords("SERVICE_CONTROL_POLICY")).toBe("a service control policy");
});
