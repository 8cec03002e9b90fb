import { randomBytes } from "node:crypto";
import { constants, open, readFile, rename, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";

/**
 * Replaces a file's content in one step: a reader sees the old content or the new one. Mode and owner
 * stay.
 * @param before The content that it had when it was read.
 * @returns false if the file has changed since, and was left alone.
 * @throws {Error} If it cannot be written.
 */
export async function replaceFile(path: string, before: Buffer, after: Buffer): Promise<boolean> {
  const temporary = join(dirname(path), `.${basename(path)}.${randomBytes(6).toString("hex")}`);
  const original = await open(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0));
  try {
    const { mode, uid, gid } = await original.stat();
    const copy = await open(temporary, "wx", 0o600);
    try {
      await copy.writeFile(after);
      const own = await copy.stat();
      if (own.uid !== uid || own.gid !== gid) await copy.chown(uid, gid);
      await copy.chmod(mode & 0o7777);
      await copy.sync();
    } finally {
      await copy.close();
    }
    if (!before.equals(await readFile(path))) {
      await rm(temporary);
      return false;
    }
    await rename(temporary, path);
    return true;
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  } finally {
    await original.close();
  }
}
