import type { LeanFinding } from "../../spec/finding.ts";
import type { SeverityCounts } from "../../spec/severity.ts";
import type { EngineSettings } from "./types.ts";

/** @returns Number of findings by severity; only severities that occur. */
export function countSeverities(findings: readonly LeanFinding[]): SeverityCounts {
  const counts: SeverityCounts = {};
  for (const { severity } of findings) counts[severity] = (counts[severity] ?? 0) + 1;
  return counts;
}

/** @returns whether no finding has a severity in `fail_on_severity`. */
export function allPass(
  findings: readonly LeanFinding[],
  { fail_on_severity }: Pick<EngineSettings, "fail_on_severity">,
): boolean {
  return !findings.some(({ severity }) => fail_on_severity.includes(severity));
}
