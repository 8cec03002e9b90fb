import { describe } from "vitest";
import { fixCases } from "../../test/support/fix-cases.ts";

const repairs = "repairs" as const;
const role = "arn:aws:iam::111122223333:role/ci";
const region = { StringNotEquals: { "aws:RequestedRegion": "eu-west-1" } };
const deny = { Effect: "Deny", Action: "s3:PutObject", Resource: "*" };

describe("the principals of a limit", () => {
  const rcp = "RESOURCE_CONTROL_POLICY" as const;
  fixCases([
    {
      name: "become a condition of an RCP, which denies no one else",
      of: "policy_type_validation/invalid_rcp_principal",
      type: rcp,
      before: { ...deny, Principal: { AWS: role }, Condition: region },
      after: {
        ...deny,
        Principal: "*",
        Condition: { ...region, ArnEquals: { "aws:PrincipalArn": role } },
      },
      effect: repairs,
    },
    {
      name: "of an RCP are everyone where they are written as a star",
      of: "policy_type_validation/invalid_rcp_principal",
      type: rcp,
      before: { ...deny, Principal: { AWS: ["*"] } },
      after: { ...deny, Principal: "*" },
      effect: repairs,
    },
    {
      name: "of an RCP stay where a condition cannot say who they are",
      of: "policy_type_validation/invalid_rcp_principal",
      type: rcp,
      before: { ...deny, Principal: { Service: "logs.amazonaws.com" } },
    },
    {
      name: "that an RCP spares are spared by a condition",
      of: "policy_type_validation/invalid_rcp_not_principal",
      type: rcp,
      before: { ...deny, Principal: "*", NotPrincipal: { AWS: role } },
      after: {
        ...deny,
        Principal: "*",
        Condition: { ArnNotEquals: { "aws:PrincipalArn": role } },
      },
      effect: repairs,
    },
  ]);
});

describe("a condition", () => {
  const named = { ...deny, Principal: { AWS: role } };
  const of = "policy_type_validation/invalid_principal";
  const type = "SERVICE_CONTROL_POLICY" as const;
  const buckets = { Effect: "Allow", Action: "iam:PassRole", Resource: role };
  const passed = "action_condition_enforcement/missing_required_condition";
  fixCases([
    {
      name: "with a test that cannot be read gets no other one, which would replace it",
      of,
      type,
      before: { ...named, Condition: { ...region, Bool: "true" } },
    },
    {
      name: "in a list gets no test before it is an object",
      of,
      type,
      before: { ...named, Condition: [region] },
    },
    {
      name: "under a misspelt name gets no second one beside it",
      of,
      type,
      before: { ...named, Conditions: region },
    },
    {
      name: "of an Allow is not replaced either",
      of: passed,
      before: { ...buckets, Condition: { Bool: "true" } },
    },
  ]);
});

describe("a key without an operator", () => {
  const of = "policy_structure/invalid_element_type";
  const type = "SERVICE_CONTROL_POLICY" as const;
  fixCases([
    {
      name: "of a Deny may name what is denied or what is spared",
      of,
      type,
      before: { ...deny, Condition: { "aws:RequestedRegion": "eu-west-1" } },
    },
    {
      name: "of a Deny says what is denied where it is a boolean",
      of,
      type,
      before: { ...deny, Condition: { "aws:SecureTransport": "false" } },
      after: { ...deny, Condition: { Bool: { "aws:SecureTransport": "false" } } },
      effect: repairs,
    },
  ]);
});
