import type { Finding } from "../../spec/finding.ts";
import type { PolicyType, PolicyTypeSource } from "../../spec/policy.ts";
import type { ConfiguredSeverity, Severity, SeverityCounts } from "../../spec/severity.ts";

/** A policy as it was judged. */
export interface ReportPolicy {
  /** Label given by the caller, else `policy-<index>`. Any text at all. */
  readonly file: string;
  readonly result: {
    readonly is_valid: boolean;
    readonly fails_policy: boolean;
    readonly severity_counts: SeverityCounts;
    readonly policy_type: PolicyType;
    readonly policy_type_source: PolicyTypeSource;
    readonly findings: readonly Finding[];
  };
  /** As submitted, which the offsets of its findings count in; null for one given as an object. */
  readonly text: string | null;
}

/** What a report says of a check that found something. */
export interface ReportRule {
  readonly check_id: string;
  /** One line. */
  readonly description: string;
  /** Markdown. */
  readonly docstring: string | null;
  readonly default_severity: Severity;
  /** In force. */
  readonly severity: ConfiguredSeverity;
  readonly documentation_url?: string | null;
}

/** All that a report is made of. The same input makes the same report. */
export interface ReportInput {
  readonly policies: readonly ReportPolicy[];
  readonly rules: readonly ReportRule[];
  /** Of the server. */
  readonly version: string;
  readonly config_digest: string;
  /** Date of the AWS reference data. */
  readonly dataDate: string | null;
  readonly generatedAt: Date;
}
