import { extname } from "node:path";
import { FixEffect } from "../../spec/finding.ts";
import { type PolicyType, policyTypeOf, policyTypeWords } from "../../spec/policy.ts";
import { ConfiguredSeverity } from "../../spec/severity.ts";
import { didYouMean } from "../nearest.ts";
import { reportFormats } from "../reports/formats.ts";
import type { ConfigOptions } from "./open-session.ts";
import { UsageError } from "./streams.ts";

/** Options that say how reports are written. */
export interface ReportOptions extends ConfigOptions {
  readonly format?: string;
  readonly failOn?: string;
  /** SARIF without the findings that were left out. */
  readonly omitSuppressed?: boolean;
  /** Each `[FORMAT:]FILE`; the file `-` is standard output. */
  readonly output?: readonly string[];
}

export interface ValidateOptions extends ReportOptions {
  readonly policyType?: string;
  /** Ids of the only checks to run. */
  readonly select?: readonly string[];
  /** Ids of checks that do not run. */
  readonly ignore?: readonly string[];
  /** Files that a search finds and that are not policies fail. */
  readonly strict?: boolean;
  /** Named files that are not policies are skipped like those that a search finds. */
  readonly policiesOnly?: boolean;
  /** Path that standard input has in the repository. */
  readonly stdinFilename?: string;
  /** Print the files that would be validated, and validate none. */
  readonly listFiles?: boolean;
  /** Write the fixes into the files. */
  readonly fix?: boolean;
  /** Effects to apply, separated by commas. */
  readonly fixEffects?: string;
  /** Print what the fixes would change, and write nothing. */
  readonly diff?: boolean;
  /** Directory or git revision that holds the earlier versions. */
  readonly against?: string;
  /** File of known findings, which do not fail the run. */
  readonly baseline?: string;
  /** Write the findings of this run into the baseline. */
  readonly updateBaseline?: boolean;
  /** `empty`: a file without an earlier version is compared with the policy that allows nothing. */
  readonly againstMissing?: string;
}

const defaultEffects: readonly FixEffect[] = ["equivalent", "repairs"];

/**
 * @returns the effects of the fixes to apply; null: none.
 * @throws {UsageError} for an unknown effect.
 */
export function effectsOf({
  fix,
  diff,
  fixEffects,
}: ValidateOptions): ReadonlySet<FixEffect> | null {
  if (!fix && !diff) {
    if (fixEffects === undefined) return null;
    throw new UsageError("--fix-effects needs --fix or --diff");
  }
  if (fixEffects === undefined) return new Set(defaultEffects);
  const words = fixEffects.split(",").map((word) => word.trim());
  const effects = FixEffect.array().safeParse(words);
  if (effects.success) return new Set(effects.data);
  throw new UsageError(
    `--fix-effects ${fixEffects}: use ${FixEffect.options.join(", ")}, separated by commas`,
  );
}

const reportIds = reportFormats.map(({ id }) => id);
const validateFormats = ["text", "json", ...reportIds] as const;
export type Format = (typeof validateFormats)[number];

/** A report to write. */
interface Output {
  readonly format: Format;
  /** Null: standard output. */
  readonly file: string | null;
}

/** Which reports are written where. */
export interface OutputOptions {
  readonly outputs: readonly Output[];
  readonly failOn: ConfiguredSeverity | undefined;
}

/** @throws {UsageError} for an unknown format or severity, or two reports for one place. */
export function readOutput(options: ReportOptions): OutputOptions {
  const { output = [], failOn } = options;
  const format = options.format === undefined ? undefined : formatNamed(options.format, "--format");
  const outputs =
    output.length === 0
      ? [{ format: format ?? "text", file: null }]
      : output.map((word) => outputOf(word, format, output.length));
  const places = outputs.map(({ file }) => file ?? "-");
  const twice = places.find((place, at) => places.indexOf(place) < at);
  if (twice !== undefined) throw new UsageError(`--output names ${twice} twice`);
  return { outputs, failOn: thresholdOf(failOn) };
}

/**
 * The format of an output: that before its colon, else of `--format` if there is one output, else of
 * the extension, else of `--format`.
 */
function outputOf(word: string, format: Format | undefined, count: number): Output {
  const [, prefix, rest] = /^([a-z]+):(.+)$/s.exec(word) ?? [];
  const named = validateFormats.find((one) => one === prefix);
  const place = named === undefined ? word : (rest ?? "");
  const file = place === "-" ? null : place;
  if (named !== undefined) return { format: named, file };
  const byExtension = formatByExtension.get(extname(place).toLowerCase());
  const found = count === 1 ? (format ?? byExtension) : (byExtension ?? format);
  if (found !== undefined) return { format: found, file };
  if (file === null) return { format: "text", file };
  throw new UsageError(
    `--output ${word}: its extension is not that of a report format; write FORMAT:${word}, with one of ${validateFormats.join(", ")}`,
  );
}

const formatByExtension: ReadonlyMap<string, Format> = new Map<string, Format>([
  ...reportFormats.flatMap(({ extension, id }) => (extension ? [[extension, id] as const] : [])),
  [".json", "json"],
  [".txt", "text"],
]);

function formatNamed(word: string, option: string): Format {
  const known = validateFormats.find((one) => one === word);
  if (known) return known;
  const hint = didYouMean(word, validateFormats);
  throw new UsageError(`${option} ${word}: use one of ${validateFormats.join(", ")}${hint}`);
}

/**
 * Reads `--policy-type`.
 * @returns null where the option is absent.
 * @throws {UsageError} For an unknown type.
 */
export function typeOf(word: string | undefined): PolicyType | null {
  if (word === undefined) return null;
  const type = policyTypeOf(word);
  if (type) return type;
  const hint = didYouMean(word, policyTypeWords);
  throw new UsageError(`--policy-type ${word}: use one of ${policyTypeWords.join(", ")}${hint}`);
}

function thresholdOf(word: string | undefined): ConfiguredSeverity | undefined {
  if (word === undefined) return undefined;
  const severity = ConfiguredSeverity.safeParse(word.toLowerCase());
  if (severity.success) return severity.data;
  const words = ConfiguredSeverity.options;
  throw new UsageError(
    `--fail-on ${word}: use one of ${words.join(", ")}${didYouMean(word, words)}`,
  );
}
