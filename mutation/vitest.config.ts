import { globSync } from "node:fs";
import { resolve } from "node:path";
import { defineConfig } from "vitest/config";
import { groups } from "./groups.ts";

const group = groups[process.env.MUTATION_GROUP ?? ""];

export default defineConfig({
  test: {
    include: [...(group?.tests ?? [])],
    testTimeout: 60_000,
    // Modules that a test loads late would count as noticed by that test alone.
    setupFiles: group?.constants ? globSync([...group.mutate]).map((path) => resolve(path)) : [],
    sequence: { setupFiles: "list" },
  },
});
