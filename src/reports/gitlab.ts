import type { Severity } from "../../spec/severity.ts";
import { escapeInvisible } from "../policy/escape-invisible.ts";
import { reportFingerprints } from "./fingerprints.ts";
import { escapeControls } from "./json-text.ts";
import { onOneLine, repositoryPathOf, startOf } from "./totals.ts";
import type { ReportInput } from "./types.ts";

/** The severities of Code Quality, which has five. */
const severities: Record<Severity, "blocker" | "critical" | "major" | "minor" | "info"> = {
  error: "blocker",
  critical: "critical",
  high: "major",
  warning: "minor",
  medium: "minor",
  low: "info",
  info: "info",
};

/**
 * A Code Quality report of GitLab: one entry for each finding, shown in merge requests.
 * @see https://docs.gitlab.com/ci/testing/code_quality/#code-quality-report-format
 */
export function renderGitlab({ policies }: ReportInput): string {
  const fingerprint = reportFingerprints();
  const entries = policies.flatMap((policy) =>
    policy.result.findings.map((finding) => {
      const path = repositoryPathOf(policy);
      const { line } = startOf(finding);
      const { message, suggestion } = finding;
      const text = suggestion === null ? message : `${message} ${suggestion}`;
      return {
        description: escapeInvisible(onOneLine(text)),
        check_name: finding.check_id,
        fingerprint: fingerprint(path, finding),
        severity: severities[finding.severity],
        location: {
          path: escapeInvisible(path),
          lines: { begin: line, end: finding.location?.end.line ?? line },
        },
      };
    }),
  );
  return `${escapeControls(JSON.stringify(entries, null, 2))}\n`;
}
