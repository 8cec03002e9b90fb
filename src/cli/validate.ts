import { constants } from "node:fs";
import { writeFile } from "node:fs/promises";
import { extname } from "node:path";
import { type PolicyType, policyTypeOf, policyTypeWords } from "../../spec/policy.ts";

import { ConfiguredSeverity, Severity } from "../../spec/severity.ts";
import { BadRequest, collectFiles, type FoundFile, TooManyFiles } from "../local/collect-files.ts";

import type { Session } from "../local/session.ts";
import {
  TooManyDocuments,
  type ValidatedDocument,
  type ValidateFilesOptions,
  validateFiles,
  validateText,
} from "../local/validate-files.ts";
import { renderReport, reportFormats } from "../reports/formats.ts";
import type { Environment } from "../settings.ts";
import { reportPolicy } from "../tools/local/report-policy.ts";
import { withFile } from "../tools/local/with-file.ts";
import { reportInput, resultOf } from "../tools/run-validation.ts";
import { readAgainst } from "./against.ts";
import { type ConfigOptions, openSession } from "./open-session.ts";
import { progressOf } from "./progress.ts";
import { type CommandStreams, readAll, UsageError, wantsColor } from "./streams.ts";

export interface ValidateOptions extends ConfigOptions {
  readonly format?: string;
  readonly policyType?: string;
  readonly failOn?: string;
  readonly output?: string;
  /** Directory or git revision that holds the earlier versions. */
  readonly against?: string;
  /** `empty`: a file without an earlier version is compared with the policy that allows nothing. */
  readonly againstMissing?: string;
}

/** Where and how a report is written. */
export interface OutputOptions {
  readonly format: Format;
  readonly failOn: ConfiguredSeverity | undefined;
}

/** @throws {UsageError} for an unknown format or severity. */
export function readOutput(options: ValidateOptions): OutputOptions {
  return { format: formatOf(options), failOn: thresholdOf(options.failOn) };
}

const reportIds = reportFormats.map(({ id }) => id);
export const validateFormats = ["text", "json", ...reportIds] as const;
type Format = (typeof validateFormats)[number];

/** Maximum number of files, and of documents in them, in one run. */
const maxFiles = 10_000;

/** Label of standard input, in reports and for `policy_types`. */
const stdinLabel = "stdin";

/**
 * The command `validate`.
 * @returns The exit status: 0 if every policy is valid, 1 if a finding is at or above the threshold.
 * @throws {UsageError} {@link StartupError} {@link ToolError} Says what to fix.
 */
