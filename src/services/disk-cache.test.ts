import { mkdtemp, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeFolder } from "./disk-cache.ts";

let base: string;
beforeAll(async () => {
  base = await mkdtemp(join(tmpdir(), "make-folder-"));
});
afterAll(() => rm(base, { recursive: true }));

describe("a folder is made", () => {
  test("with all those above it", async () => {
    await makeFolder(join(base, "a/b/c"));
    expect((await stat(join(base, "a/b/c"))).isDirectory()).toBe(true);
  });

  test("once, however often it is asked for", async () => {
    const path = join(base, "many/times");
    await Promise.all([makeFolder(path), makeFolder(path), makeFolder(path)]);
    expect((await stat(path)).isDirectory()).toBe(true);
  });
});

describe("refused, and not tried for ever", () => {
  test("where a file is in the way", async () => {
    await writeFile(join(base, "file"), "");
    await expect(makeFolder(join(base, "file"))).rejects.toThrow("EEXIST");
    await expect(makeFolder(join(base, "file/inside"))).rejects.toThrow("ENOTDIR");
  });

  test.runIf(process.platform === "linux")("where the system can hold none", () =>
    expect(makeFolder("/proc/no/such")).rejects.toThrow("ENOENT"),
  );
});
