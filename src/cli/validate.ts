import { createRegistry } from "../engine/registry.ts";
import type { FoundFile } from "../local/collect-files.ts";
import type { EarlierText } from "../local/earlier-text.ts";
import type { Session } from "../local/session.ts";

import { escapeInvisible } from "../policy/escape-invisible.ts";
import type { Environment } from "../settings.ts";
import { readAgainst } from "./against.ts";
import { configure } from "./configure.ts";
import { fixInputs } from "./fix-inputs.ts";
import { goneInWords, knownFindings, unusedExceptions } from "./known-findings.ts";
import { openSession } from "./open-session.ts";
import { changesInWords } from "./removed.ts";
import { type CommandStreams, UsageError } from "./streams.ts";
import { type Inputs, maxContainerBytes, validateInputs } from "./validate-inputs.ts";
import { effectsOf, readOutput, typeOf, type ValidateOptions } from "./validate-options.ts";
import { finish } from "./write-report.ts";

/**
 * The command `validate`.
 * @returns The exit status: 0 if every policy is valid, 1 if a finding is at or above the threshold.
 * @throws {UsageError} {@link StartupError} {@link ToolError} Says what to fix.
 */
export async function runValidate(
  given: readonly string[],
  options: ValidateOptions,
  environment: Environment,
  own: CommandStreams = process,
): Promise<number> {
  // A name for standard input means that there is standard input.
  const impliesStdin = options.stdinFilename !== undefined && !given.includes("-");
  const paths = impliesStdin ? ["-", ...given] : given;
  if (paths.length === 0) {
    throw new UsageError("validate needs files or directories, or - for standard input");
  }
  if (options.strict && options.policiesOnly) {
    throw new UsageError("--strict and --policies-only contradict each other: use one of them");
  }
  const output = readOutput(options);
  const known = await knownFindings(options);
  const inputs = {
    paths,
    except: known?.path ?? null,
    declaredType: typeOf(options.policyType),
    strict: options.strict ?? false,
    policiesOnly: options.policiesOnly ?? false,
    stdinFilename: options.stdinFilename,
  };
  const session = await openSession(options, environment, own);
  configure(session, options, output);
  if (options.listFiles) return listFiles(inputs, session, own);
  const effects = effectsOf(options);
  const fixed = effects
    ? await fixInputs({ ...inputs, effects, writes: options.diff !== true }, session, own)
    : null;
  if (fixed && options.diff) return fixed.changed > 0 ? 1 : 0;
  const streams = fixed?.streams ?? own;
  const baselines = await baselinesOf(options, session);
  const validated = await validateInputs(
    { ...inputs, baselineOf: baselines?.earlierOf, asksOfNew: baselines?.asksOfNew ?? false },
    session,
    streams,
  );
  const outcome = known ? await known.apply(validated, session) : validated;
  const status = await finish(outcome, output, session, { options, environment, streams });
  if (!options.quiet) {
    const unused = unusedExceptions(outcome, session).map((index) => `exceptions.${index}`);
    const notes = [
      goneInWords(outcome.gone ?? []),
      unused.length === 0
        ? undefined
        : `Exceptions that match no finding of this run: ${unused.join(", ")}.`,
      ...changesInWords(outcome.documents, outcome.removed ?? []),
    ];
    for (const note of notes) if (note) streams.stderr.write(`validator-mcp: ${note}\n`);
  }
  if (baselines && baselines.missing > 0 && !options.quiet) {
    const files = baselines.missing === 1 ? "1 file is" : `${baselines.missing} files are`;
    streams.stderr.write(`validator-mcp: ${files} new and were not compared.\n`);
  }
  return fixed && fixed.failed > 0 ? 2 : status;
}

/** Prints the files that have policies on standard output, and the others with the reason on standard error. */
async function listFiles(
  inputs: Inputs,
  session: Session,
  streams: CommandStreams,
): Promise<number> {
  const registry = createRegistry([]);
  const { runtime } = session;
  const unchecked = { ...runtime, registry, engine: { ...runtime.engine, registry } };
  const outcome = await validateInputs(inputs, { ...session, runtime: unchecked }, streams);
  const files = new Set(outcome.documents.map(({ label }) => label));
  for (const file of files) streams.stdout.write(`${escapeInvisible(file)}\n`);
  for (const { file, document, reason } of outcome.skipped) {
    const which = document === null ? "" : ` (document ${document + 1})`;
    streams.stderr.write(`skipped: ${escapeInvisible(file)}${which}: ${reason}\n`);
  }
  return 0;
}

/** The earlier versions of the files of a run. */
interface Baselines {
  /** Files that have none. */
  readonly missing: number;
  readonly asksOfNew: boolean;
  earlierOf(file: FoundFile): Promise<EarlierText | null>;
}

/** The earlier versions, and how many files have none. */
async function baselinesOf(
  { against, againstMissing }: ValidateOptions,
  { runtime }: Session,
): Promise<Baselines | null> {
  if (against === undefined) {
    if (againstMissing === undefined) return null;
    throw new UsageError("--against-missing needs --against");
  }
  if (againstMissing !== undefined && againstMissing !== "empty") {
    throw new UsageError(`--against-missing ${againstMissing}: use empty, or leave it out`);
  }
  const maxBytes = Math.max(runtime.settings.max_policy_bytes, maxContainerBytes);
  const { earlierOf } = await readAgainst(against, maxBytes);
  const asksOfNew = againstMissing === "empty";
  const found = {
    missing: 0,
    asksOfNew,
    async earlierOf(file: FoundFile) {
      const earlier = await earlierOf(file);
      if (earlier !== null) return earlier;
      if (asksOfNew) return { text: '{"Version":"2012-10-17","Statement":[]}' };
      found.missing++;
      return null;
    },
  };
  return found;
}
