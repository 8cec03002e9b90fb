import { execFileSync } from "node:child_process";
import { mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { bareRuntime } from "../../test/support/bare-runtime.ts";
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
