import { expect, it } from "vitest";
import { placesIn } from "../../../test/support/container-places.ts";
import { embeddedTemplates } from "./embedded.ts";
import { cloudformation } from "./index.ts";

const role = (by: number) =>
  `Type: AWS::IAM::Role
Properties:
  AssumeRolePolicyDocument:
    Statement:
      Effect: Allow
      Action: sts:AssumeRole
      Principal: { AWS: "\${self:custom.account}" }
`
    .replaceAll(/^(?=.)/gm, " ".repeat(by))
    .slice(by);

const found = async (text: string) => {
  const places = await placesIn(embeddedTemplates, text, "role.yml");
  return places?.map(({ address, type, line }) => [address, type, line]);
};

it("reads one resource, and resources alone", async () => {
  const address = "Properties.AssumeRolePolicyDocument";
  expect(await found(role(0))).toEqual([[address, "TRUST_POLICY", 4]]);
  const queue = "Queue:\n  Type: AWS::SQS::Queue\n";
  expect(await found(`${queue}Role:\n  ${role(2)}`)).toEqual([
    [`Role.${address}`, "TRUST_POLICY", 7],
  ]);
});

it("reads templates that are values of another file", async () => {
  const template = `Resources:\n      Role:\n        ${role(8)}`;
  const text = `- name: none\n  input: {}\n- name: one\n  input:\n    ${template}`;
  expect(await found(text)).toEqual([
    ["[1].input.Resources.Role.Properties.AssumeRolePolicyDocument", "TRUST_POLICY", 10],
  ]);
});

it("leaves variables of the Serverless Framework open, in whole templates too", async () => {
  const [alone] = (await placesIn(embeddedTemplates, role(0), "role.yml")) ?? [];
  const whole = `Resources:\n  Role:\n    ${role(4)}`;
  const [place] = (await placesIn(cloudformation, whole, "role.yml")) ?? [];
  expect(place?.documents).toEqual(alone?.documents);
  expect(JSON.stringify(place?.documents)).toContain("${self:custom.account}");
  expect(JSON.stringify(place?.place.alternatives)).not.toContain("self:custom");
  expect(place?.line).toBe(6);
});

it.each([
  ["a template", `Resources:\n  Role:\n    ${role(4)}`],
  ["resources of other tools", "Role:\n  Type: role\n  Properties: {}\n"],
  ["a list of types", "- Type: AWS::IAM::Role\n"],
  ["an event", "detail:\n  Type: AWS::IAM::Role\n"],
])("is not %s", async (_title, text) => {
  expect(await placesIn(embeddedTemplates, text, "a.yml")).toBeNull();
});
