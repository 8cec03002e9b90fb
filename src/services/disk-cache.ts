import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { reasonOf, type ServiceLog } from "./log.ts";
import { makeFolder } from "./make-folder.ts";
import { replaceFile } from "./replace-file.ts";

export interface CachedText {
  readonly text: string;
  /** When it was written, ms since the epoch. */
  readonly writtenAt: number;
}

/** Downloaded texts in files, which outlive the process. Without a folder it holds nothing. */
export interface DiskCache {
  /** @returns undefined when there is none, or none that can be read. */
  read(name: string): Promise<CachedText | undefined>;
  /** Never fails: a cache that cannot be written is said once and done without. */
  write(name: string, text: string): Promise<void>;
}

/** @param folder Made when something is first written to it. */
export function diskCache(folder: string | null, log: ServiceLog): DiskCache {
  if (folder === null) return { read: async () => undefined, write: async () => {} };
  const fileOf = (name: string) => join(folder, `${name}.json`);
  let failing = false;
  return {
    read: async (name) => {
      try {
        const [text, { mtimeMs }] = await Promise.all([
          readFile(fileOf(name), "utf8"),
          stat(fileOf(name)),
        ]);
        return { text, writtenAt: mtimeMs };
      } catch {
        return undefined;
      }
    },
    write: async (name, text) => {
      try {
        await makeFolder(folder);
        await replaceFile(fileOf(name), text);
        failing = false;
      } catch (error) {
        if (!failing) log.warn({ reason: reasonOf(error) }, "the cache directory is not writable");
        failing = true;
      }
    },
  };
}
