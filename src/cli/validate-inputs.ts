import type { PolicyType } from "../../spec/policy.ts";
import { BadRequest, collectFiles, type FoundFile, TooManyFiles } from "../local/collect-files.ts";
import type { Session } from "../local/session.ts";
import {
  TooManyDocuments,
  type ValidatedDocument,
  type ValidateFilesOptions,
  validateFiles,
  validateText,
} from "../local/validate-files.ts";
import { progressOf } from "./progress.ts";
import { type CommandStreams, readAll, UsageError } from "./streams.ts";

/** Maximum number of files, and of documents in them, in one run. */
export const maxFiles = 10_000;

/** Maximum bytes of a template, plan or answer; a plan of 10 MB is ordinary. */
const maxContainerBytes = 64 * 1024 * 1024;

/** Label of standard input, in reports and for `policy_types`. */
export const stdinLabel = "stdin";

/** What a run validates. */
export interface Inputs {
  /** Files and directories; `-` is standard input. */
  readonly paths: readonly string[];
  /** Type of every policy; null: detect it. */
  readonly declaredType: PolicyType | null;
  /** Text of the earlier version of a file; null: there is none. */
  readonly baselineOf?: ((file: FoundFile) => Promise<string | null>) | undefined;
}

/**
 * Reads and validates the inputs of a run: standard input first, then the files in order.
 * @throws {UsageError} Says what to fix.
 */
export function validateInputs(
  inputs: Inputs,
  session: Session,
  streams: CommandStreams,
): Promise<ValidatedDocument[]> {
  return asUsage(() => validateAll(inputs, session, streams));
}

async function validateAll(
  { paths, declaredType, baselineOf }: Inputs,
  { runtime, root, configPath }: Session,
  streams: CommandStreams,
): Promise<ValidatedDocument[]> {
  const { max_policies, max_policy_bytes } = runtime.settings;
  const bound = Math.max(maxFiles, max_policies);
  const options: ValidateFilesOptions = {
    declaredType,
    maxFileBytes: max_policy_bytes,
    maxContainerBytes,
    maxDocuments: bound,
    baselineOf,
  };
  const named = paths.filter((path) => path !== "-");
  const documents: ValidatedDocument[] = [];
  if (named.length < paths.length) {
    const text = await readAll(streams.stdin, max_policy_bytes);
    documents.push(...(await validateText({ label: stdinLabel, text }, runtime, options)));
  }
  if (named.length === 0) return documents;
  const files = await collectFiles(
    { paths: named },
    { root: root ?? "/", confined: false, maxFiles: bound, except: configPath ?? undefined },
  );
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
  return documents;
}

export async function asUsage<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    const known = [BadRequest, TooManyFiles, TooManyDocuments].some((one) => error instanceof one);
    if (known && error instanceof Error) throw new UsageError(error.message);
    throw error;
  }
}
