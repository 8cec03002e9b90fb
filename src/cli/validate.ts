import { createRegistry } from "../engine/registry.ts";
import type { FoundFile } from "../local/collect-files.ts";
import type { Session } from "../local/session.ts";
import type { ValidatedDocument } from "../local/validated-document.ts";
import { escapeInvisible } from "../policy/escape-invisible.ts";
import type { Environment } from "../settings.ts";
import { readAgainst } from "./against.ts";
import { configure } from "./configure.ts";
import { fixInputs } from "./fix-inputs.ts";
import { goneInWords, knownFindings, unusedExceptions } from "./known-findings.ts";
import { openSession } from "./open-session.ts";
import { type CommandStreams, UsageError } from "./streams.ts";
import { type Inputs, validateInputs } from "./validate-inputs.ts";
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
    { ...inputs, baselineOf: baselines?.textOf },
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
    ];
    for (const note of notes) if (note) streams.stderr.write(`validator-mcp: ${note}\n`);
  }
  if (baselines && baselines.missing > 0 && !options.quiet) {
    const files = baselines.missing === 1 ? "1 file is" : `${baselines.missing} files are`;
    streams.stderr.write(`validator-mcp: ${files} new and were not compared.\n`);
  }
  const uncompared = baselines?.uncompared(validated.documents) ?? [];
  if (uncompared.length > 0 && !options.quiet) {
    streams.stderr.write(
      `validator-mcp: changed, and not compared because their policies are inside a template, plan or other file: ${uncompared.map(escapeInvisible).join(", ")}.\n`,
    );
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
  textOf(file: FoundFile): Promise<string | null>;
  /** @returns the files that have one, differ from it, and hold policies inside them, which are not compared. */
  uncompared(documents: readonly ValidatedDocument[]): readonly string[];
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
  const { textOf } = await readAgainst(against, runtime.settings.max_policy_bytes);
  const earlier = new Map<string, string>();
  const found = {
    missing: 0,
    uncompared(documents: readonly ValidatedDocument[]) {
      const changed = documents.filter(({ label, text, unwrapped }) => {
        const before = earlier.get(label);
        return unwrapped !== undefined && before !== undefined && before !== text;
      });
      return [...new Set(changed.map(({ label }) => label))];
    },
    async textOf(file: FoundFile) {
      const text = await textOf(file);
      if (text !== null) {
        earlier.set(file.label, text);
        return text;
      }
      if (againstMissing === "empty") return '{"Version":"2012-10-17","Statement":[]}';
      found.missing++;
      return null;
    },
  };
  return found;
}
