import type { SuppressedFindings } from "../../spec/suppression.ts";
import type { Suppressed } from "../engine/exceptions.ts";
import { countSeverities } from "../engine/verdict.ts";

/** @returns what the wire shows of the findings that were left out. */
export function shownSuppressed(
  suppressed: readonly Suppressed[],
  withFindings: boolean,
): SuppressedFindings {
  const findings = suppressed.map(({ finding }) => finding);
  const exceptions = suppressed.filter(({ suppression }) => suppression.kind === "exception");
  return {
    exceptions: exceptions.length,
    baseline: suppressed.length - exceptions.length,
    severity_counts: countSeverities(findings),
    ...(withFindings && {
      findings: suppressed.map(({ finding, suppression }) => ({ ...finding, suppression })),
    }),
  };
}
