/** Policies with faults of form that no other corpus has, so that every checker is reached. */
import type { PolicyType } from "../../../spec/policy.ts";

interface Rare {
  readonly id: string;
  readonly policy: unknown;
  readonly policyType: PolicyType | null;
}

const Version = "2012-10-17";
const get = { Effect: "Allow", Action: "s3:GetObject", Resource: "arn:aws:s3:::example/*" };

function rare(id: string, statement: unknown, policyType: PolicyType | null = null): Rare {
  return { id, policy: { Version, Statement: statement }, policyType };
}

const rcp = (id: string, statement: object) =>
  rare(id, [{ Effect: "Deny", ...statement }], "RESOURCE_CONTROL_POLICY");

export const rarePolicies: readonly Rare[] = [
  { id: "an unknown member", policy: { Version, Owner: "x", Statement: get }, policyType: null },
  { id: "no Statement", policy: { Version }, policyType: null },
  rare("an empty Statement", []),
  rare("an unknown element", { ...get, Resources: "*" }),
  rare("no Effect", { Action: get.Action, Resource: get.Resource }),
  rare("a Sid that is a number", { ...get, Sid: 1 }),
  rare("no Action", { Effect: "Allow", Resource: "*" }),
  rare("Action and NotAction", { ...get, NotAction: "iam:*" }),
  rare("Resource and NotResource", { ...get, NotResource: "*" }),
  rare(
    "Principal and NotPrincipal",
    { ...get, Principal: "*", NotPrincipal: "*" },
    "RESOURCE_POLICY",
  ),
  rare("a Deny that exempts everything", { Effect: "Deny", Action: "s3:*", NotResource: "*" }),
  rare("Null with a set operator", {
    ...get,
    Condition: { "ForAnyValue:Null": { "aws:TagKeys": "true" } },
  }),
  rare("an empty Sid", { ...get, Sid: "" }),
  rare("an empty Condition", { ...get, Condition: {} }),
  rare("a range with host bits", {
    ...get,
    Condition: { IpAddress: { "aws:SourceIp": "203.0.113.7/24" } },
  }),
  rare("PassRole on every role by NotAction's side", {
    Effect: "Allow",
    NotAction: "s3:*",
    Resource: "*",
  }),
  rcp("an RCP with NotPrincipal", { NotPrincipal: "*", Action: "s3:*", Resource: "*" }),
  rcp("an RCP with NotAction", { Principal: "*", NotAction: "s3:*", Resource: "*" }),
  rcp("an RCP without Principal", { Action: "s3:*", Resource: "*" }),
  rcp("an RCP without Resource", { Principal: "*", Action: "s3:*" }),
  rcp("an RCP for every service", { Principal: "*", Action: "*", Resource: "*" }),
];
