import type { Finding, FixEffect, FixFinding, LeanFinding } from "../../spec/finding.ts";
import type { PolicyTypeWord } from "../../spec/policy.ts";
import type { Severity, SeverityCounts } from "../../spec/severity.ts";
import type { Detail, ReportFormat, ValidationResult } from "../../spec/tools/validate-policies.ts";
import type { Check } from "../check.ts";

export interface ValidatorOptions {
  /**
   * What the config file holds, as an object or as its YAML or JSON text. Keys that load files
   * (`custom_checks`, `custom_checks_dir`, `settings.aws_services_dir`) are refused.
   */
  readonly config?: object | string;
  /** Custom checks, made with `defineCheck` of `validator-mcp/check`. The config may have sections for them. */
  readonly checks?: readonly Check[];
  /** Largest policy or template, in bytes. Default: 1 MiB. */
  readonly max_policy_bytes?: number;
  /** Unknown settings and check options in the config: refuse it, or warn. Default: `error`. */
  readonly unknown_names?: "error" | "warn";
  /**
   * Called if a check throws. The policy then has a finding `check_execution_error`, unless
   * `settings.on_check_error` is `warn`.
   */
  readonly onCheckError?: (checkId: string, error: unknown) => void;
}

export interface ValidateOptions<Level extends Detail = "findings"> {
  /** Default: by the name and the config's `policy_types`, else by the content, else `identity`. */
  readonly policy_type?: PolicyTypeWord | null;
  /** For reports, and for `policy_types` and ignore patterns of the config. Never opened as a file. */
  readonly name?: string | null;
  /** An earlier version, or its text: does the policy allow a request that this one does not? */
  readonly baseline?: object | string | null;
  /** Which fields the findings have. Default: `findings`. */
  readonly detail?: Level;
  /** Effects of the fixes to apply to a copy of the policy. Everything in the answer is about that copy. */
  readonly fix?: readonly FixEffect[] | null;
  /** Any format but `json` also gives a `report`. Default: `json`. */
  readonly format?: ReportFormat;
  /** Replaces `settings.fail_on_severity`: one severity and all above it, or exactly the ones listed. */
  readonly fail_on_severity?: Severity | readonly Severity[];
  /** Stops the work; the promise then rejects with the signal's reason. */
  readonly signal?: AbortSignal;
}

/** The findings at a level of detail. */
export type Issues<Level extends Detail> = Level extends "summary"
  ? null
  : Level extends "full"
    ? Finding[]
    : Level extends "fix"
      ? FixFinding[]
      : LeanFinding[];

/** The result for one policy, as `validate_policies` returns it. */
export interface PolicyResult<Level extends Detail = "findings">
  extends Omit<ValidationResult, "issues"> {
  issues: Issues<Level>;
}

export interface Validation<Level extends Detail = "findings"> {
  /** Every policy is valid: no finding has a severity in `fail_on_severity`, and all of it was checked. */
  is_valid: boolean;
  severity_counts: SeverityCounts;
  /** Findings of all results together. */
  issues: Issues<Level>;
  /** One for a policy; for a template, a plan or an answer of AWS, one for each policy in it. */
  results: PolicyResult<Level>[];
  /** Identifies the config and the checks. */
  config_digest: string;
  /** Only if `format` is not `json`. */
  report?: string;
}
