import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A separate folder for a config file and what the file names. */
export interface ConfigFolder {
  /** @returns the path of the file written. */
  write(name: string, text: string): Promise<string>;
  remove(): Promise<void>;
}

export async function configFolder(): Promise<ConfigFolder> {
  const folder = await mkdtemp(join(tmpdir(), "config-"));
  return {
    async write(name, text) {
      const path = join(folder, name);
      await writeFile(path, text);
      return path;
    },
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}
