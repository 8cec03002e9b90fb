import { readFileSync } from "node:fs";
import { join } from "node:path";
import { packageRoot } from "./package-root.ts";

/** Build version, from the package's own manifest. */
export const version: string = JSON.parse(
  readFileSync(join(packageRoot(), "package.json"), "utf8"),
).version;
