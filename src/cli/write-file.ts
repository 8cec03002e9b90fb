import { constants } from "node:fs";
import { writeFile } from "node:fs/promises";
import { codeOf } from "../local/collect-files.ts";
import { UsageError } from "./streams.ts";

/**
 * Writes the file that an option names. A repository under validation may hold a link of that name to a file elsewhere, so
 * links are not followed. Below `/dev` they are: devices are links on many systems.
 * @throws {UsageError} If the file cannot be written.
 */
export async function writeNamedFile(option: string, path: string, text: string): Promise<void> {
  const { O_CREAT, O_NOFOLLOW = 0, O_TRUNC, O_WRONLY } = constants;
  const follows = path.startsWith("/dev/");
  try {
    const flag = O_WRONLY | O_CREAT | O_TRUNC | (follows ? 0 : O_NOFOLLOW);
    await writeFile(path, text, { flag });
  } catch (error) {
    const code = codeOf(error);
    const reason = code === "ELOOP" ? "it is a symbolic link" : code;
    throw new UsageError(`${option} ${path} cannot be written (${reason})`);
  }
}
