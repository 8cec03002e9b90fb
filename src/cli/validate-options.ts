import { extname } from "node:path";
import { FixEffect } from "../../spec/finding.ts";
import { type PolicyType, policyTypeOf, policyTypeWords } from "../../spec/policy.ts";
import { ConfiguredSeverity } from "../../spec/severity.ts";
import { reportFormats } from "../reports/formats.ts";
import type { ConfigOptions } from "./open-session.ts";
import { UsageError } from "./streams.ts";

export interface ValidateOptions extends ConfigOptions {
  readonly format?: string;
  readonly policyType?: string;
  readonly failOn?: string;
  readonly output?: string;
  /** Write the fixes into the files. */
  readonly fix?: boolean;
  /** Effects to apply, separated by commas. */
  readonly fixEffects?: string;
  /** Print what the fixes would change, and write nothing. */
  readonly diff?: boolean;
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

/** @throws {UsageError} for an unknown format or severity. */
export function readOutput(options: ValidateOptions): OutputOptions {
  return { format: formatOf(options), failOn: thresholdOf(options.failOn) };
}

const reportIds = reportFormats.map(({ id }) => id);
export const validateFormats = ["text", "json", ...reportIds] as const;
export type Format = (typeof validateFormats)[number];

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
