import type { z } from "zod";
import type { IgnorePattern } from "../../spec/config.ts";
import type { EscalationPath, FieldName } from "../../spec/finding.ts";
import type { PolicyType } from "../../spec/policy.ts";
import type { ConfiguredSeverity, Severity } from "../../spec/severity.ts";
import type { NodeRef } from "../json/node.ts";
import type { Policy, Statement } from "../policy/model.ts";
import type { ActionMatch, ServiceLookup } from "../services/model.ts";

/** What a check reports; the engine adds ids, indexes, documentation, path, location and fingerprint. */
export interface Report {
  readonly issue_type: string;
  readonly message: string;
  /** The node meant. Absent: the statement's, or the document's. */
  readonly node?: NodeRef;
  /** The statement meant, for reports of `runPolicy`; reports of `runStatement` have it already. */
  readonly statement?: Statement;
  /** Absent: the severity in force for the check. `none` drops the finding. */
  readonly severity?: ConfiguredSeverity;
  readonly field_name?: FieldName | null;
  readonly action?: string | null;
  readonly resource?: string | null;
  readonly condition_key?: string | null;
  readonly suggestion?: string | null;
  /** Text of the operator's own; it wins over `correction` and is shown without a path. */
  readonly example?: string | null;
  /** Makes the example; called only where the finding is shown with all its fields. */
  readonly correction?: () => Correction | null;
  readonly aws_issue_code?: string | null;
  readonly risk_explanation?: string | null;
  readonly remediation_steps?: readonly string[] | null;
  /** Documented escalation paths that the finding is about. */
  readonly escalation_paths?: readonly EscalationPath[];
  /** Tells findings apart whose other fields are the same, for the fingerprint. */
  readonly identity?: string;
}

/**
 * What the author can paste: a JSON value that replaces the one at `node`. With it the finding is
 * gone, the checks accept the policy, and what was rightly granted still is.
 */
export interface Correction {
  readonly node: NodeRef;
  readonly value: unknown;
}

/** What ignore patterns look at, beside the label of the policy. */
export interface IgnorableReport {
  readonly statement: Statement | null;
  readonly action?: string | null;
  readonly resource?: string | null;
  readonly condition_key?: string | null;
}

/** What a check works with. `Options` are validated, defaults filled in. */
export interface CheckContext<Options = unknown> {
  readonly policy: Policy;
  readonly options: Options;
  /** In force for this check: the configured one, else its default. */
  readonly severity: ConfiguredSeverity;
  /** As the configuration sets it; null: it does not. */
  readonly configuredSeverity: ConfiguredSeverity | null;
  readonly services: ServiceLookup;
  /** Meaning of an `Action` or `NotAction` entry; each text is looked up once per policy. */
  match(action: string): ActionMatch;
  readonly settings: {
    readonly allow_template_variables: boolean;
  };
  /** Another check, as configured; undefined when it is off or does not apply to this policy. */
  peer(checkId: string): { readonly options: unknown } | undefined;
  /**
   * @returns whether an ignore pattern of this check that has an `action` field would drop a
   * finding with these values.
   */
  ignoresAction(finding: {
    readonly action: string;
    readonly statement: Statement | null;
  }): boolean;
  /**
   * @returns whether one of these ignore patterns drops a finding with these values. For patterns
   * inside the check's own options; those of its section are the engine's business.
   */
  ignores(patterns: readonly IgnorePattern[], finding: IgnorableReport): boolean;
  /** @returns whether the text matches a regular expression from the config (case ignored). */
  matches(expression: string, text: string, where: "start" | "anywhere"): boolean;
}

/** Severity of one issue type: `check` follows the check, anything else is fixed or said in words. */
export interface IssueType {
  readonly severity: "check" | Severity | readonly Severity[];
  /** When it is reported, one sentence. */
  readonly when: string;
}

export interface CheckExample {
  /** One sentence. */
  readonly title: string;
  readonly policy: unknown;
  readonly policy_type?: PolicyType;
}

/** A check: id, severity, documentation, options, examples and code side by side. */
export interface Check<Schema extends z.ZodType = z.ZodType> {
  readonly check_id: string;
  readonly default_severity: Severity;
  /** False: runs only when the config says so. Absent: true. */
  readonly default_enabled?: boolean;
  /** One line. */
  readonly description: string;
  /** Markdown; what is reported and why. */
  readonly docstring: string;
  readonly risk_explanation: string;
  readonly risk_category: string;
  readonly documentation_url: string;
  readonly remediation_steps: readonly string[];
  /** Absent: all types. */
  readonly applies_to_policy_types?: readonly PolicyType[];
  /** Ids of checks that this one stands for on a statement it `covers`. */
  readonly supersedes?: readonly string[];
  /** Whether this check stands for the ones it supersedes on the statement. Absent: where it reports. */
  covers?(statement: Statement): boolean;
  readonly options: Schema;
  /** Values that fit the schema and yet mean nothing; logged when the server starts. */
  optionWarnings?(
    options: z.output<Schema>,
  ): Iterable<{ readonly option: string; readonly message: string }>;
  readonly issue_types: Readonly<Record<string, IssueType>>;
  readonly examples: {
    readonly bad: readonly CheckExample[];
    readonly good: readonly CheckExample[];
  };
  /** Runs once per policy, before all statements. */
  runPolicy?(context: CheckContext<z.output<Schema>>): Iterable<Report>;
  /** Runs for each statement, in order. */
  runStatement?(statement: Statement, context: CheckContext<z.output<Schema>>): Iterable<Report>;
}

/** Types a check's `run` functions by its options schema. */
export function defineCheck<Schema extends z.ZodType>(check: Check<Schema>): Check<Schema> {
  return check;
}
