import { existsSync } from "node:fs";
import { registerHooks } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { packageRoot } from "../package-root.ts";

/** The API that checks import. */
const api = "validator-mcp/check";

let registered = false;

/**
 * Lets modules in any folder import the check API and Zod. Modules beside a config that is mounted
 * into a container have no `node_modules` in a parent folder. A module's normal resolution is tried first.
 */
export function provideCheckApi(): void {
  if (registered) return;
  registered = true;
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
