import { readdir } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { isOfModule } from "../containers/source.ts";
import { readText } from "./read-text.ts";

/** More files, or more text, of one folder are not read with a file. */
const maxFiles = 200;
const maxBytes = 1_000_000;

/**
 * The other Terraform files of a file's folder: Terraform reads a folder as one module. Keeps the texts of
 * the last folder, because its files come one after another.
 */
export class TerraformFolder {
  #folder: string | null = null;
  #texts: ReadonlyMap<string, string> = new Map();

  /** @returns The texts of the other files; none if the folder has too many or cannot be read. */
  async neighboursOf(path: string | null): Promise<readonly string[]> {
    if (path === null || !isOfModule(path)) return [];
    const folder = dirname(path);
    if (folder !== this.#folder) {
      this.#texts = await textsIn(folder);
      this.#folder = folder;
    }
    const own = basename(path);
    return [...this.#texts].flatMap(([name, text]) => (name === own ? [] : [text]));
  }
}

/** @returns The texts of a folder's Terraform files by name; none if there are too many or it cannot be read. */
export async function textsIn(folder: string): Promise<ReadonlyMap<string, string>> {
  const texts = new Map<string, string>();
  const names = await readdir(folder).catch(() => []);
  const found = names.filter(isOfModule).sort();
  if (found.length > maxFiles) return texts;
  let left = maxBytes;
  for (const name of found) {
    const path = join(folder, name);
    // A file that cannot be read gets its own finding if it is validated itself.
    const read = await readText({ path, label: name, place: path, named: false }, left);
    if ("fault" in read) continue;
    texts.set(name, read.text);
    left -= Buffer.byteLength(read.text);
  }
  return texts;
}
