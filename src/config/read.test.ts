import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { parseConfigText, readConfigFile } from "./read.ts";

describe("a config file that would take the parser long is refused before it is parsed", () => {
  test.each([
    ["flow mappings", `a: [${"{a: 1},".repeat(10_000)}]`],
    ["lines", "- 1\n".repeat(31_000)],
    ["nested lists", "[".repeat(31_000)],
    ["explicit keys", "? ".repeat(31_000)],
  ])("%s", async (_, text) => {
    await expect(parseConfigText(text, "c.yaml")).rejects.toMatchObject({
      kind: "config_unreadable",
      message: expect.stringContaining("too many values"),
    });
  });

  test("over 256 KiB", async () => {
    const folder = await mkdtemp(join(tmpdir(), "validator-config-"));
    try {
      const path = join(folder, "c.yaml");
      await writeFile(path, `a: ${"x".repeat(256 * 1024 - 3)}`);
      expect((await readConfigFile(path)).value).toBeTypeOf("object");
      await writeFile(path, `a: ${"x".repeat(256 * 1024 - 2)}`);
      await expect(readConfigFile(path)).rejects.toThrow("262144 bytes");
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});

test("a key that stands twice is refused with its place, at any depth", async () => {
  await expect(parseConfigText("a:\n  b: 1\n  b: 2\n", "c.yaml")).rejects.toThrow(
    "line 3, column 3: Map keys must be unique",
  );
  await expect(parseConfigText("a: { b: 1, 'b': 2 }", "c.yaml")).rejects.toThrow("unique");
});
