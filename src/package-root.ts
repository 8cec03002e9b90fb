import { existsSync } from "node:fs";
import { dirname, join } from "node:path";

/**
 * Folder of this package's `package.json`: two levels up when the sources run, three when `dist/`
 * does.
 * @throws {Error} When there is none, i.e. the package was taken apart.
 */
export function packageRoot(from: string = import.meta.dirname): string {
  for (let folder = from; ; folder = dirname(folder)) {
    if (existsSync(join(folder, "package.json"))) return folder;
    if (dirname(folder) === folder) throw new Error(`No package.json above ${from}.`);
  }
}
