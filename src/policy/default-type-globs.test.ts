import { expect, test } from "vitest";
import { defaultTypeGlobs } from "./default-type-globs.ts";
import { typeByLabel } from "./type-globs.ts";

const typeOf = typeByLabel(defaultTypeGlobs);

test.each([
  ["org/scp/region.json", "SERVICE_CONTROL_POLICY"],
  ["scps/region.json", "SERVICE_CONTROL_POLICY"],
  ["org/service-control-policies/eu.json", "SERVICE_CONTROL_POLICY"],
  ["org/service_control_policies/eu.json", "SERVICE_CONTROL_POLICY"],
  ["root.scp.json", "SERVICE_CONTROL_POLICY"],
  ["prod/scp.json", "SERVICE_CONTROL_POLICY"],
  ["org/example-scp.json", "SERVICE_CONTROL_POLICY"],
  ["resources/network_perimeter_scp.json", "SERVICE_CONTROL_POLICY"],
  ["resources/osd_scp_policy.json", "SERVICE_CONTROL_POLICY"],
  ["resources/identity-rcp.json", "RESOURCE_CONTROL_POLICY"],
  ["roles/scp-administrator.json", undefined],
  ["example-scp/role.json", undefined],
  ["org/rcp/perimeter.json", "RESOURCE_CONTROL_POLICY"],
  ["resource_control_policies/s3.json", "RESOURCE_CONTROL_POLICY"],
  ["root.rcp.json", "RESOURCE_CONTROL_POLICY"],
  ["iam/developer-boundary.json", "PERMISSIONS_BOUNDARY"],
  ["iam/permissions-boundaries/developer.json", "PERMISSIONS_BOUNDARY"],
  ["boundaries/developer.json", "PERMISSIONS_BOUNDARY"],
  ["vpc_endpoint_policies/s3_endpoint_policy.json", "ENDPOINT_POLICY"],
  ["net/vpc-endpoint-policies/s3.json", "ENDPOINT_POLICY"],
  ["endpoint-policies/s3.json", "ENDPOINT_POLICY"],
  ["buckets/vpc-endpoint-policy.json", undefined],
  ["roles-with-boundary/data/billing.json", undefined],
  ["iam/orders.json", undefined],
])("a policy named %s is of type %s", (label, type) => {
  expect(typeOf(label, () => false)).toBe(type);
});

test.each(["roles/orders-trust.json", "roles/assume_role_policy.json", "roles/assume-role.yaml"])(
  "a policy named %s is a trust policy only if it has the form of one",
  (label) => {
    expect(typeOf(label, () => true)).toBe("TRUST_POLICY");
    expect(typeOf(label, () => false)).toBeUndefined();
  },
);

test("the patterns of the config come first", () => {
  const own = typeByLabel([{ pattern: "scp/*", type: "IDENTITY_POLICY" }, ...defaultTypeGlobs]);
  expect(own("scp/a.json", () => false)).toBe("IDENTITY_POLICY");
});
