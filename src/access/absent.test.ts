import { expect, test } from "vitest";
import type { PolicyType } from "../../spec/policy.ts";
import { absentPolicy } from "./absent.ts";

const Version = "2012-10-17";

test.each<PolicyType>(["IDENTITY_POLICY", "RESOURCE_POLICY", "TRUST_POLICY"])(
  "without a policy of the type %s nothing is allowed",
  (type) => {
    expect(absentPolicy(type)).toEqual({ Version, Statement: [] });
  },
);

test("without a service control policy everything is allowed to the callers of the account", () => {
  const Statement = [{ Effect: "Allow", Action: "*", Resource: "*" }];
  expect(absentPolicy("SERVICE_CONTROL_POLICY")).toEqual({ Version, Statement });
});

test("without a resource control policy everything is allowed to everyone", () => {
  const Statement = [{ Effect: "Allow", Principal: "*", Action: "*", Resource: "*" }];
  expect(absentPolicy("RESOURCE_CONTROL_POLICY")).toEqual({ Version, Statement });
});
