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

  const encoded = (action: string) =>
    `jsonencode({ Statement = [{ Effect = "Allow", Action = "${action}", Resource = "*" }] })`;
  const actionsOf = (places: Awaited<ReturnType<typeof read>>) =>
    places.map(({ address, type, state, documents }) => [
      address,
      type,
      state === "read" ? /"Action":\[?"([^"]*)"/.exec(JSON.stringify(documents))?.[1] : state,
    ]);

  it("follows a reference to a part of a local, and reports the other parts", async () => {
    const parts = `locals {\n  policies = {\n    a = ${encoded("a:A")}\n    "b" = ${encoded("b:B")}\n    c = [${encoded("c:C")}]\n  }\n}\n`;
    const policy = (name: string, expression: string) =>
      `resource "aws_iam_policy" "${name}" {\n  policy = ${expression}\n}\n`;
    const used = policy("x", "local.policies.b") + policy("y", 'local.policies["c"][0]');
    expect(actionsOf(await read(parts + used))).toEqual([
      ["local.policies.a", null, "a:A"],
      ["aws_iam_policy.x.policy", "IDENTITY_POLICY", "b:B"],
      ["aws_iam_policy.y.policy", "IDENTITY_POLICY", "c:C"],
    ]);
    const missing = policy("x", "local.policies.none") + policy("y", "local.policies[var.name]");
    expect(actionsOf(await read(missing, parts))).toEqual([
      ["aws_iam_policy.x.policy", "IDENTITY_POLICY", "not_read"],
      ["aws_iam_policy.y.policy", "IDENTITY_POLICY", "not_read"],
    ]);
  });

  it("finds a policy in an argument of merge", async () => {
    const text = `module "jobs" {\n  settings = merge(var.all, tomap({ policy = ${encoded("a:A")} }))\n}\n`;
    expect(actionsOf(await read(text))).toEqual([["module.jobs.settings.policy", null, "a:A"]]);
  });

  it("gives each document in a local the type of its use", async () => {
    const docs = `locals {\n  docs = {\n    trust = data.aws_iam_policy_document.trust.json\n    jobs  = data.aws_iam_policy_document.jobs.json\n  }\n}\n`;
    const uses = `resource "aws_iam_role" "r" {\n  assume_role_policy = local.docs.trust\n}\nresource "aws_iam_role_policy" "p" {\n  policy = local.docs["jobs"]\n}\n`;
    const places = await read(document("trust") + document("jobs"), docs, uses);
    expect(places.map(({ address, type }) => [address, type])).toEqual([
      ["data.aws_iam_policy_document.trust", "TRUST_POLICY"],
      ["data.aws_iam_policy_document.jobs", "IDENTITY_POLICY"],
    ]);
  });

  it("reads each policy that for_each gives", async () => {
    const each = (values: string, member: string) =>
      `resource "aws_iam_policy" "p" {\n  for_each = ${values}\n  policy = each.value${member}\n}\n`;
    const map = `{ a = { policy = ${encoded("a:A")} }, b = { policy = data.aws_iam_policy_document.jobs.json } }`;
    for (const text of [
      `${each("local.all", ".policy")}locals {\n  all = ${map}\n}\n`,
      each(map, '["policy"]'),
    ]) {
      const places = actionsOf(await read(text + document("jobs")));
      expect(places.toSorted()).toEqual([
        ["aws_iam_policy.p.policy", "IDENTITY_POLICY", "a:A"],
        ["data.aws_iam_policy_document.jobs", "IDENTITY_POLICY", "s3:GetObject"],
      ]);
    }
    for (const values of ["var.all", "local.cycle", "{}", `{ a = { policy = var.p } }`]) {
      const text = each(values, ".policy");
      const places = await read(
        text,
        "locals {\n  cycle = local.other\n  other = local.cycle\n}\n",
      );
      expect(actionsOf(places)).toEqual([
        ["aws_iam_policy.p.policy", "IDENTITY_POLICY", "not_read"],
      ]);
    }
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
    // A link to another file is text where the file system has no links.
    const link = "../common/variables.tf";
    const beside = await read(document("jobs"), link, role);
    expect(beside).toMatchObject([{ type: "IDENTITY_POLICY", state: "read" }]);
  });
});

describe("white space that takes the parser too long", () => {
  const spaces = `resource "aws_sqs_queue" "q" {\n  name = ${"\n".repeat(20_000)}"q"\n}\n`;

  it("makes a file one that is not read", async () => {
    expect(await read(`${document("jobs")}${spaces}`)).toMatchObject([
      { state: "not_read", reason: "The file has more white space in a row than can be parsed." },
    ]);
  });

  it("leaves out the other files of the folder that have it", async () => {
    const places = await read(document("jobs"), spaces, locals);
    expect(places).toMatchObject([
      { documents: [{ Statement: [{ Resource: ["arn:aws:s3:::jobs/*"] }] }] },
    ]);
  });

  it("is none that people write: blank lines, aligned values and deep indentation", async () => {
    const lines = `${" ".repeat(63)}# a note\n\n\n${" ".repeat(80)}# another\n`;
    expect(await read(`${lines.repeat(200)}${document("jobs")}`, locals)).toHaveLength(1);
  });
});
