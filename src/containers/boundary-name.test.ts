import { expect, test } from "vitest";
import { isBoundaryName } from "./boundary-name.ts";

test.each([
  ["permissions_boundary", true],
  ["PermissionsBoundary", true],
  ["developer-boundary-policy", true],
  ["CdkBoostrapPermissionsBoundaryPolicy", true],
  ["PermissionsBoundaryBE7B2B0A", true],
  ["boundary_administrator", false],
  ["BoundaryManagers", false],
])("%s names a permissions boundary: %s", (name, expected) => {
  expect(isBoundaryName(name)).toBe(expected);
});
