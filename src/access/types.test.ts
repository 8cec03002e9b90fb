import { expect, test } from "vitest";
import { accessTypeOf } from "./types.ts";

/** A boundary and a session policy are read as identity policies, the policy of a VPC endpoint as a resource policy. */
test.each([
  ["IDENTITY_POLICY", "identity"],
  ["RESOURCE_POLICY", "resource"],
  ["TRUST_POLICY", "trust"],
  ["SERVICE_CONTROL_POLICY", "scp"],
  ["RESOURCE_CONTROL_POLICY", "rcp"],
  ["PERMISSIONS_BOUNDARY", "identity"],
  ["SESSION_POLICY", "identity"],
  ["ENDPOINT_POLICY", "resource"],
] as const)("%s is read as %s", (type, expected) => {
  expect(accessTypeOf(type)).toBe(expected);
});
