import { randomUUID } from "node:crypto";
import { mkdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { reasonOf } from "../errors.ts";
import type { ServiceLog } from "./model.ts";

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

/**
 * Makes a folder and those above it; one that is there already is fine. Node's own recursive `mkdir`
 * never returns where the system answers "no such folder" for good, as below `/proc`.
 * @throws the system's error.
 */
export async function makeFolder(path: string): Promise<void> {
  try {
    await mkdir(path);
  } catch (error) {
    if (await isFolder(path)) return;
    const parent = dirname(path);
    if (!isMissing(error) || parent === path) throw error;
    await makeFolder(parent);
    await mkdir(path).catch(async (again: unknown) => {
      if (!(await isFolder(path))) throw again;
    });
  }
}

async function isFolder(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined))?.isDirectory() ?? false;
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ENOENT";
}

/**
 * Writes a file aside and puts it in its place: nobody reads half of it, and where it cannot be written (the disk is
 * full) what was there stays and nothing is left behind.
 * @throws the system's error.
 */
export async function replaceFile(path: string, text: string): Promise<void> {
  const aside = join(dirname(path), `.${basename(path)}.${randomUUID()}.part`);
  try {
    await writeFile(aside, text);
    await rename(aside, path);
  } catch (error) {
    await rm(aside, { force: true }).catch(() => {});
    throw error;
  }
}
