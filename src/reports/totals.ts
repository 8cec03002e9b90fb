import type { Finding, Fix } from "../../spec/finding.ts";
import { Severity } from "../../spec/severity.ts";
import { suppressedCounts, suppressedIn, suppressedInWords } from "./suppressed.ts";
import type { ReportInput, ReportPolicy } from "./types.ts";

/** Whether a severity concerns security or validity. */
export type Family = "security" | "validity";

/** The three levels of SARIF and most other tools. */
export type Level = "error" | "warning" | "note";

const kinds: Record<Severity, { family: Family; level: Level }> = {
  error: { family: "validity", level: "error" },
  critical: { family: "security", level: "error" },
  high: { family: "security", level: "error" },
  warning: { family: "validity", level: "warning" },
  medium: { family: "security", level: "warning" },
  low: { family: "security", level: "note" },
  info: { family: "validity", level: "note" },
};

export const familyOf = (severity: Severity): Family => kinds[severity].family;
export const levelOf = (severity: Severity): Level => kinds[severity].level;

/** Counts of a whole report with their labels, in the order in which they are shown. */
export function totalsOf({ policies }: ReportInput): [name: string, count: number][] {
  const findings = policies.flatMap(({ result }) => result.findings);
  const count = (fits: (finding: Finding) => boolean) => findings.filter(fits).length;
  const policiesWith = (fits: (policy: ReportPolicy) => boolean) => policies.filter(fits).length;
  return [
    ["Policies", policies.length],
    ["Policies that fail", policiesWith(({ result }) => result.fails_policy)],
    ["Policies with errors", policiesWith(({ result }) => result.findings.some(isError))],
    ["Policies with findings", policiesWith(({ result }) => result.findings.length > 0)],
    ["Issues", findings.length],
    ...Severity.options.map((one): [string, number] => [
      `Severity ${one}`,
      count(({ severity }) => severity === one),
    ]),
    ...leftOut(policies),
  ];
}

function leftOut(policies: readonly ReportPolicy[]): [name: string, count: number][] {
  const { exceptions, baseline } = suppressedCounts(suppressedIn({ policies }));
  return [
    ...(exceptions > 0 ? [["Left out by exceptions", exceptions] as [string, number]] : []),
    ...(baseline > 0 ? [["Left out by the baseline", baseline] as [string, number]] : []),
  ];
}

function isError({ severity }: Finding): boolean {
  return levelOf(severity) === "error";
}

/** Number of findings by severity, worst first; only severities that occur. */
export function countsOf(findings: readonly Finding[]): [Severity, number][] {
  const counts = new Map<Severity, number>();
  for (const { severity } of findings) counts.set(severity, (counts.get(severity) ?? 0) + 1);
  return Severity.options.flatMap((severity): [Severity, number][] => {
    const count = counts.get(severity);
    return count === undefined ? [] : [[severity, count]];
  });
}

/** `3 findings: 1 error, 2 high`, or `No findings`. */
export function countsInWords(findings: readonly Finding[]): string {
  if (findings.length === 0) return "No findings";
  const counts = countsOf(findings).map(([severity, count]) => `${count} ${severity}`);
  return `${plural(findings.length, "finding")}: ${counts.join(", ")}`;
}

/** The effect of a fix, and the placeholders to replace in it: `changes; fill in <bucket>`. */
export function fixNote(
  { effect, needs_input }: Fix,
  shown: (placeholder: string) => string = String,
): string {
  if (needs_input.length === 0) return effect;
  return `${effect}; fill in ${needs_input.map(({ placeholder }) => shown(placeholder)).join(", ")}`;
}

/** @returns The count and its noun, e.g. `1 policy`, `2 policies`. */
export function plural(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}

/** `line 4, column 14`, both from 1; undefined for a policy given as an object. */
export function placeOf({ location }: Pick<Finding, "location">): string | undefined {
  if (!location) return undefined;
  return `line ${location.start.line}, column ${location.start.column + 1}`;
}

/** @returns the name of a policy for headings: its file, and its place in it. */
export function titleOf({ file, place }: Pick<ReportPolicy, "file" | "place">): string {
  return place ? `${file} (${place})` : file;
}

/** Line and column, both from 1; `1:1` for a policy given as an object. */
export function startOf({ location }: Finding): { readonly line: number; readonly column: number } {
  if (!location) return { line: 1, column: 1 };
  return { line: location.start.line, column: location.start.column + 1 };
}

/** The path of a policy's file from the working directory, else its name. */
/** @returns the text with each line break, and the white space around it, as one space. */
export function onOneLine(text: string): string {
  return text.replaceAll(/\s+/g, (space) => (/[\r\n]/.test(space) ? " " : space));
}

export function pathOf({ source, file }: ReportPolicy): string {
  return source?.path ?? file;
}

/** The path of a policy's file from the root of its repository, else its name. */
export function repositoryPathOf({ source, file }: ReportPolicy): string {
  return source?.repositoryPath ?? file;
}

/**
 * `2 policies, 1 failing. 3 findings: 1 error, 2 high.`, and the numbers of findings that were left out, of
 * those of the baseline that are gone, and of skipped files.
 */
export function verdictLine(input: ReportInput): string {
  const { policies, skipped = 0, gone = 0 } = input;
  const words = suppressedInWords(suppressedIn(input));
  const without = words === undefined ? "" : ` ${words}`;
  const old = gone === 0 ? "" : ` ${plural(gone, "finding")} of the baseline gone.`;
  const left =
    skipped === 0 ? "" : ` ${plural(skipped, "file")} skipped: not policies (--list-files).`;
  if (policies.length === 0) return `No policies found.${left}`;
  const failing = policies.filter(({ result }) => result.fails_policy).length;
  const verdict = failing === 0 ? "none fails" : `${failing} failing`;
  const findings = policies.flatMap(({ result }) => result.findings);
  return `${plural(policies.length, "policy", "policies")}, ${verdict}. ${countsInWords(findings)}.${without}${old}${left}`;
}
