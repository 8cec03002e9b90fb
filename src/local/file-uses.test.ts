import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { FileUses } from "./file-uses.ts";

let root = "";
beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), "file-uses-")));
});
afterEach(() => rm(root, { recursive: true }));

async function write(name: string, text: string): Promise<string> {
  const path = join(root, name);
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
  return path;
}

const resource = (type: string, body: string) => `resource "${type}" "x" {\n  ${body}\n}\n`;
const typesOf = async (base: string | undefined, ...names: string[]) => {
  const uses = new FileUses([], base);
  return Promise.all(names.map((name) => uses.typeOf(join(root, name))));
};

it("takes the type of a policy file from the argument that reads it", async () => {
  const parts = [
    resource("aws_iam_role", 'assume_role_policy = file("${path.module}/trust.json")'),
    resource("aws_s3_bucket_policy", 'policy = templatefile("policies/bucket.tftpl", { b = 1 })'),
    resource("aws_iam_policy", "policy = data.template_file.jobs.rendered"),
    'data "template_file" "jobs" {\n  template = "${file("${path.module}/policies/jobs.json")}"\n}\n',
    resource("aws_organizations_policy", "content = data.local_file.scp.content"),
    'data "local_file" "scp" {\n  filename = "./scp.json"\n}\n',
    resource("aws_sqs_queue", 'redrive_policy = file("redrive.json")'),
  ];
  await write("main.tf", parts.slice(0, 3).join(""));
  await write("data.tf", parts.slice(3).join(""));
  const names = ["trust.json", "policies/bucket.tftpl", "policies/jobs.json", "scp.json"];
  expect(await typesOf(root, ...names, "redrive.json", "other.json")).toEqual([
    "TRUST_POLICY",
    "RESOURCE_POLICY",
    "IDENTITY_POLICY",
    "SERVICE_CONTROL_POLICY",
    null,
    null,
  ]);
});

it("follows locals, for_each and documents that merge others", async () => {
  await write(
    "main.tf",
    `locals {\n  trust = file("trust.json")\n  all = { a = { policy = file("a.json") } }\n}\n` +
      resource("aws_iam_role", "assume_role_policy = local.trust") +
      resource("aws_iam_policy", "for_each = local.all\n  policy = each.value.policy") +
      resource("aws_vpc_endpoint", "policy = data.aws_iam_policy_document.d.json") +
      'data "aws_iam_policy_document" "d" {\n  source_policy_documents = [file("base.json")]\n}\n',
  );
  expect(await typesOf(root, "trust.json", "a.json", "base.json")).toEqual([
    "TRUST_POLICY",
    "IDENTITY_POLICY",
    "ENDPOINT_POLICY",
  ]);
});

it("takes an unknown part of a path as one name, and prefers a whole path", async () => {
  await write(
    "main.tf",
    resource("aws_organizations_policy", 'content = file("${path.module}/scps/${each.key}.json")') +
      resource("aws_iam_policy", 'policy = file("${var.folder}")') +
      resource("aws_iam_user_policy", 'policy = file("scps/user.json")'),
  );
  expect(await typesOf(root, "scps/a.json", "scps/b/a.json", "scps/user.json", "x.json")).toEqual([
    "SERVICE_CONTROL_POLICY",
    null,
    "IDENTITY_POLICY",
    null,
  ]);
});

it("reads a path of many unknown parts beside a long name", async () => {
  const parts = Array.from({ length: 8 }, (_, at) => `\${var.p${at}}`).join("");
  await write("main.tf", resource("aws_iam_policy", `policy = file("ids/${parts}.json")`));
  const long = "a".repeat(60);
  expect(await typesOf(root, `ids/${long}.json`, `ids/${long}.text`, "ids/short.json")).toEqual([
    "IDENTITY_POLICY",
    null,
    null,
  ]);
});

it("knows the files of fileset", async () => {
  await write(
    "main.tf",
    `locals {\n  folder = "ids"\n  files = fileset("\${path.module}/rules", "**/*.json")\n` +
      `  rules = { for f in local.files : f => { text = file("\${path.module}/rules/\${f}") } }\n}\n` +
      resource(
        "aws_organizations_policy",
        'for_each = fileset(path.root, "${var.folder}/*.json")\n  content = file(each.value)',
      ) +
      resource(
        "aws_iam_policy",
        'for_each = toset(fileset(local.folder, "*"))\n  policy = file("ids/${each.key}")',
      ) +
      resource("aws_vpc_endpoint", "for_each = local.rules\n  policy = each.value.text"),
  );
  const names = ["scps/a.json", "scps/b/a.json", "a.json", "ids/a.json", "rules/x/y.json"];
  expect(await typesOf(root, ...names)).toEqual([
    "SERVICE_CONTROL_POLICY",
    null,
    null,
    null,
    "ENDPOINT_POLICY",
  ]);
});

it("counts the files of a fileset once for many calls that read an entry", async () => {
  const { fileUsesIn } = await import("../containers/hcl/file-uses.ts");
  const sets = ["a", "b"].map((folder) => `fileset(path.module, "${folder}/*.json")`).join(", ");
  const calls = Array.from({ length: 30 }, () => "file(each.value)").join(", ");
  const body = `for_each = setunion(${sets})\n  policy = coalesce(${calls})`;
  expect(await fileUsesIn([resource("aws_iam_policy", body)])).toHaveLength(2);
});

it("says nothing where two uses differ", async () => {
  await write(
    "main.tf",
    resource("aws_iam_role", 'assume_role_policy = file("a.json")') +
      resource("aws_iam_policy", 'policy = file("a.json")'),
  );
  expect(await typesOf(root, "a.json")).toEqual([null]);
});

it("reads no folder above the base, and every folder whose Terraform files are validated", async () => {
  const main = await write(
    "stack/main.tf",
    resource("aws_iam_role", 'assume_role_policy = file("p/a.json")'),
  );
  const other = await write(
    "other/main.tf",
    resource("aws_iam_role", 'assume_role_policy = file("../p/b.json")'),
  );
  expect(await typesOf(root, "stack/p/a.json", "p/b.json")).toEqual(["TRUST_POLICY", null]);
  expect(await typesOf(join(root, "stack/p"), "stack/p/a.json")).toEqual([null]);
  expect(await typesOf(undefined, "stack/p/a.json")).toEqual([null]);
  const file = (path: string) => ({ label: path, path, place: path, named: true });
  const uses = new FileUses([file(main), file(other)], undefined);
  expect(await uses.typeOf(join(root, "p/b.json"))).toBe("TRUST_POLICY");
  expect(await uses.typeOf(join(root, "stack/p/a.json"))).toBe("TRUST_POLICY");
  expect(await uses.typeOf(main)).toBeNull();
});
