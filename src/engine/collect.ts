import { Finding } from "../../spec/finding.ts";
import type { Severity } from "../../spec/severity.ts";
import type { Policy, Statement } from "../policy/model.ts";
import { pointerOf } from "../policy/node.ts";
import type { CheckContext, Report } from "./check.ts";
import { fingerprintOf } from "./fingerprint.ts";
import type { RegisteredCheck } from "./registry.ts";
import type { Engine } from "./run.ts";

/** A finding with what the engine must still know about it. */
export interface Collected {
  readonly finding: Finding;
  readonly registered: RegisteredCheck;
  readonly statement: Statement | null;
}

/** The issue type of a check that threw. No pattern or setting hides it. */
export const checkExecutionError = "check_execution_error";

/** Turns the reports of checks into findings: completes, filters, collapses, supersedes. */
export class Collector {
  readonly #policy: Policy;
  readonly #label: string;
  readonly #engine: Engine;
  readonly #collected: Collected[] = [];

  constructor(policy: Policy, label: string, engine: Engine) {
    this.#policy = policy;
    this.#label = label;
    this.#engine = engine;
  }

  /** Runs a check on the policy, or on one statement; a check that throws becomes a finding itself. */
  collect(registered: RegisteredCheck, statement: Statement | null, context: CheckContext): void {
    const seen = new Set<string>();
    try {
      const { check } = registered;
      const reports = statement
        ? check.runStatement?.(statement, context)
        : check.runPolicy?.(context);
      for (const report of reports ?? []) this.#take(registered, statement, report, seen);
    } catch (error) {
      this.#engine.onCheckError(registered.check.check_id, error);
      if (this.#engine.settings.on_check_error === "fail") this.#failed(registered, statement);
    }
  }

  /** What has been collected so far, in order. */
  get collected(): readonly Collected[] {
    return this.#collected;
  }

  #take(
    registered: RegisteredCheck,
    current: Statement | null,
    report: Report,
    seen: Set<string>,
  ): void {
    const severity = report.severity ?? registered.severity;
    if (severity === "none") return;
    const statement = current ?? report.statement ?? null;
    const action = report.action ?? null;
    const resource = report.resource ?? null;
    const condition_key = report.condition_key ?? null;
    const sid = statement?.sid ?? null;
    if (registered.ignore.ignores({ filepath: this.#label, action, resource, sid, condition_key }))
      return;
    if (registered.hidden.has(severity)) return;
    // Findings of one check that differ only in their place inside the statement are one.
    const sameness = JSON.stringify([
      statement?.index ?? -1,
      report.issue_type,
      severity,
      report.message,
      action,
      resource,
      condition_key,
      report.field_name ?? null,
      report.suggestion ?? null,
    ]);
    if (seen.has(sameness)) return;
    seen.add(sameness);
    this.#add(registered, statement, { ...report, severity });
  }

  #failed(registered: RegisteredCheck, statement: Statement | null): void {
    const { check_id } = registered.check;
    const where = statement ? `statement ${statement.index + 1}` : "this policy";
    this.#add(registered, statement, {
      issue_type: checkExecutionError,
      severity: "error",
      message: `The check \`${check_id}\` failed on ${where}, so ${where} was not judged by it.`,
      suggestion: "Report this to whoever runs the server; its log has the detail.",
    });
  }

  #add(
    registered: RegisteredCheck,
    statement: Statement | null,
    report: Report & { severity: Severity },
  ): void {
    const { check } = registered;
    const node = report.node ?? statement?.node ?? this.#policy.node;
    const identity = {
      check_id: check.check_id,
      issue_type: report.issue_type,
      action: report.action ?? null,
      resource: report.resource ?? null,
      condition_key: report.condition_key ?? null,
    };
    const { base_url, include_aws_docs } = this.#engine.settings.documentation;
    const awsDocs = check.documentation_url || null;
    const suggestion = report.suggestion || null;
    const finding: Finding = {
      severity: report.severity,
      check_id: check.check_id,
      issue_type: report.issue_type,
      message: report.message,
      suggestion:
        base_url && include_aws_docs && awsDocs
          ? `${suggestion ? `${suggestion}\n` : ""}AWS documentation: ${awsDocs}`
          : suggestion,
      statement_index: statement?.index ?? -1,
      statement_sid: statement?.sid ?? null,
      path: pointerOf(node),
      location: this.#policy.document.locate(node),
      action: identity.action,
      resource: identity.resource,
      condition_key: identity.condition_key,
      field_name: report.field_name ?? null,
      example: report.example || null,
      risk_explanation: (report.risk_explanation ?? check.risk_explanation) || null,
      risk_category: check.risk_category || null,
      documentation_url: base_url ? `${base_url.replace(/\/$/, "")}/${check.check_id}` : awsDocs,
      // Shared by all findings of the check; nobody changes it.
      remediation_steps: (report.remediation_steps ?? check.remediation_steps) as string[],
      aws_issue_code: report.aws_issue_code ?? null,
      fingerprint: fingerprintOf(this.#policy.name, statement, identity),
    };
    // Checks that are not ours may yield anything; what is no finding counts as a failure of the check.
    if (registered.source !== "builtin") Finding.parse(finding);
    this.#collected.push({ registered, statement, finding });
  }
}
