import type { Severity } from "../../spec/severity.ts";
import type { FoundFile } from "../local/collect-files.ts";
import type { Session } from "../local/session.ts";
import type { Environment } from "../settings.ts";
import { readAgainst } from "./against.ts";
import { fixInputs } from "./fix-inputs.ts";
import { openSession } from "./open-session.ts";
import { type CommandStreams, UsageError } from "./streams.ts";
import { validateInputs } from "./validate-inputs.ts";
import { effectsOf, readOutput, typeOf, type ValidateOptions } from "./validate-options.ts";
import { finish } from "./write-report.ts";

/**
 * The command `validate`.
 * @returns The exit status: 0 if every policy is valid, 1 if a finding is at or above the threshold.
 * @throws {UsageError} {@link StartupError} {@link ToolError} Says what to fix.
 */
export async function runValidate(
  paths: readonly string[],
  options: ValidateOptions,
  environment: Environment,
  given: CommandStreams = process,
): Promise<number> {
  if (paths.length === 0) {
    throw new UsageError("validate needs files or directories, or - for standard input");
  }
  const output = readOutput(options);
  const { failOn } = output;
  const declaredType = typeOf(options.policyType);
  const session = await openSession(options, environment, given);
  if (failOn !== undefined && failOn !== "none") setThreshold(session, failOn);
  const effects = effectsOf(options);
  const fixed = effects
    ? await fixInputs(
        { paths, declaredType, effects, writes: options.diff !== true },
        session,
        given,
      )
    : null;
  if (fixed && options.diff) return fixed.changed > 0 ? 1 : 0;
  const streams = fixed?.streams ?? given;
  const baselines = await baselinesOf(options, session);
  const validated = await validateInputs(
    { paths, declaredType, baselineOf: baselines?.textOf },
    session,
    streams,
  );
  const status = await finish(validated, output, session, options, environment, streams);
  if (baselines && baselines.missing > 0 && output.format === "text") {
    const files = baselines.missing === 1 ? "1 file is" : `${baselines.missing} files are`;
    streams.stdout.write(`${files} new and were not compared.\n`);
  }
  return fixed && fixed.failed > 0 ? 2 : status;
}

/** The earlier versions, and how many files have none. */
async function baselinesOf(
  { against, againstMissing }: ValidateOptions,
  { runtime }: Session,
): Promise<{ missing: number; textOf(file: FoundFile): Promise<string | null> } | null> {
  if (against === undefined) return null;
  if (againstMissing !== undefined && againstMissing !== "empty") {
    throw new UsageError(`--against-missing ${againstMissing}: use empty, or leave it out`);
  }
  const { textOf } = await readAgainst(against, runtime.settings.max_policy_bytes);
  const found = {
    missing: 0,
    async textOf(file: FoundFile) {
      const text = await textOf(file);
      if (text !== null) return text;
      if (againstMissing === "empty") return '{"Version":"2012-10-17","Statement":[]}';
      found.missing++;
      return null;
    },
  };
  return found;
}

/** Sets the threshold in the config, so that results, reports and digest agree. */
function setThreshold(session: Session, failOn: Severity): void {
  session.applyOverlay({ value: { settings: { fail_on_severity: failOn } }, lineOf: () => null });
}
