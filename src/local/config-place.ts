import { realpath, stat } from "node:fs/promises";
import { dirname, parse, resolve } from "node:path";
import { requirePath } from "../config/read.ts";
import { StartupError } from "../errors.ts";
import { isWithin } from "./collect-files.ts";

/** Name of the config file that is searched for in the root. */
export const configName = "validator-mcp.yaml";

/** The root and the config file of a local process. */
export interface LocalPlace {
  /** Absolute. */
  readonly root: string;
  /** Absolute; null: the defaults are used. */
  readonly configPath: string | null;
  /** Message for the user, e.g. `config: /x/validator-mcp.yaml (found in the working directory)`. */
  readonly message: string;
}

/**
 * Finds the config of a local process: the one given, else `validator-mcp.yaml` in the root, else none.
 * No other directory is searched.
 * @param root As given. Default: the working directory.
 * @throws {StartupError} If the root is not a directory, the path of the config is a URL, or the config
 * found in the root is a link to another directory.
 */
export async function findConfig(
  given: string | undefined,
  root: string | undefined,
): Promise<LocalPlace> {
  const folder = resolve(root ?? ".");
  if (root !== undefined && !(await isA(folder, "directory"))) {
    throw new StartupError("invalid_setting", `--root ${root} is not a directory.`);
  }
  if (given !== undefined) {
    requirePath(given);
    const configPath = resolve(given);
    return { root: folder, configPath, message: `config: ${configPath}` };
  }
  const configPath = resolve(folder, configName);
  if (await isA(configPath, "file")) {
    await refuseLinkAway(configPath);
    const where = root === undefined ? "the working directory" : "the root";
    return { root: folder, configPath, message: `config: ${configPath} (found in ${where})` };
  }
  return {
    root: folder,
    configPath: null,
    message: `config: the defaults (no ${configName} here)`,
  };
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
