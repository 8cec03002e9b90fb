import { realpath, stat } from "node:fs/promises";
import { dirname, parse, resolve } from "node:path";
import { requirePath } from "../config/read.ts";
import { StartupError } from "../errors.ts";
import { isWithin } from "./collect-files.ts";

/** Looked for in the root. */
export const configName = "validator-mcp.yaml";

/** Where a local process works, and by which config. */
export interface LocalPlace {
  /** Absolute. */
  readonly root: string;
  /** Absolute; null: the defaults are in force. */
  readonly configPath: string | null;
  /** For people, e.g. `config: /x/validator-mcp.yaml (found in the working directory)`. */
  readonly said: string;
}

/**
 * Finds the config of a local process: the one given, else `validator-mcp.yaml` in the root, else none.
 * No other directory is looked into.
 * @param root As given; default: the working directory.
 * @throws {StartupError} When the root is no directory, the config's path is a URL, or the config that
 * was found is a link to another place.
 */
export async function findConfig(
  given: string | undefined,
  root: string | undefined,
): Promise<LocalPlace> {
  const folder = resolve(root ?? ".");
  if (root !== undefined && !(await isA(folder, "directory"))) {
    throw new StartupError("invalid_setting", `--root ${root} is no directory.`);
  }
  if (given !== undefined) {
    requirePath(given);
    const configPath = resolve(given);
    return { root: folder, configPath, said: `config: ${configPath}` };
  }
  const configPath = resolve(folder, configName);
  if (await isA(configPath, "file")) {
    await refuseLinkAway(configPath);
    const where = root === undefined ? "the working directory" : "the root";
    return { root: folder, configPath, said: `config: ${configPath} (found in ${where})` };
  }
  return { root: folder, configPath: null, said: `config: the defaults (no ${configName} here)` };
}

/**
 * Whoever wrote the repository under review has put this file there. Through a link out of it, what
 * is wrong with the "config" would show them the keys of any file that the user can read.
 */
async function refuseLinkAway(configPath: string): Promise<void> {
  const folder = await realpath(dirname(configPath));
  if (isWithin(folder, await realpath(configPath))) return;
  throw new StartupError(
    "config_unreadable",
    `config file ${configPath} is a symbolic link that leads out of its directory; name the file it means with --config.`,
  );
}

async function isA(path: string, kind: "file" | "directory"): Promise<boolean> {
  const found = await stat(path).catch(() => null);
  return kind === "file" ? found?.isFile() === true : found?.isDirectory() === true;
}

/** @returns whether a directory is the file system's root, which is nobody's place of work. */
export function isFileSystemRoot(folder: string): boolean {
  return parse(folder).root === folder;
}

/** Said when a config names code that was not loaded. */
export const untrusted =
  "the config names custom checks; they are not loaded, since it may come from the repository under review. --allow-config-custom-checks loads them.";
