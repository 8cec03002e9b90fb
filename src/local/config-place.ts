import { realpath, stat } from "node:fs/promises";
import { dirname, parse, resolve } from "node:path";
import { requirePath } from "../config/read.ts";
import { StartupError } from "../errors.ts";
import { isWithin } from "./collect-files.ts";

/** Names of the config file that is searched for. The first is the usual one. */
const configNames = ["validator-mcp.yaml", "validator-mcp.yml", "validator-mcp.json"];

/** The root and the config file of a local process. */
export interface LocalPlace {
  /** Absolute. */
  readonly root: string;
  /** Absolute; null: the defaults are used. */
  readonly configPath: string | null;
  /** Absolute: the root of the repository that contains the root; null: it is in no repository. */
  readonly repository: string | null;
  /**
   * Absolute. The folder to which names of files are relative, for patterns of the config and for
   * fingerprints: that of the config found, else the repository's, else the root.
   */
  readonly base: string;
  /** Message for the user, e.g. `config: /x/validator-mcp.yaml (found in the working directory)`. */
  readonly message: string;
}

/**
 * Finds the config of a local process: the one given, else the nearest `validator-mcp.yaml` (or `.yml`,
 * `.json`) in the root and the folders above it up to the root of its repository, else none. Outside a
 * repository only the root is searched.
 * @param root As given. Default: the working directory.
 * @throws {StartupError} If the root is not a directory, the path of the config is a URL, a folder has
 * two configs, or the config found is a link to another directory.
 */
export async function findConfig(
  given: string | undefined,
  root: string | undefined,
): Promise<LocalPlace> {
  const folder = resolve(root ?? ".");
  if (root !== undefined && !(await isA(folder, "directory"))) {
    throw new StartupError("invalid_setting", `--root ${root} is not a directory.`);
  }
  if (given !== undefined) requirePath(given);
  const real = await realpath(folder).catch(() => folder);
  const repository = await repositoryOf(real);
  const found = { root: folder, repository, base: repository ?? real };
  if (given !== undefined) {
    const configPath = resolve(given);
    return { ...found, configPath, message: `config: ${configPath}` };
  }
  for (const above of foldersUpTo(real, repository ?? real)) {
    const configPath = await configIn(above);
    if (configPath === null) continue;
    await refuseLinkAway(configPath);
    const own = root === undefined ? "the working directory" : "the root";
    const where = above === real ? own : "a folder above";
    const message = `config: ${configPath} (found in ${where})`;
    return { ...found, base: above, configPath, message };
  }
  const where = repository === null || repository === real ? "here" : "here or above";
  const message = `config: the defaults (no ${configNames[0]} ${where})`;
  return { ...found, configPath: null, message };
}

/** @returns The folder and those above it, ending with the last. */
function foldersUpTo(folder: string, last: string): string[] {
  const folders = [folder];
  for (let at = folder; at !== last && dirname(at) !== at; ) {
    at = dirname(at);
    folders.push(at);
  }
  return folders;
}

/** The nearest folder that has `.git`: a directory, or a file in a worktree or submodule. */
async function repositoryOf(folder: string): Promise<string | null> {
  for (const above of foldersUpTo(folder, parse(folder).root)) {
    if (await stat(resolve(above, ".git")).catch(() => null)) return above;
  }
  return null;
}

async function configIn(folder: string): Promise<string | null> {
  const paths = configNames.map((name) => resolve(folder, name));
  const found: string[] = [];
  for (const path of paths) if (await isA(path, "file")) found.push(path);
  const [first = null, second] = found;
  if (second !== undefined) {
    throw new StartupError(
      "config_unreadable",
      `${first} and ${second} are both config files; keep one, or name it with --config.`,
    );
  }
  return first;
}

/**
 * Rejects a config that is a link to another directory. The author of the repository under review
 * controls this file: errors about a linked file would reveal the keys of any file the user can read.
 */
async function refuseLinkAway(configPath: string): Promise<void> {
  const folder = await realpath(dirname(configPath));
  if (isWithin(folder, await realpath(configPath))) return;
  throw new StartupError(
    "config_unreadable",
    `config file ${configPath} is a symbolic link to another directory; use --config with the path of its target.`,
  );
}

async function isA(path: string, kind: "file" | "directory"): Promise<boolean> {
  const found = await stat(path).catch(() => null);
  return kind === "file" ? found?.isFile() === true : found?.isDirectory() === true;
}

/** @returns Whether a directory is the root of the file system, where some clients start servers. */
export function isFileSystemRoot(folder: string): boolean {
  return parse(folder).root === folder;
}

/** Warning for a config that names code, which was not loaded. */
export const untrusted =
  "the config names custom checks; they are not loaded, since it may come from the repository under review. --allow-config-custom-checks loads them.";
