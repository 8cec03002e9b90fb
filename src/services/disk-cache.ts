import { randomUUID } from "node:crypto";
import { mkdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { reasonOf } from "../errors.ts";
import type { ServiceLog } from "./model.ts";

interface CachedText {
  readonly text: string;
  /** Time of writing, ms since the epoch. */
  readonly writtenAt: number;
}

/** Downloaded texts in files that outlive the process. Without a folder it stores nothing. */
export interface DiskCache {
  /** @returns undefined if there is no copy or it cannot be read. */
  read(name: string): Promise<CachedText | undefined>;
  /** Never rejects: a write error is logged once, and the server works without the cache. */
  write(name: string, text: string): Promise<void>;
}

/** @param folder Created on the first write. */
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
 * Creates a folder and its parents if they do not exist. Node's recursive `mkdir` never returns where
 * the system always answers ENOENT, as below `/proc`.
 * @throws The system's error.
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
 * Replaces a file atomically: writes a temporary file and renames it. If writing fails (the disk is
 * full), the old file stays and the temporary one is removed.
 * @throws The system's error.
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
