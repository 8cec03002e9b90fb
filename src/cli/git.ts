import { execFile } from "node:child_process";
import { basename, dirname } from "node:path";
import { UsageError } from "./streams.ts";

/** Longest time that git may take, in milliseconds. */
const timeoutMs = 10_000;

type Run =
  | { readonly kind: "done"; readonly text: string }
  | { readonly kind: "failed" }
  | { readonly kind: "too_large" };

/** @throws {UsageError} when git is missing or takes too long. */
function git(cwd: string, args: readonly string[], maxBytes: number): Promise<Run> {
  const all = ["--no-pager", "--no-optional-locks", ...args];
  const options = { cwd, timeout: timeoutMs, maxBuffer: maxBytes, encoding: "buffer" as const };
  return new Promise((resolve, reject) => {
    execFile("git", all, options, (error, stdout) => {
      if (!error) return resolve({ kind: "done", text: stdout.toString("utf8") });
      if (error.code === "ENOENT") return reject(new UsageError("git is not installed"));
      if (error.killed && error.code !== "ERR_CHILD_PROCESS_STDIO_MAXBUFFER") {
        return reject(new UsageError(`git takes longer than ${timeoutMs / 1000} seconds`));
      }
      const isLarge = (error.code as unknown) === "ERR_CHILD_PROCESS_STDIO_MAXBUFFER";
      return resolve({ kind: isLarge ? "too_large" : "failed" });
    });
  });
}

/**
 * The commit that a revision means, for a file or folder of a repository.
 * @throws {UsageError} when there is no repository or no such revision.
 */
export async function commitOf(revision: string, cwd: string): Promise<string> {
  const args = ["rev-parse", "--verify", "--quiet", "--end-of-options", `${revision}^{commit}`];
  const found = await git(cwd, args, 1_000);
  if (found.kind === "done" && /^[0-9a-f]{40,64}\s*$/.test(found.text)) return found.text.trim();
  throw new UsageError(`git has no revision ${revision} here, or this is not a repository`);
}

/**
 * A file as it was at a commit.
 * @param path Absolute, or relative to the working directory.
 * @returns null when the commit does not have it.
 * @throws {UsageError} when it has more bytes than may be read.
 */
export async function fileAt(
  commit: string,
  path: string,
  maxBytes: number,
): Promise<string | null> {
  const object = `${commit}:./${basename(path)}`;
  const args = ["show", "--no-textconv", "--no-ext-diff", "--end-of-options", object];
  const found = await git(dirname(path), args, maxBytes);
  if (found.kind === "too_large") {
    throw new UsageError(`${path} at ${commit.slice(0, 12)} has more than ${maxBytes} bytes`);
  }
  return found.kind === "done" ? found.text : null;
}

/** Bytes of the names of one folder. */
const maxNamesBytes = 1_000_000;

/** @returns the names in a folder as it was at a commit; none if it has too many. */
export async function namesAt(commit: string, folder: string): Promise<readonly string[]> {
  const args = ["ls-tree", "--name-only", "-z", "--end-of-options", commit];
  const found = await git(folder, args, maxNamesBytes);
  return found.kind === "done" ? found.text.split("\0").filter((name) => name !== "") : [];
}
