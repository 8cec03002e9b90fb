import { expect, test } from "vitest";
import { mayHavePolicy } from "./may-have-policy.ts";

test.each([
  ["a policy", '{"Statement": []}'],
  ["a policy with another letter case", "statement:\n- {}"],
  ["a statement", "- Effect : Allow"],
  ["a statement without effect", "- Action: s3:*\n  Resource: '*'"],
  ["a version", "Version: 2012-10-17"],
  ["an escaped name", '{"\\u0053tatement": []}'],
  ["an encoded policy", "%7B%22Version%22"],
  [
    "a reference in a template",
    "Resources:\n  P:\n    Type: AWS::IAM::Policy\n    Properties: {PolicyDocument: !Ref D}",
  ],
  ["an unknown policy of a plan", '{"planned_values": {}, "x": {"policy": null}}'],
  ["a manifest of ACK", "apiVersion: iam.services.k8s.aws/v1alpha1\nspec:\n  policyDocument: $x"],
  ["a task of Ansible", "- amazon.aws.s3_bucket: {policy: '{{ document }}'}"],
  ["a task with a module of Ansible alone", "- name: x\n  sqs_queue: {policy: '{{ document }}'}"],
  ["a program of Pulumi", "main: {type: aws:s3:BucketPolicy, properties: {policy: $x}}"],
  ["a manifest of Crossplane", "apiVersion: iam.aws.m.upbound.io/v1beta1\nspec: {policy: $x}"],
])("%s is worth parsing", (_title, text) => {
  expect(mayHavePolicy(text, "dir/a.yaml")).toBe(true);
});

test("Terraform files are always worth parsing", () => {
  expect(mayHavePolicy('{"resource": {"aws_iam_policy": {}}}', "a.tf.json")).toBe(true);
  expect(mayHavePolicy("", "a.tf")).toBe(true);
  expect(mayHavePolicy("", "a.tofu")).toBe(true);
});

test.each([
  [
    "a custom resource definition",
    "kind: CustomResourceDefinition\ndescription: An AWS policy\neffect:\n  description: The effect",
  ],
  ["a workflow", "on: push\njobs: {}"],
  ["a template without policies", "Resources:\n  Q:\n    Type: AWS::SQS::Queue\n"],
])("%s is not", (_title, text) => {
  expect(mayHavePolicy(text, "dir/a.yaml")).toBe(false);
});

test("a text of 1 MB is read once", () => {
  // Were time quadratic in the length, this would run for minutes.
  expect(mayHavePolicy(`policy ${"aws.".repeat(250_000)}`, "dir/a.yaml")).toBe(false);
});
