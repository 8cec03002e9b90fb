import { globSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { groups } from "../../mutation/groups.ts";

const cwd = join(import.meta.dirname, "../..");

test("every file of this folder is in a mutation group", () => {
  const patterns = Object.values(groups).flatMap(({ mutate }) => mutate);
  const mutated = new Set(globSync(patterns, { cwd }));
  const files = globSync("src/access/*.ts", { cwd }).filter((file) => !file.endsWith(".test.ts"));
  expect(files.filter((file) => !mutated.has(file))).toEqual([]);
});
