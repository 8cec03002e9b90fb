import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { TerraformFolder } from "./terraform-folder.ts";

let root: string;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "terraform-folder-"));
  await mkdir(join(root, "other"));
  await writeFile(join(root, "main.tf"), "main");
  await writeFile(join(root, "iam.tf"), "iam");
  await writeFile(join(root, "notes.md"), "notes");
  await writeFile(join(root, "other/secret.tf"), "secret");
  await symlink(join(root, "other/secret.tf"), join(root, "link.tf"));
});
afterAll(() => rm(root, { recursive: true }));

it("has the other Terraform files of a folder, and follows no link", async () => {
  const folder = new TerraformFolder();
  expect(await folder.neighboursOf(join(root, "main.tf"))).toEqual(["iam"]);
  expect(await folder.neighboursOf(join(root, "iam.tf"))).toEqual(["main"]);
  expect(await folder.neighboursOf(join(root, "other/secret.tf"))).toEqual([]);
});

it("has none for other files, and for a folder that cannot be read", async () => {
  const folder = new TerraformFolder();
  expect(await folder.neighboursOf(join(root, "notes.md"))).toEqual([]);
  expect(await folder.neighboursOf(join(root, "missing/main.tf"))).toEqual([]);
  expect(await folder.neighboursOf(null)).toEqual([]);
});

it("reads a folder of 200 files, and nothing of a folder with more", async () => {
  const many = await mkdtemp(join(tmpdir(), "terraform-many-"));
  for (let number = 1; number <= 200; number++) await writeFile(join(many, `${number}.tf`), "x");
  expect(await new TerraformFolder().neighboursOf(join(many, "1.tf"))).toHaveLength(199);
  await writeFile(join(many, "201.tf"), "x");
  expect(await new TerraformFolder().neighboursOf(join(many, "1.tf"))).toEqual([]);
  await rm(many, { recursive: true });
});

it("leaves the file of Terragrunt out, whose locals are its own", async () => {
  const live = await mkdtemp(join(tmpdir(), "terragrunt-"));
  await writeFile(join(live, "terragrunt.hcl"), "locals {}");
  await writeFile(join(live, "a.tf"), "a");
  await writeFile(join(live, "b.tf"), "b");
  expect(await new TerraformFolder().neighboursOf(join(live, "a.tf"))).toEqual(["b"]);
  expect(await new TerraformFolder().neighboursOf(join(live, "terragrunt.hcl"))).toEqual([]);
  await rm(live, { recursive: true });
});

it("leaves a file out that is larger than what is read of a folder", async () => {
  const large = await mkdtemp(join(tmpdir(), "terraform-large-"));
  await writeFile(join(large, "a.tf"), "x".repeat(1_000_001));
  await writeFile(join(large, "b.tf"), "b");
  await writeFile(join(large, "c.tf"), "c");
  expect(await new TerraformFolder().neighboursOf(join(large, "c.tf"))).toEqual(["b"]);
  await rm(large, { recursive: true });
});
