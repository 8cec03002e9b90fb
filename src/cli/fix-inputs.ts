import { readFile, stat } from "node:fs/promises";
import { resolve } from "node:path";
import type { FixEffect } from "../../spec/finding.ts";
import type { PolicyType } from "../../spec/policy.ts";
import { codeOf, collectFiles, type FoundFile } from "../local/collect-files.ts";
import { FileUses } from "../local/file-uses.ts";
import { fixText } from "../local/fix-text.ts";
import type { Session } from "../local/session.ts";
import { replaceFile } from "./replace-file.ts";
import { type CommandStreams, readAll } from "./streams.ts";
import { unifiedDiff } from "./unified-diff.ts";
import { asUsage, maxFiles, namedAs, stdinLabel } from "./validate-inputs.ts";

export interface FixInputs {
  /** Files and directories; `-` is standard input. */
  readonly paths: readonly string[];
  readonly declaredType: PolicyType | null;
  readonly effects: ReadonlySet<FixEffect>;
  /** Path of standard input in the repository. */
  readonly stdinFilename?: string | undefined;
  /** False: prints what would change. */
  readonly writes: boolean;
}

export interface FixedInputs {
  /** Inputs that change. */
  readonly changed: number;
  /** Files that could not be written, or that changed in the meantime. */
  readonly failed: number;
  /** For the validation of the result: with standard input, the fixed text, and the report on standard error. */
  readonly streams: CommandStreams;
}

const byteOrderMark = "\uFEFF";

/** Writes the fixes of files, or prints them as a diff. */
export function fixInputs(
  inputs: FixInputs,
  session: Session,
  streams: CommandStreams,
): Promise<FixedInputs> {
  return asUsage(() => fixAll(inputs, session, streams));
}

async function fixAll(
  { paths, declaredType, effects, writes, stdinFilename = stdinLabel }: FixInputs,
  { runtime, root, configPath, base }: Session,
  streams: CommandStreams,
): Promise<FixedInputs> {
  const { max_policies, max_policy_bytes } = runtime.settings;
  const options = { declaredType, effects };
  const named = paths.filter((path) => path !== "-");
  let changed = 0;
  let failed = 0;
  let after = streams;
  if (named.length < paths.length) {
    const text = await readAll(streams.stdin, max_policy_bytes);
    const file =
      stdinFilename === stdinLabel
        ? { label: stdinLabel }
        : namedAs(stdinFilename, resolve(root ?? "/", stdinFilename), base);
    const { text: fixed } = await fixText({ ...file, text }, runtime, options);
    if (fixed !== text) changed++;
    streams.stdout.write(writes ? fixed : unifiedDiff(stdinFilename, text, fixed));
    after = { ...streams, stdin: textStream(fixed), stdout: streams.stderr };
  }
  if (named.length === 0) return { changed, failed, streams: after };
  const files = await collectFiles(
    { paths: named, expandsGlobs: true },
    {
      root: root ?? "/",
      confined: false,
      maxFiles: Math.max(maxFiles, max_policies),
      except: [configPath],
    },
  );
  const uses = new FileUses(files, base);
  for (const file of files) {
    const read = await readPolicy(file, max_policy_bytes);
    if (!read) continue;
    const { text, bytes, mark } = read;
    const named = namedAs(file.label, file.place, base);
    const usedAs = await uses.typeOf(file.path);
    const { text: fixed } = await fixText({ ...named, usedAs, text }, runtime, options);
    if (fixed === text) continue;
    changed++;
    if (!writes) {
      streams.stdout.write(unifiedDiff(file.label, mark + text, mark + fixed));
      continue;
    }
    const fault = await written(read.path, bytes, Buffer.from(mark + fixed));
    if (fault === null) continue;
    failed++;
    streams.stderr.write(`validator-mcp: ${file.label} ${fault}\n`);
  }
  return { changed, failed, streams: after };
}

async function* textStream(text: string): AsyncGenerator<string> {
  yield text;
}

interface ReadFile {
  readonly path: string;
  readonly bytes: Buffer;
  /** Without the byte order mark. */
  readonly text: string;
  readonly mark: string;
}

/** @returns null for a file that is not text; the validation reports it. */
async function readPolicy({ path }: FoundFile, maxBytes: number): Promise<ReadFile | null> {
  if (path === null) return null;
  try {
    const stats = await stat(path);
    if (!stats.isFile() || stats.size > maxBytes) return null;
    const bytes = await readFile(path);
    const whole = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    const mark = whole.startsWith(byteOrderMark) ? byteOrderMark : "";
    return { path, bytes, text: whole.slice(mark.length), mark };
  } catch {
    return null;
  }
}

/** @returns what went wrong; null: nothing. */
async function written(path: string, before: Buffer, after: Buffer): Promise<string | null> {
  try {
    const isReplaced = await replaceFile(path, before, after);
    return isReplaced ? null : "changed since it was read, so it was left alone";
  } catch (error) {
    return `cannot be written (${codeOf(error)})`;
  }
}
