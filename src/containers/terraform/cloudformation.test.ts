import { describe, expect, it } from "vitest";
import { placesIn, type ShownPlace } from "../../../test/support/container-places.ts";
import { terraformFile } from "./file.ts";
import { terraformPlan } from "./plan.ts";

const read = async (text: string): Promise<ShownPlace[]> =>
  (await placesIn(terraformFile, text, "main.tf")) ?? [];

const only = async (text: string): Promise<ShownPlace> => {
  const places = await read(text);
  expect(places).toHaveLength(1);
  return places[0] as ShownPlace;
};

describe("templates and providers of CloudFormation in Terraform", () => {
  const trust =
    '{ Statement = [{ Effect = "Allow", Action = "sts:AssumeRole", Principal = { Service = "ec2.amazonaws.com" } }] }';

  it("reads the template of a stack, in the lines of the file", async () => {
    const body = [
      'resource "aws_cloudformation_stack" "s" {',
      "  template_body = <<EOT",
      "Resources:",
      "  Role:",
      "    Type: AWS::IAM::Role",
      "    Properties:",
      "      AssumeRolePolicyDocument: {Statement: []}",
      "EOT",
      "}",
    ].join("\n");
    const place = await only(body);
    expect(place).toMatchObject({
      address:
        "aws_cloudformation_stack.s.template_body Resources.Role.Properties.AssumeRolePolicyDocument",
      type: "TRUST_POLICY",
      documents: [{ Statement: [] }],
    });
    const [alternative] = place.place.alternatives;
    expect(body.slice(alternative?.root?.start, alternative?.root?.end)).toBe("{Statement: []}");
  });

  it("reads an encoded template, and says that one in another file was not read", async () => {
    const resources = `{ Resources = { R = { Type = "AWS::IAM::Role", Properties = { AssumeRolePolicyDocument = ${trust} } } } }`;
    const stack = (body: string) =>
      `resource "aws_cloudformation_stack_set" "s" {\n template_body = ${body}\n}\n`;
    expect(await only(stack(`jsonencode(${resources})`))).toMatchObject({ type: "TRUST_POLICY" });
    expect(await only(stack('file("stack.yaml")'))).toMatchObject({ state: "not_read" });
  });

  it("reads the resources of the provider awscc, also in lists of objects", async () => {
    const places = await read(`resource "awscc_iam_role" "r" {
  assume_role_policy_document = jsonencode(${trust})
  policies = [{
    policy_name     = "read"
    policy_document = jsonencode({ Statement = [] })
  }]
}
`);
    expect(places.map(({ address, type, line }) => [address, type, line])).toEqual([
      ["awscc_iam_role.r.assume_role_policy_document", "TRUST_POLICY", 2],
      ["awscc_iam_role.r.policies[0].policy_document", "IDENTITY_POLICY", 5],
    ]);
  });

  it.each([
    ["is read", {}, "read"],
    ["is not read where it is sensitive", { after_sensitive: { template_body: true } }, "not_read"],
    [
      "is not read where it is known after apply",
      { after: {}, after_unknown: { template_body: true } },
      "not_read",
    ],
  ])("the template of a stack in a plan %s", async (_title, change, state) => {
    const body = {
      Resources: {
        Key: { Type: "AWS::KMS::Key", Properties: { KeyPolicy: { Statement: [] } } },
      },
    };
    const after = { template_body: JSON.stringify(body) };
    const plan = {
      format_version: "1.2",
      planned_values: {},
      resource_changes: [
        {
          address: "aws_cloudformation_stack.s",
          mode: "managed",
          type: "aws_cloudformation_stack",
          change: { actions: ["create"], after, ...change },
        },
      ],
    };
    const places = await placesIn(terraformPlan, JSON.stringify(plan));
    expect(places).toMatchObject([{ state }]);
  });
});
