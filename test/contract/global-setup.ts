import { execFileSync } from "node:child_process";
import { rmSync } from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dirname, "../..");

/**
 * Builds the command once. Its processes start from the bundle, as users start it, in a third of the
 * time that they need from the sources. VALIDATOR_TEST_CLI names another file of the command.
 */
export function setup(): (() => void) | undefined {
  if (process.env.VALIDATOR_TEST_CLI) return;
  // Where the bundle finds its data and its packages, and Node the package's type: below `node_modules`
  // it would parse each file twice to find that it is a module.
  const folder = join(root, `dist/test-bundle-${process.pid}`);
  execFileSync(process.execPath, [join(root, "scripts/bundle.ts"), "--out", folder]);
  process.env.VALIDATOR_TEST_CLI = join(folder, "cli.js");
  process.env.VALIDATOR_TEST_COMPILED = join(folder, "compiled");
  return () => rmSync(folder, { recursive: true, force: true });
}
