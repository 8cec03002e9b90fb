import { execFileSync } from "node:child_process";
import { mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { PolicyType } from "../../spec/policy.ts";
import { bareRuntime } from "../../test/support/bare-runtime.ts";
import { typeByLabel } from "../policy/type-globs.ts";
import { validateFiles } from "./validate-files.ts";

let folder = "";
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "validate-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function faultsOf(path: string): Promise<string[]> {
  const { runtime } = bareRuntime();
  const limits = { declaredType: null, maxFileBytes: 1_000_000, maxDocuments: 10 };
  const validated = await validateFiles(
    [{ label: "a.json", path, place: path, named: true }],
    runtime,
    limits,
  );
  return validated.flatMap(({ findings }) => findings.map(({ message }) => message));
}

test("a file that became a link or a pipe after it was found is not read", async () => {
  const path = join(folder, "a.json");
  await writeFile(path, '{"Statement": []}');
  expect(await faultsOf(path)).toEqual([]);
  await writeFile(join(folder, "elsewhere"), "s3cr3t");
  await rm(path);
  await symlink(join(folder, "elsewhere"), path);
  expect(await faultsOf(path)).toEqual([
    "The file cannot be read (ELOOP), so it was not validated.",
  ]);
  await rm(path);
  execFileSync("mkfifo", [path]);
  expect(await faultsOf(path)).toEqual(["Not a regular file, so it was not validated."]);
});

test("a policy file has the type of its use in Terraform, unless the config has one for its name", async () => {
  const document = {
    Version: "2012-10-17",
    Statement: [{ Effect: "Deny", Action: "iam:*", Resource: "*" }],
  };
  await writeFile(join(folder, "a.json"), JSON.stringify(document));
  await writeFile(
    join(folder, "main.tf"),
    'resource "aws_organizations_policy" "p" {\n  content = file("${path.module}/a.json")\n}\n',
  );
  const typeBy = async (policy_types: readonly { pattern: string; type: PolicyType }[]) => {
    const { runtime } = bareRuntime();
    const typeByConfig = typeByLabel(policy_types);
    const path = join(folder, "a.json");
    const [one] = await validateFiles(
      [{ label: "a.json", path, place: path, named: true }],
      { ...runtime, engine: { ...runtime.engine, typeByConfig } },
      { declaredType: null, maxFileBytes: 1_000_000, maxDocuments: 10 },
    );
    return [one?.policy_type, one?.policy_type_source];
  };
  expect(await typeBy([])).toEqual(["SERVICE_CONTROL_POLICY", "container"]);
  const boundary = { pattern: "a.json", type: "PERMISSIONS_BOUNDARY" } as const;
  expect(await typeBy([boundary])).toEqual(["PERMISSIONS_BOUNDARY", "config-glob"]);
});

test("a document in another file of the run is reported there, once", async () => {
  const allow = { Effect: "Allow", Action: "s3:GetObject", Resource: "arn:aws:s3:::a/*" };
  await writeFile(
    join(folder, "a.json"),
    JSON.stringify({ Version: "2012-10-17", Statement: allow }),
  );
  await writeFile(
    join(folder, "main.tf"),
    'resource "aws_iam_policy" "p" {\n  policy = file("a.json")\n}\n' +
      'resource "aws_iam_policy" "q" {\n  policy = var.all ? var.policy : file("a.json")\n}\n',
  );
  const labelsIn = async (...names: string[]) => {
    const files = names.map((label) => {
      const path = join(folder, label);
      return { label, path, place: path, named: false };
    });
    const limits = { declaredType: null, maxFileBytes: 1_000_000, maxDocuments: 10 };
    const validated = await validateFiles(files, bareRuntime().runtime, limits);
    return validated.map(({ file, unwrapped }) => unwrapped?.address ?? file);
  };
  const [p, q] = ["aws_iam_policy.p.policy", "aws_iam_policy.q.policy"];
  expect(await labelsIn("a.json", "main.tf")).toEqual(["a.json", q, q]);
  expect(await labelsIn("main.tf")).toEqual([p, q, q]);
});
