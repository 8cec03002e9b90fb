import type { Severity } from "../../spec/severity.ts";
import type { Statement } from "../policy/model.ts";
import type { Report } from "./check.ts";

interface Seen {
  readonly report: Report;
  readonly severity: Severity;
  readonly statement: Statement | null;
  /** Keys of all reports with this message; absent while there is one. */
  keys?: Set<string>;
}

/**
 * Tells whether a report of a check says something new. Nearly all do, and differ in their message
 * already; only those that share one are compared field by field.
 */
export class Sameness {
  #first: Seen | undefined;
  #byMessage: Map<string, Seen> | undefined;

  isNew(report: Report, severity: Severity, statement: Statement | null): boolean {
    const { message } = report;
    if (!this.#first) {
      this.#first = { report, severity, statement };
      return true;
    }
    this.#byMessage ??= new Map([[this.#first.report.message, this.#first]]);
    const seen = this.#byMessage.get(message);
    if (!seen) {
      this.#byMessage.set(message, { report, severity, statement });
      return true;
    }
    seen.keys ??= new Set([keyOf(seen.report, seen.severity, seen.statement)]);
    const before = seen.keys.size;
    return seen.keys.add(keyOf(report, severity, statement)).size > before;
  }
}

function keyOf(report: Report, severity: Severity, statement: Statement | null): string {
  return JSON.stringify([
    statement?.index ?? -1,
    report.issue_type,
    severity,
    report.action ?? null,
    report.resource ?? null,
    report.condition_key ?? null,
    report.field_name ?? null,
    report.suggestion ?? null,
  ]);
}
