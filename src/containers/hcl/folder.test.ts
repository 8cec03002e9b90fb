import { describe, expect, it } from "vitest";
import { placesIn } from "../../../test/support/container-places.ts";
import type { TextNode } from "../../json/text-tree.ts";
import { terraformFile } from "../terraform/file.ts";

const statement = '{ Effect = "Allow", Action = "s3:GetObject", Resource = local.objects }';
const document = (name: string) => `data "aws_iam_policy_document" "${name}" {
  statement {
    actions   = ["s3:GetObject"]
    resources = [local.objects]
  }
}
`;
const role = `resource "aws_iam_role_policy" "jobs" {
  policy = data.aws_iam_policy_document.jobs.json
}
`;
const locals = `locals {
  objects = "arn:aws:s3:::jobs/*"
  shared  = jsonencode({ Statement = [${statement}] })
}
`;

const read = async (text: string, ...neighbours: string[]) =>
  (await placesIn(terraformFile, text, "main.tf", neighbours)) ?? [];

describe("the files of a folder are one module", () => {
  it("takes the type of a document from the file that uses it", async () => {
    const [alone] = await read(document("jobs"));
    expect(alone).toMatchObject({ type: null });
    const [place, ...others] = await read(document("jobs"), locals, role);
    expect(others).toEqual([]);
    expect(place).toMatchObject({
      address: "data.aws_iam_policy_document.jobs",
      type: "IDENTITY_POLICY",
      line: 1,
      documents: [{ Statement: [{ Resource: ["arn:aws:s3:::jobs/*"] }] }],
    });
  });

  it("has a document once: in the file that declares it", async () => {
    expect(await read(role)).toMatchObject([{ state: "not_read" }]);
    expect(await read(role, document("jobs"))).toEqual([]);
  });

  it("gives a document in a local of another file the place of its use", async () => {
    const policy = 'resource "aws_iam_policy" "p" {\n  policy = local.shared\n}\n';
    const [place] = await read(policy, locals);
    expect(place).toMatchObject({ state: "read", line: 2, type: "IDENTITY_POLICY" });
    expect(place?.documents).toMatchObject([{ Statement: [{ Resource: "arn:aws:s3:::jobs/*" }] }]);
    expect(await read(locals, policy)).toEqual([]);
  });

  it("keeps every position within the file", async () => {
    const [place] = await read(document("jobs"), locals, role);
    const [alternative] = place?.place.alternatives ?? [];
    const ends: number[] = [];
    const visit = ({ end, items, members }: TextNode): void => {
      ends.push(end);
      for (const item of items ?? []) visit(item);
      for (const { value } of members?.values() ?? []) visit(value);
    };
    if (alternative?.root) visit(alternative.root);
    expect(ends.length).toBeGreaterThan(5);
    expect(Math.max(...ends)).toBeLessThanOrEqual(document("jobs").length);
  });

  it("reads a file beside one with a syntax error, and reports none of its blocks", async () => {
    const broken = 'resource "aws_iam_policy" "b" {\n  policy = {\n';
    const places = await read(document("jobs"), locals, broken, role);
    expect(places).toMatchObject([{ type: "IDENTITY_POLICY", state: "read" }]);
  });
});
