import { defineConfig } from "vitest/config";
import { groups } from "./groups.ts";

const group = groups[process.env.MUTATION_GROUP ?? ""];

export default defineConfig({
  test: { include: [...(group?.tests ?? [])], testTimeout: 30_000 },
});
