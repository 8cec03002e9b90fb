import { mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { replaceFile } from "./replace-file.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "replace-"));
});
afterEach(() => rm(folder, { recursive: true }));

test("a file is replaced as a whole and keeps its mode", async () => {
  const path = join(folder, "a");
  await writeFile(path, "old", { mode: 0o604 });
  expect(await replaceFile(path, Buffer.from("old"), Buffer.from("new"))).toBe(true);
  expect(await readFile(path, "utf8")).toBe("new");
  expect((await stat(path)).mode & 0o777).toBe(0o604);
  expect(await readdir(folder)).toEqual(["a"]);
});

test("a file that changed since it was read is left alone", async () => {
  const path = join(folder, "a");
  await writeFile(path, "newer");
  expect(await replaceFile(path, Buffer.from("old"), Buffer.from("new"))).toBe(false);
  expect(await readFile(path, "utf8")).toBe("newer");
  expect(await readdir(folder)).toEqual(["a"]);
});
