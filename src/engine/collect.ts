import type { Finding, LeanFinding } from "../../spec/finding.ts";
import type { Severity } from "../../spec/severity.ts";
import type { Issue } from "../access-analyzer/types.ts";
import type { Policy, Statement } from "../policy/model.ts";
import type { Yielder } from "../yielder.ts";
import { type CodedFinding, mayAdopt, mergeIssues } from "./aws-codes.ts";
import type { Check, CheckContext, Report } from "./check.ts";
import { Deduplicator } from "./deduplicator.ts";
import type { Proposed } from "./give-fixes.ts";
import { type EntryFinding, entriesOf } from "./once-per-entry.ts";
import { type Projection, requireFinding } from "./project.ts";
import type { RegisteredCheck } from "./registry.ts";
import type { Engine } from "./types.ts";

/** A finding of a check that may supersede others on the statement. */
export interface Superseding<Shown extends LeanFinding = Finding> {
  readonly finding: Shown;
  readonly check: Check;
  readonly statement: Statement;
}

/** A check that has not given all of its reports yet. */
export interface Unfinished {
  readonly registered: RegisteredCheck;
  readonly statement: Statement | null;
  readonly reports: Iterator<Report | null>;
  seen: Deduplicator | null;
}

/** The issue type of a check that threw. */
const checkExecutionError = "check_execution_error";
/** The issue type of the last finding where the policy has more than {@link mostFindings}. */
const tooManyFindings = "too_many_findings";

/**
 * Issue types that say that a policy was not validated as a whole. No pattern, setting or finding can hide them.
 */
export const incompleteIssueTypes: ReadonlySet<string> = new Set([
  checkExecutionError,
  tooManyFindings,
]);

/**
 * Findings of one policy, before the last. 21,000 empty statements, which fit in 64 KiB, have 63,001: their findings took
 * 130 MB and 1.4 s of a worker. The longest policy that AWS takes has some 20,000 characters
 * (https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_iam-quotas.html), so that one with more than this is faulty.
 */
const mostFindings = 2_000;

/** Turns the reports of checks into findings: completes, filters and deduplicates them. */
export class Collector<Shown extends LeanFinding> {
  readonly #policy: Policy;
  readonly #label: string;
  readonly #engine: Engine;
  readonly #project: Projection<Shown>;
  readonly #findings: Shown[] = [];
  readonly #superseding: Superseding<Shown>[] = [];
  readonly #coded: CodedFinding<Shown>[] = [];
  readonly #entries: EntryFinding<Shown>[] = [];
  readonly #proposed: Proposed<Shown>[] = [];
  readonly #aboutNames = new Set<LeanFinding>();
  #hasFailures = false;
  #isFull = false;

  constructor(policy: Policy, label: string, engine: Engine, project: Projection<Shown>) {
    this.#policy = policy;
    this.#label = label;
    this.#engine = engine;
    this.#project = project;
  }

