import { defineConfig } from "vitest/config";
import { groups } from "./groups.ts";

const group = groups[process.env.MUTATION_GROUP ?? ""];

export default defineConfig({
  test: {
    include: [...(group?.tests ?? [])],
    testTimeout: 60_000,
    setupFiles: group?.constants ? ["mutation/load-first.ts"] : [],
    // The one that names the change comes first.
    sequence: { setupFiles: "list" },
  },
});
