import { readFile, stat } from "node:fs/promises";
import { basename, dirname, isAbsolute, join, relative } from "node:path";
import { isOfModule } from "../containers/source.ts";
import type { FoundFile } from "../local/collect-files.ts";
import { decodeText } from "../local/decode-text.ts";
import type { EarlierText } from "../local/earlier-text.ts";
import { TerraformFolder } from "../local/terraform-folder.ts";
import { commitOf, fileAt, namesAt } from "./git.ts";
import { UsageError } from "./streams.ts";

/** What `--against` compares each file with. */
export interface Against {
  /** The earlier version; null: there is none. */
  earlierOf(file: FoundFile): Promise<EarlierText | null>;
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

export async function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
}

async function inFolder(folder: string, maxBytes: number): Promise<Against> {
  if (!(await isFolder(folder))) throw new UsageError(`--against ${folder} is not a directory`);
  const folders = new TerraformFolder();
  return {
    earlierOf: ({ label }) => {
      const path = isAbsolute(label) ? relative(process.cwd(), label) : label;
      return earlierAt(join(folder, path), folders, maxBytes);
    },
  };
}

/**
 * The earlier version of a file.
 * @param folders With the other Terraform files of its folder.
 * @returns null if there is no such file.
 * @throws {UsageError} if it has more bytes than may be read.
 */
export async function earlierAt(
  path: string,
  folders: TerraformFolder,
  maxBytes: number,
): Promise<EarlierText | null> {
  const found = await stat(path).catch(() => null);
  if (!found?.isFile()) return null;
  if (found.size > maxBytes) throw new UsageError(`${path} has more than ${maxBytes} bytes`);
  return {
    text: decoded(await readFile(path), path),
    neighbours: await folders.neighboursOf(path),
  };
}

function decoded(bytes: Buffer, path: string): string {
  try {
    return decodeText(bytes);
  } catch {
    throw new UsageError(`${path} is not UTF-8 text`);
  }
}

async function atRevision(revision: string, maxBytes: number): Promise<Against> {
  const commit = await commitOf(revision, process.cwd());
  const neighboursOf = neighboursAt(commit, maxBytes);
  return {
    async earlierOf({ path }) {
      const text = path === null ? null : await fileAt(commit, path, maxBytes);
      if (path === null || text === null) return null;
      return { text, neighbours: await neighboursOf(path) };
    },
  };
}

/** More files of one folder are not read with a file. */
const maxNeighbours = 200;

/** The other files of a file's Terraform module at a commit; keeps the texts of the last folder. */
export function neighboursAt(commit: string, maxBytes: number) {
  let known: { folder: string; texts: ReadonlyMap<string, string> } | null = null;
  return async (path: string): Promise<readonly string[]> => {
    if (!isOfModule(path)) return [];
    const folder = dirname(path);
    if (known?.folder !== folder) {
      const texts = new Map<string, string>();
      const names = (await namesAt(commit, folder)).filter(isOfModule);
      for (const name of names.length > maxNeighbours ? [] : names) {
        const text = await fileAt(commit, join(folder, name), maxBytes);
        if (text !== null) texts.set(name, text);
      }
      known = { folder, texts };
    }
    const own = basename(path);
    return [...known.texts].flatMap(([name, text]) => (name === own ? [] : [text]));
  };
}