export async function runValidate(
  paths: readonly string[],
  options: ValidateOptions,
  environment: Environment,
  streams: CommandStreams = process,
): Promise<number> {
  if (paths.length === 0) {
    throw new UsageError("validate needs files or directories, or - for standard input");
  }
  const output = readOutput(options);
  const { failOn } = output;
  const declaredType = typeOf(options.policyType);
  const session = await openSession(options, environment, streams);
  if (failOn !== undefined && failOn !== "none") setThreshold(session, failOn);
  const baselines = await baselinesOf(options, session);
  const validated = await asUsage(() =>
    validateAll(paths, declaredType, session, streams, baselines?.textOf),
  );
  const status = await finish(validated, output, session, options, environment, streams);
  if (baselines && baselines.missing > 0 && output.format === "text") {
    const files = baselines.missing === 1 ? "1 file is" : `${baselines.missing} files are`;
    streams.stdout.write(`${files} new and were not compared.\n`);
  }
  return status;
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

/** Writes the report. @returns The exit status. */
export async function finish(
  validated: readonly ValidatedDocument[],
  { format, failOn }: OutputOptions,
  session: Session,
  options: ValidateOptions,
  environment: Environment,
  streams: CommandStreams,
): Promise<number> {
  const documents =
    failOn === "none" ? validated.map((one) => ({ ...one, is_valid: one.was_checked })) : validated;
  const text = await render(documents, format, session, {
    color: options.output === undefined && wantsColor(streams.stdout, environment),
  });
  if (options.output === undefined) streams.stdout.write(text);
  else await save(options.output, text);
  return documents.some(({ is_valid }) => !is_valid) ? 1 : 0;
}

const formatByExtension: ReadonlyMap<string, Format> = new Map<string, Format>([
  [".json", "json"],
  ...reportFormats.map(({ extension, id }) => [extension, id] as const),
]);

function formatOf({ format, output }: ValidateOptions): Format {
  if (format === undefined) {
    return formatByExtension.get(extname(output ?? "").toLowerCase()) ?? "text";
  }
  const known = validateFormats.find((one) => one === format);
  if (known) return known;
  throw new UsageError(`--format ${format}: use one of ${validateFormats.join(", ")}`);
}

export function typeOf(word: string | undefined): PolicyType | null {
  if (word === undefined) return null;
  const type = policyTypeOf(word);
  if (type) return type;
  throw new UsageError(`--policy-type ${word}: use one of ${policyTypeWords.join(", ")}`);
}

function thresholdOf(word: string | undefined): ConfiguredSeverity | undefined {
  if (word === undefined) return undefined;
  const severity = ConfiguredSeverity.safeParse(word.toLowerCase());
  if (severity.success) return severity.data;
  throw new UsageError(`--fail-on ${word}: use one of ${ConfiguredSeverity.options.join(", ")}`);
}

/** Sets the threshold in the config, so that results, reports and digest agree. */
function setThreshold(session: Session, failOn: Severity): void {
  session.applyOverlay({ value: { settings: { fail_on_severity: failOn } }, lineOf: () => null });
}

async function validateAll(
  paths: readonly string[],
  declaredType: PolicyType | null,
  { runtime, root, configPath }: Session,
  streams: CommandStreams,
  baselineOf: ((file: FoundFile) => Promise<string | null>) | undefined,
): Promise<ValidatedDocument[]> {
  const { max_policies, max_policy_bytes } = runtime.settings;
  const bound = Math.max(maxFiles, max_policies);
  const options: ValidateFilesOptions = {
    declaredType,
    maxFileBytes: max_policy_bytes,
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

async function render(
  documents: readonly ValidatedDocument[],
  format: Format,
  { runtime }: Session,
  { color }: { readonly color: boolean },
): Promise<string> {
  if (format === "json") {
    const output = {
      results: documents.map((one) => withFile(resultOf(one, "full"), one)),
      totals: totalsOfRun(documents),
      config_digest: runtime.digest,
      truncated: false,
      truncated_count: 0,
    };
    return `${JSON.stringify(output, null, 2)}\n`;
  }
  const input = reportInput(
    documents.map((one) => reportPolicy(one, format)),
    runtime,
  );
  if (format === "text") {
    const { renderText } = await import("../reports/text.ts");
    return renderText(input, { color });
  }
  const text = await renderReport(format, input);
  return text.endsWith("\n") ? text : `${text}\n`;
}

/** Over all documents of the run, with every severity, 0 included. */
function totalsOfRun(documents: readonly ValidatedDocument[]) {
  const severities = Severity.options.map((severity) => [
    severity,
    documents.reduce((sum, { severity_counts }) => sum + (severity_counts[severity] ?? 0), 0),
  ]);
  return {
    policies: documents.length,
    invalid: documents.filter(({ is_valid }) => !is_valid).length,
    severity_counts: Object.fromEntries(severities),
  };
}

async function save(path: string, text: string): Promise<void> {
  try {
    // A repository under validation may hold a link of that name to a file elsewhere. Devices are links on many systems.
    const follows = path.startsWith("/dev/");
    const { O_CREAT, O_NOFOLLOW = 0, O_TRUNC, O_WRONLY } = constants;
    const flag = O_WRONLY | O_CREAT | O_TRUNC | (follows ? 0 : O_NOFOLLOW);
    await writeFile(path, text, { flag });
  } catch (error) {
    const found = error instanceof Error && "code" in error ? String(error.code) : "unknown reason";
    const code = found === "ELOOP" ? "it is a symbolic link" : found;
    throw new UsageError(`--output ${path} cannot be written (${code})`);
  }
}

async function asUsage<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    const known = [BadRequest, TooManyFiles, TooManyDocuments].some((one) => error instanceof one);
    if (known && error instanceof Error) throw new UsageError(error.message);
    throw error;
  }
}
