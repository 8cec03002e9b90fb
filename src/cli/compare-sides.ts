import { resolve } from "node:path";
import type { PolicyType } from "../../spec/policy.ts";
import type { EarlierText } from "../local/earlier-text.ts";
import type { Session } from "../local/session.ts";
import { TerraformFolder } from "../local/terraform-folder.ts";
import { validateText } from "../local/validate-text.ts";
import { earlierAt, isFolder, neighboursAt } from "./against.ts";
import { commitOf, fileAt } from "./git.ts";
import { type RemovedPolicy, removedPolicy } from "./removed.ts";
import { type CommandStreams, readAll, UsageError } from "./streams.ts";
import { maxContainerBytes, type Outcome } from "./validate-inputs.ts";

/** What a comparison runs with. */
export interface CompareContext {
  readonly declaredType: PolicyType | null;
  readonly session: Session;
  readonly streams: CommandStreams;
}

/** @throws {UsageError} for a folder and something else. */
export async function areFolders(old: string, changed: string): Promise<boolean> {
  const [before, after] = await Promise.all([old, changed].map(isFolder));
  if (before === after) return before === true;
  throw new UsageError("compare takes two files or two directories");
}

/** Compares two files: the policies in them place by place. */
export async function compareFiles(
  old: string,
  changed: string,
  { declaredType, session, streams }: CompareContext,
): Promise<Outcome> {
  const { runtime } = session;
  const { max_policy_bytes } = runtime.settings;
  const maxBytes = Math.max(max_policy_bytes, maxContainerBytes);
  const baseline = await sideOf(old, maxBytes, streams);
  const { text, neighbours = [] } = await sideOf(changed, maxBytes, streams);
  const removed: RemovedPolicy[] = [];
  const validated = await validateText({ label: changed, text, neighbours, baseline }, runtime, {
    ...{ declaredType, maxFileBytes: max_policy_bytes, maxDocuments: 1_000, asksOfNew: true },
    onRemoved: (_, places) => removed.push(...places.map((one) => removedPolicy(old, one))),
  });
  const documents = validated.filter(({ answers, is_valid }) => answers.length > 0 || !is_valid);
  return { documents, skipped: [], removed };
}

/** A file, `-`, or `git:REVISION:PATH`. */
async function sideOf(
  word: string,
  maxBytes: number,
  streams: CommandStreams,
): Promise<EarlierText & { readonly text: string }> {
  if (word === "-") return { text: await readAll(streams.stdin, maxBytes) };
  const [, revision, path] = /^git:([^:]+):(.+)$/s.exec(word) ?? [];
  if (revision !== undefined && path !== undefined) {
    const commit = await commitOf(revision, process.cwd());
    const text = await fileAt(commit, path, maxBytes);
    if (text === null) throw new UsageError(`${path} does not exist at ${revision}`);
    const neighbours = await neighboursAt(commit, maxBytes)(resolve(path));
    return { label: path, text, neighbours };
  }
  const found = await earlierAt(word, new TerraformFolder(), maxBytes);
  if (found === null || found.text === null) {
    throw new UsageError(`${word} is not a file that can be read`);
  }
  return { ...found, label: word, text: found.text };
}
