import { defineConfig } from "vitest/config";
import { groups } from "./groups.ts";

const group = groups[process.env.MUTATION_GROUP ?? ""];

export default defineConfig({
  test: {
    include: group?.tests.filter((path) => !path.startsWith("!")) ?? [],
    exclude: group?.tests.flatMap((path) => (path.startsWith("!") ? [path.slice(1)] : [])) ?? [],
    testTimeout: 60_000,
    env: { VALIDATOR_LOGIN_TARGETS: "in process" },
    setupFiles: group?.constants ? ["mutation/load-first.ts"] : [],
    // The one that names the change comes first.
    sequence: { setupFiles: "list" },
  },
});
