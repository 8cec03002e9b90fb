import { defineConfig } from "vitest/config";

const vectors = process.env.VALIDATOR_VECTORS_DIR;

export default defineConfig({
  test: {
    // By default one core is left free, which on two cores doubles the time of the suites.
    maxWorkers: "100%",
    projects: [
      {
        test: {
          name: "unit",
          include: ["src/**/*.test.ts", "spec/**/*.test.ts", "test/judged/**/*.test.ts"],
          testTimeout: 20_000,
        },
      },
      {
        test: {
          name: "contract",
          include: ["test/contract/**/*.test.ts"],
          globalSetup: ["test/contract/global-setup.ts"],
          testTimeout: 30_000,
          // Servers start in hooks, which takes ten times as long on a busy machine.
          hookTimeout: 60_000,
        },
      },
      {
        // The suites of the wire once more, behind function events.
        test: {
          name: "contract-function",
          include: ["test/contract/{health,http,limits-transport,protocol,scopes}.test.ts"],
          env: { VALIDATOR_TARGET: "function" },
          testTimeout: 30_000,
          hookTimeout: 60_000,
        },
      },
      {
        // The fuzzer itself: each planted defect must be found.
        test: { name: "fuzz", include: ["fuzz/**/*.test.ts"], testTimeout: 300_000 },
      },
      {
        test: {
          name: "vectors",
          include: ["test/vectors/**/*.test.ts"],
          env: vectors ? { VALIDATOR_VECTORS_DIR: vectors } : {},
        },
      },
      {
        // The pages of the login in a real browser: Chromium of the system.
        test: { name: "browser", include: ["test/browser/**/*.test.ts"], testTimeout: 60_000 },
      },
      {
        test: {
          name: "e2e",
          include: ["test/e2e/**/*.test.ts"],
          globalSetup: ["test/e2e/global-setup.ts"],
          env: { TESTCONTAINERS_RYUK_DISABLED: "true" },
          testTimeout: 120_000,
          hookTimeout: 600_000,
        },
      },
    ],
  },
});
