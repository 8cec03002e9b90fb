import { constants, open } from "node:fs/promises";
import { codeOf, type FoundFile } from "./collect-files.ts";
import { decodeText } from "./decode-text.ts";
import { mentionsPolicy } from "./policy-shape.ts";

/** The file may have been replaced since it was found, so no link is followed and opening a pipe does not block. */
const readAsFound = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/** @returns The fault of a file over the limit. */
export function tooLarge(size: number, limit: number): string {
  return `The file has ${size} bytes; the limit is ${limit} (max_policy_bytes)`;
}

/** How much of a file over the limit is read, to see whether it is meant as a policy. */
const headBytes = 65_536;

/** The text of a file, or why it cannot be read. */
export type ReadText =
  | { readonly text: string }
  | {
      readonly fault: string;
      /** Why a search passes over the file. Absent: the file may be a policy, so it gets a finding. */
      readonly skip?: string;
    };

/** Reads a file that was found. @param maxBytes Maximum size. */
export async function readText(
  { path, fault = "The file cannot be opened" }: FoundFile,
  maxBytes: number,
): Promise<ReadText> {
  if (path === null) return { fault };
  try {
    const handle = await open(path, readAsFound);
    try {
      const stats = await handle.stat();
      if (!stats.isFile()) return { fault: "Not a regular file" };
      const { size } = stats;
      if (size > maxBytes) {
        const found = {
          fault: tooLarge(size, maxBytes),
        };
        const { buffer, bytesRead } = await handle.read({ buffer: Buffer.alloc(headBytes) });
        const meant = mentionsPolicy(buffer.toString("latin1", 0, bytesRead));
        return meant ? found : { ...found, skip: `it has more than ${maxBytes} bytes` };
      }
      const bytes = await handle.readFile();
      try {
        return { text: decodeText(bytes) };
      } catch {
        // UTF-16 has a zero byte in each ASCII character.
        const meant = mentionsPolicy(bytes.toString("latin1").replaceAll("\0", ""));
        const found = { fault: "The file is not UTF-8 text" };
        return meant ? found : { ...found, skip: "it is not UTF-8 text" };
      }
    } finally {
      await handle.close();
    }
  } catch (error) {
    return { fault: `The file cannot be read (${codeOf(error)})` };
  }
}
