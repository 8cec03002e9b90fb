import type { z } from "zod";
import type { IgnorePattern } from "../../spec/config.ts";
import type { EscalationPath, FieldName } from "../../spec/finding.ts";
import type { PolicyType } from "../../spec/policy.ts";
import type { ConfiguredSeverity, Severity } from "../../spec/severity.ts";
import type { Answer, Asking } from "../access/answers.ts";
import type { Issue } from "../access-analyzer/types.ts";
import type { FixProposal } from "../fixes/proposal.ts";
import type { NodeRef } from "../json/node.ts";
import type { Policy, PolicyDocument, Statement, StatementElement } from "../policy/model.ts";
import type { ActionMatch, ServiceLookup } from "../services/model.ts";
import type { VersionComparison } from "./comparison.ts";

/** A report of a check. The engine adds ids, indexes, documentation, path, location and fingerprint. */
export interface Report {
  readonly issue_type: string;
  readonly message: string;
  /** The node concerned. Default: the statement's node, or the document's. */
  readonly node?: NodeRef;
  /** The statement concerned, for reports of `runPolicy`. Reports of `runStatement` have it already. */
  readonly statement?: Statement;
  /** Default: the configured severity of the check. `none` drops the finding. */
  readonly severity?: ConfiguredSeverity;
  readonly field_name?: FieldName | null;
  readonly action?: string | null;
  readonly resource?: string | null;
  readonly condition_key?: string | null;
  readonly suggestion?: string | null;
  /** An example from the configuration. It replaces `correction` and has no path. */
  readonly example?: string | null;
  /** Creates the example; called only if the finding is shown with all fields. */
  readonly correction?: () => Correction | null;
  /**
   * Proposes the edit that repairs the fault; called only if the finding is kept. With it the finding
   * disappears, and there are no new ones of higher severity. Null: no edit is right without knowing more.
   */
  readonly fix?: () => FixProposal | null;
  readonly aws_issue_code?: string | null;
  /** Further nodes that the fault is about, in AWS's order. */
  readonly related?: readonly NodeRef[];
  /** Name of the key of the condition entry that the report is about: see `once-per-entry.ts`. */
  readonly about?: NodeRef;
  /** Names of the keys of the condition entries that the report gives as its reason. */
  readonly reasons?: readonly NodeRef[];
  readonly risk_explanation?: string | null;
  readonly remediation_steps?: readonly string[] | null;
  /** Documented escalation paths that the finding is about. */
  readonly escalation_paths?: readonly EscalationPath[];
  /** Distinguishes findings whose other fields are the same, for the fingerprint. */
  readonly identity?: string;
}

/**
 * A correction to paste: a JSON value that replaces the one at `node`. With it, the finding disappears,
 * there are no new ones, and legitimate access is still granted.
 */
export interface Correction {
  readonly node: NodeRef;
  readonly value: unknown;
}

/** The fields that ignore patterns match, except the name of the policy. */
export interface IgnorableReport {
  readonly statement: Statement | null;
  readonly action?: string | null;
  readonly resource?: string | null;
  readonly condition_key?: string | null;
}

/** A question that a check asks of a policy. */
interface AskedQuestion {
  /** Null: the check has one question. */
  readonly id: string | null;
  readonly asking: Asking;
  /** The answer serves the check only and is not in `answers` of the result. */
  readonly isInternal?: boolean;
}

/** Indexes of statements, by what the questions of a check say about them. */
interface Decisions {
  /** Searched to the end, or shown to be violated. */
  readonly decided: ReadonlySet<number>;
  readonly violated: ReadonlySet<number>;
}

/** The answer to one of them. */
export interface QuestionAnswer {
  readonly id: string | null;
  readonly answer: Answer;
  readonly isInternal: boolean;
}

