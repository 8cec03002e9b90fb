import { expect, it, test } from "vitest";
import { placesIn } from "../../../test/support/container-places.ts";
import { terraformFile } from "../terraform/file.ts";

const read = async (text: string) => {
  const places = (await placesIn(terraformFile, text, "main.tf")) ?? [];
  return places.map(({ address, type, state }) => [address, type, state]);
};

const document = (body: string) => `data "aws_iam_policy_document" "d" {\n${body}\n}\n`;
const statement =
  '  statement {\n    actions   = ["s3:GetObject"]\n    resources = ["arn:aws:s3:::a/*"]\n  }';

it.each([
  "jsonencode(jsondecode(data.aws_iam_policy_document.d.json))",
  'join("", data.aws_iam_policy_document.d[*]["json"])',
  'data.aws_iam_policy_document.d["a"].minified_json',
])("%s is the document of the data source", async (reference) => {
  const policy = `resource "awscc_iam_managed_policy" "p" {\n  policy_document = ${reference}\n}\n`;
  expect(await read(document(statement) + policy)).toEqual([
    ["data.aws_iam_policy_document.d", "IDENTITY_POLICY", "read"],
  ]);
});

test("statements that are the value of an expression are not read", async () => {
  const places = await read(document("  statement = flatten(var.statements)"));
  expect(places).toEqual([["data.aws_iam_policy_document.d", null, "not_read"]]);
});

it.each([
  ["aws_cloudfront_distribution", 'viewer_protocol_policy = "allow-all"', []],
  ["aws_sqs_queue", "policy = var.policy", [["aws_sqs_queue.x", null, "not_read"]]],
])("a syntax error in a block of %s", async (type, body, places) => {
  expect(await read(`resource "${type}" "x" {\n  ${body}\n  a = = [\n}\n`)).toEqual(places);
});

test("files of OpenTofu are read as those of Terraform", async () => {
  const text = `resource "aws_iam_policy" "p" {\n  policy = jsonencode({ Statement = [] })\n}\n`;
  const places = (await placesIn(terraformFile, text, "main.tofu")) ?? [];
  expect(places.map(({ address }) => address)).toEqual(["aws_iam_policy.p.policy"]);
});

test("policies and statements in inputs of Terragrunt are read", async () => {
  const text = `locals {
  bucket = "arn:aws:s3:::jobs"
}
inputs = {
  name   = "jobs"
  policy = jsonencode({
    Statement = [{ Effect = "Allow", Action = "s3:GetObject", Resource = "\${local.bucket}/*" }]
  })
  policy_statements = [{ actions = ["s3:*"], resources = ["*"] }]
}
`;
  const places = (await placesIn(terraformFile, text, "live/terragrunt.hcl")) ?? [];
  expect(places.map(({ address, line }) => [address, line])).toEqual([
    ["inputs.policy", 6],
    ["inputs.policy_statements", 9],
  ]);
  expect(places[0]?.documents).toMatchObject([
    { Statement: [{ Resource: "arn:aws:s3:::jobs/*" }] },
  ]);
  expect(await placesIn(terraformFile, text, "live/nomad.hcl")).toBeNull();
});
