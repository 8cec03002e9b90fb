import { expect, test } from "vitest";
import { keyType } from "./condition-key-type.ts";
import { globalConditionKey, globalConditionKeys, isTagKey } from "./global-condition-keys.ts";
import { identityProviderKey } from "./identity-provider-key.ts";

const named = (trait: "multivalued" | "alwaysPresent" | "securitySensitive") =>
  globalConditionKeys.filter((key) => key[trait]).map(({ name }) => name);

test("no key is listed twice, in whatever letter case", () => {
  const names = globalConditionKeys.map(({ name }) => name.toLowerCase());
  expect(new Set(names).size).toBe(names.length);
  expect(names).toHaveLength(59);
});

test("seven keys carry several values", () => {
  expect(named("multivalued").sort()).toEqual([
    "aws:CalledVia",
    "aws:PrincipalOrgPaths",
    "aws:PrincipalServiceNamesList",
    "aws:ResourceOrgPaths",
    "aws:SourceOrgPaths",
    "aws:TagKeys",
    "aws:VpceOrgPaths",
  ]);
});

test("eight keys are in every request", () => {
  expect(named("alwaysPresent")).toHaveLength(8);
});

test("fourteen keys draw boundaries", () => {
  expect(named("securitySensitive")).toHaveLength(14);
});

test("names are found in any letter case, ASCII only", () => {
  expect(globalConditionKey("AWS:sourceIP")).toMatchObject({
    name: "aws:SourceIp",
    type: "IPAddress",
  });
  // The Kelvin sign is not a k, although its lower case is one.
  expect(globalConditionKey("aws:To\u212aenIssueTime")).toBeUndefined();
});

test("a principal tag has one value, and need not be there", () => {
  expect(globalConditionKey("aws:PrincipalTag/team")).toEqual({
    name: "aws:PrincipalTag/team",
    type: "String",
    multivalued: false,
    alwaysPresent: false,
    securitySensitive: false,
  });
  // As long as its beginning, and another key.
  expect(globalConditionKey("aws:PrincipalTax/team")).toBeUndefined();
  expect(globalConditionKey("aws:RequestTagged/team")).toBeUndefined();
});

test("principal tags are global, request and resource tags are not", () => {
  expect(globalConditionKey("aws:principaltag/Team/É")).toMatchObject({ type: "String" });
  expect(globalConditionKey(`aws:PrincipalTag/${"a".repeat(128)}`)).toBeDefined();
  for (const key of [
    "aws:PrincipalTag/",
    `aws:PrincipalTag/${"a".repeat(129)}`,
    "aws:PrincipalTag/a\nb",
    "aws:RequestTag/team",
    "aws:ResourceTag/team",
    "__proto__",
  ]) {
    expect(globalConditionKey(key)).toBeUndefined();
  }
});

test("a tag key has 1 to 128 characters, letters beyond ASCII among them", () => {
  expect(["aws:x", "a b+-=._:/@", "équipe", "部署"].every(isTagKey)).toBe(true);
  expect(["", "a$", "a*", "a\t", "a".repeat(129)].some(isTagKey)).toBe(false);
});

test("types of the service reference are read in all their spellings", () => {
  expect(keyType("ArrayOfARN")).toEqual({ type: "ARN", multivalued: true });
  expect(keyType("Arn")).toEqual({ type: "ARN", multivalued: false });
  expect(keyType("Boolean")).toEqual({ type: "Bool", multivalued: false });
  expect(keyType("Long")).toEqual({ type: "Numeric", multivalued: false });
  expect(keyType("Ip")).toEqual({ type: "IPAddress", multivalued: false });
  expect(keyType("toString")).toBeUndefined();
});

test("a claim belongs to a provider that looks like a domain, perhaps with a path", () => {
  expect(identityProviderKey("oidc.eks.us-east-1.amazonaws.com/id/A:SUB")).toEqual({
    provider: "oidc.eks.us-east-1.amazonaws.com/id/A",
    claim: "sub",
  });
  for (const key of ["notaprovider:sub", "a.b:email", "a..b:sub", "a_b.c:sub", "a.b", ":sub"]) {
    expect(identityProviderKey(key)).toBeNull();
  }
});
