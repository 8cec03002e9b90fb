/**
 * npm runs this script after `npm ci` and when it packs the package. It builds only where npm packs the package from its
 * Git repository, as pre-commit does: npm runs no `prepack` there, and the repository has no `dist`.
 */
import { execSync } from "node:child_process";
import { existsSync } from "node:fs";

const isPacked = Boolean(process.env.npm_package_resolved);
if (isPacked && !existsSync("dist/bundle/cli.js")) {
  // With `npm install --global` the settings of that command reach this one, and npm (11.19) has not installed the
  // dependencies of the clone.
  const env = Object.fromEntries(
    Object.entries(process.env).filter(
      ([name]) => !/^npm_config_(global|prefix|location)$/i.test(name),
    ),
  );
  const run = (command) => execSync(command, { stdio: "inherit", env });
  if (!existsSync("node_modules/rolldown")) run("npm ci --include=dev --no-audit --no-fund");
  run("npm run build");
}