  /**
   * Runs a check on the policy, or on one statement. If the check throws, that becomes a finding.
   * @returns The rest when the time slice is over: yield, then {@link resume} it. Null: it is done.
   */
  collect(
    registered: RegisteredCheck,
    statement: Statement | null,
    context: CheckContext,
    yielder: Yielder,
  ): Unfinished | null {
    if (this.#isFull) return null;
    try {
      const { check } = registered;
      if (statement && check.concerns?.(statement, context) === false) return null;
      const reports = statement
        ? check.runStatement?.(statement, context)
        : check.runPolicy?.(context);
      if (!reports) return null;
      const seen = null;
      const left = { registered, statement, reports: reports[Symbol.iterator](), seen };
      return this.resume(left, yielder);
    } catch (error) {
      this.fail(registered, error, statement);
      return null;
    }
  }

  /** Goes on with a check; the same result as that of {@link collect}. */
  resume(left: Unfinished, yielder: Yielder): Unfinished | null {
    const { registered, statement, reports } = left;
    try {
      for (let next = reports.next(); !next.done; next = reports.next()) {
        if (next.value !== null) {
          left.seen ??= new Deduplicator(registered.severity);
          this.#take(registered, statement, next.value, left.seen);
          if (this.#isFull) return null;
        }
        if (yielder.shouldYield) return left;
      }
    } catch (error) {
      this.fail(registered, error, statement);
    }
    return null;
  }

  /** Records that a check threw. */
  fail(registered: RegisteredCheck, error: unknown, statement: Statement | null = null): void {
    this.#engine.onCheckError(registered.check.check_id, error);
    if (this.#engine.settings.on_check_error === "fail") this.#failed(registered, statement);
  }

  /** Adds the places of AWS's own findings, and those of its findings that no check has reported. */
  async addIssues(
    issues: readonly Issue[],
    byAwsCode: ReadonlyMap<string, RegisteredCheck>,
    yielder: Yielder,
  ): Promise<void> {
    const seen = new Map<RegisteredCheck, Deduplicator>();
    const { services } = this.#engine;
    for (const one of mergeIssues(issues, this.#coded, byAwsCode, this.#policy, services)) {
      if (yielder.shouldYield) await yielder.yieldNow();
      if (!one) continue;
      const { registered, statement, report } = one;
      const deduplicator = seen.get(registered) ?? new Deduplicator(registered.severity);
      seen.set(registered, deduplicator);
      this.#take(registered, statement, report, deduplicator);
      if (this.#isFull) return;
    }
  }

  /** The findings so far, in order. */
  get findings(): readonly Shown[] {
    return this.#findings;
  }

  /** What they say of condition entries. */
  get entries(): readonly EntryFinding<Shown>[] {
    return this.#entries;
  }

  /** The findings with a proposal of a fix, in order. */
  get proposed(): readonly Proposed<Shown>[] {
    return this.#proposed;
  }

  /** The findings about the name of a member, whatever its value is. */
  get aboutNames(): ReadonlySet<LeanFinding> {
    return this.#aboutNames;
  }

  /** Whether a check threw, or there are more findings than are kept. */
  get isIncomplete(): boolean {
    return this.#hasFailures || this.#isFull;
  }

  /** Whether further findings are left out, so that no check needs to run. */
  get isFull(): boolean {
    return this.#isFull;
  }

  /** The findings that may supersede others. */
  get superseding(): readonly Superseding<Shown>[] {
    return this.#superseding;
  }

  #take(
    registered: RegisteredCheck,
    current: Statement | null,
    report: Report,
    seen: Deduplicator,
  ): void {
    const severity = report.severity ?? registered.severity;
    if (severity === "none") return;
    const statement = current ?? report.statement ?? null;
    if (registered.ignore.isActive) {
      const action = report.action ?? null;
      const resource = report.resource ?? null;
      const condition_key = report.condition_key ?? null;
      const sid = statement?.sid ?? null;
      const filepath = this.#engine.settings.trust_policy_names ? this.#label : null;
      const fields = { filepath, action, resource, sid, condition_key };
      if (registered.ignore.ignores(fields)) return;
    }
    if (registered.hidden.has(severity)) return;
    // Findings of one check that differ only in their place inside the statement are duplicates.
    if (!seen.add(report, statement)) return;
    if (this.#findings.length < mostFindings) this.#add(registered, statement, report, severity);
    else this.#full(registered);
  }

  #full(registered: RegisteredCheck): void {
    this.#isFull = true;
    const report = {
      issue_type: tooManyFindings,
      message: `The checks stopped after ${mostFindings.toLocaleString("en-US")} findings about this policy; it has more.`,
      suggestion: "Correct the findings that are reported, then validate the policy again.",
    };
    this.#add(registered, null, report, "error");
  }

  #failed(registered: RegisteredCheck, statement: Statement | null): void {
    this.#hasFailures = true;
    const { check_id } = registered.check;
    const where = statement ? `statement ${statement.index + 1}` : "this policy";
    const report = {
      issue_type: checkExecutionError,
      message: `The check \`${check_id}\` failed on ${where}, so it did not validate ${where}.`,
      suggestion: "Report this to the operator of the server; its log has the details.",
    };
    this.#add(registered, statement, report, "error");
  }

  #add(
    registered: RegisteredCheck,
    statement: Statement | null,
    report: Report,
    severity: Severity,
  ): void {
    const draft = { registered, statement, report, severity };
    // Custom checks may yield anything; an invalid finding counts as a failure of the check.
    if (registered.source !== "builtin") requireFinding(draft, this.#policy, this.#engine);
    const finding = this.#project(draft, this.#policy, this.#engine);
    this.#findings.push(finding);
    if (report.node?.part === "key") this.#aboutNames.add(finding);
    const { aws_issue_code } = report;
    if (aws_issue_code) this.#coded.push({ finding, code: aws_issue_code, statement });
    else if (mayAdopt(finding)) this.#coded.push({ finding, code: null, statement });
    const { check } = registered;
    const entry = entriesOf(finding, report);
    if (entry) this.#entries.push(entry);
    if (report.fix) this.#proposed.push({ finding, check, propose: report.fix });
    if (statement && check.supersedes?.length && !incompleteIssueTypes.has(report.issue_type)) {
      this.#superseding.push({ finding, check, statement });
    }
  }
}
