import type { ConfiguredSeverity } from "../../../spec/severity.ts";

const lower: Partial<Record<ConfiguredSeverity, ConfiguredSeverity>> = {
  critical: "high",
  high: "medium",
  medium: "low",
};

/** @returns the next severity down from critical, high, medium, low; others as they are. */
export function oneStepLower(severity: ConfiguredSeverity): ConfiguredSeverity {
  return lower[severity] ?? severity;
}
