import { z } from "zod";

/** Severity of a finding. `error`, `warning` and `info` concern validity, the others security. */
export const Severity = z
  .enum(["error", "critical", "high", "warning", "medium", "low", "info"])
  .describe(
    "Severity. error: AWS rejects the policy, or an element of it has no effect. " +
      "critical, high, medium, low: a security risk. warning, info: advice about validity.",
  );
export type Severity = z.infer<typeof Severity>;

/** A severity that an operator may configure; `none` drops the finding. */
export const ConfiguredSeverity = z
  .enum([...Severity.options, "none"])
  .describe("A severity, or none: the finding is dropped.");
export type ConfiguredSeverity = z.infer<typeof ConfiguredSeverity>;

/** Rank of each severity: higher is worse. */
export const severityRank: Record<ConfiguredSeverity, number> = {
  error: 100,
  critical: 90,
  high: 70,
  warning: 50,
  medium: 40,
  low: 20,
  info: 10,
  none: 0,
};

/** @returns this severity and all above it, worst first. */
export function severitiesFrom(threshold: Severity): Severity[] {
  return Severity.options.filter((one) => severityRank[one] >= severityRank[threshold]);
}

/** @returns the severities that a list leaves out although it has a lower one, worst first. */
export function severitiesLeftOut(list: readonly Severity[]): Severity[] {
  const lowest = Math.min(...list.map((one) => severityRank[one]));
  return Severity.options.filter((one) => severityRank[one] > lowest && !list.includes(one));
}

export const SeverityCounts = z
  .partialRecord(Severity, z.int().min(1).max(Number.MAX_SAFE_INTEGER))
  .describe("Findings by severity; only severities that occur.");
export type SeverityCounts = z.infer<typeof SeverityCounts>;