/** The input of a check. `Options` are validated and have defaults. */
export interface CheckContext<Options = unknown> {
  readonly policy: Policy;
  readonly options: Options;
  /** What the policy is compared with; null: nothing. */
  readonly baseline: PolicyDocument | null;
  /** How the policy comes from its earlier version; null: `baseline` is that version. */
  readonly comparison: VersionComparison | null;
  /** Answers to this check's own questions, in the order in which it asked. */
  readonly answers: readonly QuestionAnswer[];
  /** Severity of this check: as configured, else its default. */
  readonly severity: ConfiguredSeverity;
  /** As the configuration sets it; null: it does not. */
  readonly configuredSeverity: ConfiguredSeverity | null;
  readonly services: ServiceLookup;
  /** Looks up an `Action` or `NotAction` entry; each text is looked up once per policy. */
  match(action: string): ActionMatch;
  readonly settings: {
    readonly allow_template_variables: boolean;
  };
  /** What the questions of another check say about each statement; nothing when it asked none. */
  decisions(checkId: string): Decisions;
  /** Another check, as configured; undefined if it is disabled or does not apply to this policy. */
  peer(checkId: string): { readonly options: unknown } | undefined;
  /**
   * @returns Whether an ignore pattern of this check with an `action` field would drop a finding with
   * these values.
   */
  ignoresAction(finding: {
    readonly action: string;
    readonly statement: Statement | null;
  }): boolean;
  /**
   * @returns Whether one of these ignore patterns drops a finding with these values. For patterns in the
   * options of the check; the engine applies those of its section.
   */
  ignores(patterns: readonly IgnorePattern[], finding: IgnorableReport): boolean;
  /** @returns Whether the text matches a regular expression from the config, ignoring case. */
  matches(expression: string, text: string, where: "start" | "anywhere"): boolean;
}

/** Severity of one issue type: `check` is that of the check; others are fixed, or described in words. */
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
  /** What the policy is compared with. */
  readonly baseline?: unknown;
  /** The check's section of the config. */
  readonly options?: Readonly<Record<string, unknown>>;
}

/** How a check reports a code of AWS's policy checks. */
interface CodeRule {
  readonly issue_type: string;
  /** Absent or null: the severity of the check. */
  readonly severity?: Severity | ((place: CodePlace) => ConfiguredSeverity | null);
  /** Proposes the edit that repairs the fault; see `Report.fix`. */
  readonly fix?: (place: CodePlace) => FixProposal | null;
}

/** Where AWS's policy check found a fault. */
export interface CodePlace {
  readonly issue: Issue;
  /** Null for the whole document. */
  readonly statement: Statement | null;
  readonly policy: Policy;
  readonly services: ServiceLookup;
}

/** A check: id, severity, documentation, options, examples and code side by side. */
export interface Check<Schema extends z.ZodType = z.ZodType> {
  readonly check_id: string;
  readonly default_severity: Severity;
  /** False: runs only if the config enables it. Default: true. */
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
  /** Ids of checks whose findings this one replaces on statements that it `covers`. */
  readonly supersedes?: readonly string[];
  /** Whether this check supersedes the others on a statement of which it reports something. Default: on each. */
  covers?(statement: Statement): boolean;
  readonly options: Schema;
  /** Values that match the schema but have no effect; logged at start-up. */
  optionWarnings?(
    options: z.output<Schema>,
  ): Iterable<{ readonly option: string; readonly message: string }>;
  readonly issue_types: Readonly<Record<string, IssueType>>;
  /**
   * Codes of AWS's policy checks that are reported under this check when no check found the fault
   * itself: the issue type, and its severity if it differs from the check's.
   */
  readonly aws_codes?: Readonly<Record<string, CodeRule>>;
  readonly examples: {
    readonly bad: readonly CheckExample[];
    readonly good: readonly CheckExample[];
  };
  /** Questions about access, whose answers reach `runPolicy` as `context.answers`. */
  ask?(context: CheckContext<z.output<Schema>>): Iterable<AskedQuestion>;
  /**
   * Runs once per policy, before all statements. Other work of the server runs between two reports;
   * where a check works long without one, it yields null.
   */
  runPolicy?(context: CheckContext<z.output<Schema>>): Iterable<Report | null>;
  /** The element that `runStatement` is about: statements without it are left out. Default: none are. */
  readonly element?: StatementElement;
  /**
   * False: `runStatement` has nothing to report of the statement, which this sees at a glance. Most checks concern few
   * statements, and starting an iterator costs more than such a look. Default: every statement.
   */
  concerns?(statement: Statement, context: CheckContext<z.output<Schema>>): boolean;
  /** Runs for each statement, in order; yields like `runPolicy`. */
  runStatement?(
    statement: Statement,
    context: CheckContext<z.output<Schema>>,
  ): Iterable<Report | null>;
}

/** Types a check's `run` functions by its options schema. */
export function defineCheck<Schema extends z.ZodType>(check: Check<Schema>): Check<Schema> {
  return check;
}
