import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";

/** Each of them closes its msw server, and still a network error looks otherwise in the next (msw 3.0.5). */
const network = [
  "src/auth/providers/{gateway,jwt-providers,opaque-providers}.test.ts",
  "src/tools/{,local/}analyze-policy.test.ts",
];
const planted = ["fuzz/planted*.test.ts"];
/** Floods, faults and holds of the event loop: they wait or measure, so they take minutes. */
const load = ["test/contract/{floods,fault-*,loop-*}.test.ts"];
const packed = ["test/contract/package.test.ts"];
const contract = {
  globalSetup: ["test/contract/global-setup.ts"],
  // A test that takes 2 s alone took more than 30 s with both cores busy otherwise.
  testTimeout: 120_000,
  // Servers start in hooks, which takes ten times as long on a busy machine.
  hookTimeout: 60_000,
};
const vectors = process.env.VALIDATOR_VECTORS_DIR;

/** How long `expect.poll` waits: the default of 1 s is too short on busy cores. */
const poll = { timeout: 15_000 };
/** A test that asserts nothing cannot fail, so it fails. */
const expect = { requireAssertions: true, poll };

export default defineConfig({
  test: {
    // Many tests wait, for a process to start or for a time to pass: on two cores, three workers need
    // 370 s for `npm test`, two need 500 s.
    maxWorkers: Math.ceil(availableParallelism() * 1.5),
    // The files of a worker share their modules: most of a file's time was loading the same ones again.
    isolate: false,
    projects: [
      {
        test: {
          expect,
          name: "unit",
          include: ["src/**/*.test.ts", "spec/**/*.test.ts", "test/judged/**/*.test.ts"],
          exclude: network,
          testTimeout: 20_000,
        },
      },
      {
        test: {
          expect,
          name: "unit-network",
          include: network,
          isolate: true,
          testTimeout: 20_000,
        },
      },
      {
        test: {
          expect,
          name: "contract",
          include: ["test/contract/**/*.test.ts"],
          exclude: [...load, ...packed],
          ...contract,
        },
      },
      // Its tests run side by side, and then vitest counts the assertions of one for another.
      { test: { expect: { poll }, name: "load", include: load, ...contract } },
      // The package as npm installs it: it is built, packed and installed first.
      { test: { expect, name: "package", include: packed, ...contract } },
      {
        // The suites of the wire once more, behind function events.
        test: {
          expect,
          name: "contract-function",
          include: ["test/contract/{health,http,limits-transport,protocol,scopes}.test.ts"],
          env: { VALIDATOR_TARGET: "function" },
          testTimeout: 30_000,
          hookTimeout: 60_000,
        },
      },
      {
        // The laws that the fuzzer checks, on a fixed number of cases.
        test: {
          expect,
          name: "fuzz",
          include: ["fuzz/**/*.test.ts"],
          exclude: planted,
          testTimeout: 300_000,
        },
      },
      {
        // The fuzzer itself: it must find each planted defect. Two minutes, so not part of `npm test`.
        test: {
          expect,
          name: "fuzz-planted",
          include: planted,
          testTimeout: 300_000,
        },
      },
      {
        test: {
          expect,
          name: "vectors",
          include: ["test/vectors/**/*.test.ts"],
          env: vectors ? { VALIDATOR_VECTORS_DIR: vectors } : {},
        },
      },
      {
        // The pages of the login in a real browser: Chromium of the system.
        test: {
          expect,
          name: "browser",
          include: ["test/browser/**/*.test.ts"],
          testTimeout: 60_000,
        },
      },
      {
        // Clients of npm and PyPI, which the test installs.
        test: {
          expect,
          name: "clients",
          include: ["test/clients/**/*.test.ts"],
          testTimeout: 300_000,
          hookTimeout: 600_000,
        },
      },
      {
        test: {
          expect,
          name: "e2e",
          include: ["test/e2e/**/*.test.ts"],
          // Two files register the same suites of the wire, which a worker imports once.
          isolate: true,
          globalSetup: ["test/e2e/global-setup.ts"],
          env: { TESTCONTAINERS_RYUK_DISABLED: "true" },
          testTimeout: 120_000,
          hookTimeout: 600_000,
        },
      },
    ],
  },
});
