import { readFile, stat } from "node:fs/promises";
import { isAbsolute, join, relative } from "node:path";
import type { FoundFile } from "../local/collect-files.ts";
import { commitOf, fileAt } from "./git.ts";
import { UsageError } from "./streams.ts";

/** What `--against` compares each file with. */
export interface Against {
  /** Text of the earlier version; null: there is none. */
  textOf(file: FoundFile): Promise<string | null>;
}

/**
 * Reads `--against`: an existing directory, else a git revision; `dir:` and `git:` say which.
 * @throws {UsageError} when it is neither.
 */
export async function readAgainst(word: string, maxBytes: number): Promise<Against> {
  if (word.startsWith("dir:")) return inFolder(word.slice(4), maxBytes);
  if (word.startsWith("git:")) return atRevision(word.slice(4), maxBytes);
  return (await isFolder(word)) ? inFolder(word, maxBytes) : atRevision(word, maxBytes);
}

async function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
}

async function inFolder(folder: string, maxBytes: number): Promise<Against> {
  if (!(await isFolder(folder))) throw new UsageError(`--against ${folder} is not a directory`);
  return {
    async textOf({ label }) {
      const path = join(folder, isAbsolute(label) ? relative(process.cwd(), label) : label);
      const found = await stat(path).catch(() => null);
      if (!found?.isFile()) return null;
      if (found.size > maxBytes) {
        throw new UsageError(`${path} has more than ${maxBytes} bytes (max_policy_bytes)`);
      }
      return readFile(path, "utf8");
    },
  };
}

async function atRevision(revision: string, maxBytes: number): Promise<Against> {
  const commit = await commitOf(revision, process.cwd());
  return { textOf: async ({ path }) => (path === null ? null : fileAt(commit, path, maxBytes)) };
}
