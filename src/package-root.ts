import { existsSync } from "node:fs";
import { dirname, join } from "node:path";

/**
 * Folder of this package's `package.json`. Its depth differs between `src/` and `dist/`.
 * @throws {Error} If no parent folder has one.
 */
export function packageRoot(from: string = import.meta.dirname): string {
  for (let folder = from; ; folder = dirname(folder)) {
    if (existsSync(join(folder, "package.json"))) return folder;
    if (dirname(folder) === folder) throw new Error(`No package.json above ${from}.`);
  }
}
