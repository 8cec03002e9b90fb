import { expect, it } from "vitest";
import { openText } from "./open.ts";

const statement = '{ Effect = "Allow", Action = "s3:GetObject", Resource = "arn:aws:s3:::a/*" }';
const policy = (document: string) => `resource "aws_iam_policy" "p" {\n  policy = ${document}\n}\n`;
const encoded = (statements: string) =>
  policy(`jsonencode({ Version = "2012-10-17", Statement = ${statements} })`);

it.each([
  ["a variable", encoded("var.statements"), "main.tf"],
  ["a loop over a variable", encoded(`[for one in var.all : ${statement}]`), "main.tf"],
  ["a variable beside a statement", encoded(`concat([${statement}], var.more)`), "main.tf"],
  ["a text", policy('<<EOT\n{"Statement": ${jsonencode(var.statements)}}\nEOT'), "main.tf"],
  [
    "a placeholder of a template",
    '{"Statement": [{"Effect": "Allow", "Action": "s3:GetObject", "Resource": "*"}, ${more}]}',
    "p.json.tftpl",
  ],
  [
    "a function of CloudFormation",
    "Resources: {P: {Type: AWS::IAM::ManagedPolicy, Properties: {PolicyDocument: {Statement: [!Ref A]}}}}",
    "template.yaml",
  ],
])("a policy whose statements are the value of %s is read in part", async (_title, text, name) => {
  const [place] = (await openText({ text, name }))?.places ?? [];
  expect(place?.state).toBe("partly_read");
  expect(place?.reason).toContain("A statement is the value of");
});

it("a policy whose statements are known is read", async () => {
  const text = encoded(`[${statement}]`);
  const [place] = (await openText({ text, name: "main.tf" }))?.places ?? [];
  expect(place?.state).toBe("read");
});
