import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { diskCache, makeFolder, replaceFile } from "./disk-cache.ts";

let base: string;
beforeEach(async () => {
  base = await mkdtemp(join(tmpdir(), "make-folder-"));
});
afterEach(() => rm(base, { recursive: true }));

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

describe("a cache on disk", () => {
  let warnings: [object, string][] = [];
  beforeEach(() => {
    warnings = [];
  });
  const log = { warn: (...said: [object, string]) => void warnings.push(said), info: () => {} };

  test("keeps a text with the time of writing, and none that was not written", async () => {
    const cache = diskCache(join(base, "cache/below"), log);
    expect(await cache.read("a")).toBeUndefined();
    await cache.write("a", "first");
    await cache.write("a", "second");
    const { mtimeMs } = await stat(join(base, "cache/below/a.json"));
    expect(await cache.read("a")).toEqual({ text: "second", writtenAt: mtimeMs });
    expect(await cache.read("b")).toBeUndefined();
    expect(warnings).toEqual([]);
  });

  test("without a folder keeps nothing", async () => {
    const cache = diskCache(null, log);
    await cache.write("a", "text");
    expect(await cache.read("a")).toBeUndefined();
    expect(warnings).toEqual([]);
  });

  test("warns once while it cannot write, and again after it could", async () => {
    const folder = join(base, "taken");
    await writeFile(folder, "");
    const cache = diskCache(folder, log);
    await cache.write("a", "text");
    await cache.write("a", "text");
    expect(warnings).toEqual([
      [{ reason: expect.stringContaining("EEXIST") }, "the cache directory is not writable"],
    ]);
    await rm(folder);
    await cache.write("a", "text");
    await rm(folder, { recursive: true });
    await writeFile(folder, "");
    await cache.write("a", "text");
    expect(warnings).toHaveLength(2);
  });
});

test("a file is replaced as a whole; if that fails, the old one stays and no part is left", async () => {
  const folder = join(base, "replaced");
  await mkdir(join(folder, "inner"), { recursive: true });
  await replaceFile(join(folder, "a"), "one");
  await replaceFile(join(folder, "a"), "two");
  expect(await readFile(join(folder, "a"), "utf8")).toBe("two");
  await expect(replaceFile(join(folder, "inner"), "text")).rejects.toThrow();
  expect((await readdir(folder)).sort()).toEqual(["a", "inner"]);
});
