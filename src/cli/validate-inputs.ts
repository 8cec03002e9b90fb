import { resolve } from "node:path";
import type { BaselineEntry } from "../../spec/baseline.ts";
import type { PolicyType } from "../../spec/policy.ts";
import { BadRequest, collectFiles, type FoundFile, TooManyFiles } from "../local/collect-files.ts";
import type { EarlierText } from "../local/earlier-text.ts";
import type { Session } from "../local/session.ts";
import { nameIn, type ValidateFilesOptions, validateFiles } from "../local/validate-files.ts";
import { type SkippedFile, TooManyDocuments, validateText } from "../local/validate-text.ts";
import type { ValidatedDocument } from "../local/validated-document.ts";
import { progressOf } from "./progress.ts";
import { type RemovedPolicy, removedPolicy } from "./removed.ts";
import { type CommandStreams, readAll, UsageError } from "./streams.ts";

/** Maximum number of files, and of documents in them, in one run. */
export const maxFiles = 10_000;

/** Maximum bytes of a template, plan or answer; a plan of 10 MB is ordinary. */
export const maxContainerBytes = 64 * 1024 * 1024;

/** Label of standard input, in reports and for `policy_types`. */
export const stdinLabel = "stdin";

/** What a run validates. */
export interface Inputs {
  /** Files, directories and globs; `-` is standard input. */
  readonly paths: readonly string[];
  /** Type of every policy; null: detect it. */
  readonly declaredType: PolicyType | null;
  /** Validate also files that are found and are not policies, so that they fail. */
  readonly strict: boolean;
  /** Skip named files that are not policies, too. */
  readonly policiesOnly: boolean;
  /** Path that the text of standard input has in a repository. */
  readonly stdinFilename?: string | undefined;
  /** The earlier version of a file; null: there is none. */
  readonly baselineOf?: ((file: FoundFile) => Promise<EarlierText | null>) | undefined;
  /** Ask also of policies that are new in their file. Default: false. */
  readonly asksOfNew?: boolean;
  /** Absolute path of a file that is never validated: the baseline. */
  readonly except?: string | null;
}

/** What a run has validated, and what it passed over. */
export interface Outcome {
  readonly documents: readonly ValidatedDocument[];
  readonly skipped: readonly SkippedFile[];
  /** Findings of the baseline that are gone; absent: the run has no baseline. */
  readonly gone?: readonly BaselineEntry[];
  /** Policies inside files that only the earlier versions have; absent: nothing is compared. */
  readonly removed?: readonly RemovedPolicy[];
}

/**
 * Reads and validates the inputs of a run: standard input first, then the files in order.
 * @throws {UsageError} Says what to fix.
 */
export function validateInputs(
  inputs: Inputs,
  session: Session,
  streams: CommandStreams,
): Promise<Outcome> {
  return asUsage(() => validateAll(inputs, session, streams));
}

/** @throws {UsageError} instead of the errors of the search for files. */
export async function asUsage<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    const known = [BadRequest, TooManyFiles, TooManyDocuments].some((one) => error instanceof one);
    if (known && error instanceof Error) throw new UsageError(error.message);
    throw error;
  }
}

async function validateAll(
  { paths, declaredType, strict, policiesOnly, stdinFilename, except = null, ...inputs }: Inputs,
  { runtime, root, configPath, base }: Session,
  streams: CommandStreams,
): Promise<Outcome> {
  const { max_policies, max_policy_bytes } = runtime.settings;
  const bound = Math.max(maxFiles, max_policies);
  const skipped: SkippedFile[] = [];
  const removed: RemovedPolicy[] = [];
  const { baselineOf, asksOfNew = false } = inputs;
  const options: ValidateFilesOptions = {
    declaredType,
    maxFileBytes: max_policy_bytes,
    maxContainerBytes,
    maxDocuments: bound,
    base,
    baselineOf,
    asksOfNew,
    onRemoved: (file, places) =>
      void removed.push(...places.map((one) => removedPolicy(file, one))),
    onSkip: strict ? undefined : (file) => void skipped.push(file),
  };
  const named = paths.filter((path) => path !== "-");
  const documents: ValidatedDocument[] = [];
  if (named.length < paths.length) {
    const text = await readAll(streams.stdin, max_policy_bytes);
    const file =
      stdinFilename === undefined
        ? { label: stdinLabel }
        : namedAs(stdinFilename, resolve(root ?? "/", stdinFilename), base);
    documents.push(...(await validateText({ ...file, text }, runtime, options)));
  }
  const compared = baselineOf ? { removed } : {};
  if (named.length === 0) return { documents, skipped, ...compared };
  const found = await collectFiles(
    { paths: named, expandsGlobs: true },
    { root: root ?? "/", confined: false, maxFiles: bound, except: [configPath, except] },
  );
  const files = policiesOnly ? found.map((file) => ({ ...file, named: false })) : found;
  const progress = progressOf(files.length, streams);
  try {
    documents.push(
      ...(await validateFiles(files, runtime, {
        ...options,
        onFile: (done) => progress.step(done),
      })),
    );
  } finally {
    progress.stop();
  }
  return { documents, skipped, ...compared };
}

/** A file with the name that patterns, exceptions and the baseline match, also if its text is on standard input. */
export function namedAs(label: string, place: string, base: string) {
  return { label, place, name: nameIn(base, place) ?? label };
}
