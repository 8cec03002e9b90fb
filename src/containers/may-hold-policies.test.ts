import { expect, it } from "vitest";
import { mayHoldPolicies } from "./may-hold-policies.ts";

const call = (policy: unknown, name = "p") =>
  Buffer.from(JSON.stringify({ arguments: { policies: [{ policy, name }] } }));

it.each([
  ["a template", "Resources:\n  R: {Type: AWS::IAM::Role}"],
  ["a plan", '{"format_version": "1.2", "planned_values": {}}'],
  ["a manifest", "apiVersion: iam.services.k8s.aws/v1alpha1\nkind: Role"],
  ["a Serverless file", "provider:\n  name: aws\n  iamRoleStatements: []"],
  ["an answer", { UserDetailList: [] }],
  ["an item of AWS Config", { resourceType: "AWS::IAM::Role", configuration: {} }],
  ["a task of Ansible", "- amazon.aws.s3_bucket: {name: b, policy: {Statement: []}}"],
  ["a program of Pulumi", "runtime: yaml\nresources: {}"],
  ["a policy with a function", { Statement: [{ Resource: { "Fn::GetAtt": ["Bucket", "Arn"] } }] }],
  ["a policy with a reference in its text", '{"Statement": [{"Resource": {"Ref": "Topic"}}]}'],
  ["a policy with a tag", "Statement: {Resource: !Sub '${Bucket.Arn}/*'}"],
  ["a policy with placeholders", '{"Statement": [{"Resource": "arn:aws:s3:::${bucket}"}]}'],
])("finds %s", (_title, policy) => {
  expect(mayHoldPolicies(call(policy))).toBe(true);
});

it("finds a Terraform file by its name", () => {
  expect(mayHoldPolicies(call("locals {}", "main.tf"))).toBe(true);
  expect(mayHoldPolicies(call("locals {}", "main.tofu"))).toBe(true);
});

it("passes over policies, also with policy variables", () => {
  const Resource = ["arn:aws:s3:::jobs/${aws:username}/*", "arn:aws:s3:::a.tfstate"];
  const policy = { Statement: [{ Effect: "Allow", Action: "s3:GetObject", Resource }] };
  expect(mayHoldPolicies(call(policy))).toBe(false);
});
