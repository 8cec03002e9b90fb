import type { AccessAnswer } from "../../spec/access.ts";
import type { Finding, Location } from "../../spec/finding.ts";
import type { PolicyType, PolicyTypeSource } from "../../spec/policy.ts";
import type { ConfiguredSeverity, Severity, SeverityCounts } from "../../spec/severity.ts";
import type { Suppressed } from "../engine/exceptions.ts";

/** A validated policy. */
export interface ReportPolicy {
  /** Name given by the caller, which may be any text, else `policy-<index>`. */
  readonly file: string;
  /** Where the policy is in the file; null or absent: the file is the policy. */
  readonly place?: string | null;
  /** Where the policy was read; absent: it was not read from a file. */
  readonly source?: ReportSource | undefined;
  readonly result: {
    readonly is_valid: boolean;
    readonly fails_policy: boolean;
    readonly severity_counts: SeverityCounts;
    readonly policy_type: PolicyType;
    readonly policy_type_source: PolicyTypeSource;
    readonly findings: readonly Finding[];
    /** Findings that were left out. Default: none. */
    readonly suppressed?: readonly Suppressed[];
    /** Answers to the questions about access that were asked of it. */
    readonly answers?: readonly AccessAnswer[];
  };
  /** The text as submitted; locations of findings refer to it. Null for a policy given as an object. */
  readonly text: string | null;
  /** The policy's own text if it is a part of `text`, and the offset where it begins. */
  readonly part?: { readonly text: string; readonly offset: number };
  /** What the fixes change in `text`; added when the report is rendered. */
  readonly edits?: ReadonlyMap<Finding, FixEdit>;
}

/** The change of a text that a fix makes. */
export interface FixEdit {
  /** What is replaced. */
  readonly location: Location;
  /** What takes its place. */
  readonly text: string;
  /** The lines that the change touches, before and after. */
  readonly removed: readonly string[];
  readonly added: readonly string[];
  /** The change begins and ends with a line. */
  readonly isWholeLines: boolean;
}

/** The file of a policy, as formats name it. */
export interface ReportSource {
  /** Relative to the working directory if the file is below it. */
  readonly path: string;
  /** Relative to the root of the repository if the file is below it, else absolute. */
  readonly repositoryPath: string;
  /** The same as a URI reference. */
  readonly uri: string;
}

/** What a report shows of a check that has findings. */
export interface ReportRule {
  readonly check_id: string;
  /** One line. */
  readonly description: string;
  /** Markdown. */
  readonly docstring: string | null;
  readonly default_severity: Severity;
  /** Severity as configured. */
  readonly severity: ConfiguredSeverity;
  readonly documentation_url?: string | null;
}

/** The input of a report. The same input always makes the same report. */
export interface ReportInput {
  readonly policies: readonly ReportPolicy[];
  readonly rules: readonly ReportRule[];
  /** Version of the server. */
  readonly version: string;
  readonly config_digest: string;
  /** Date of the AWS reference data. */
  readonly dataDate: string | null;
  readonly generatedAt: Date;
  /** Number of files that a search found and that are not policies. Default: 0. */
  readonly skipped?: number;
  /** Number of findings of the baseline that are gone. Default: 0. */
  readonly gone?: number;
}
