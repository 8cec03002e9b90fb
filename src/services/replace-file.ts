import { randomUUID } from "node:crypto";
import { rename, rm, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";

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
