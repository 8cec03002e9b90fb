import { existsSync } from "node:fs";
import { registerHooks } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { packageRoot } from "../package-root.ts";

/** What a check is written with, by the name it is imported under. */
const api = "validator-mcp/check";

let lent = false;

/**
 * Lets modules in any folder import what a check is written with: the API and Zod. Files beside a
 * config that is mounted into an image have no `node_modules` above them. What a module finds for
 * itself comes first.
 */
export function lendModules(): void {
  if (lent) return;
  lent = true;
  const root = packageRoot();
  const source = join(root, "src", "check.ts");
  const file = existsSync(source) ? source : join(root, "dist", "src", "check.js");
  const parentURL = pathToFileURL(join(root, "package.json")).href;
  registerHooks({
    resolve(specifier, context, next) {
      try {
        return next(specifier, context);
      } catch (error) {
        if (specifier === api) return next(pathToFileURL(file).href, context);
        if (/^zod(?:\/|$)/.test(specifier)) return next(specifier, { ...context, parentURL });
        throw error;
      }
    },
  });
}
