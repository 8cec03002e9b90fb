import type { Severity } from "../../spec/severity.ts";
import type { Statement } from "../policy/model.ts";
import type { Report } from "./check.ts";

/** Reports of one statement that share a message. */
interface Seen {
  readonly report: Report;
  readonly severity: Severity;
  readonly index: number;
  /** Keys of all of them; absent while there is one. */
  keys?: Set<string>;
  /** The same message on other statements, by their index; only on the first of a message. */
  elsewhere?: Map<number, Seen>;
}

/**
 * Tells whether a report of a check says something new. Nearly all do, and differ in message or
 * statement already; only those that share both are compared field by field.
 */
export class Sameness {
  #first: Seen | undefined;
  #byMessage: Map<string, Seen> | undefined;

  isNew(report: Report, severity: Severity, statement: Statement | null): boolean {
    const { message } = report;
    const index = statement?.index ?? -1;
    if (!this.#first) {
      this.#first = { report, severity, index };
      return true;
    }
    this.#byMessage ??= new Map([[this.#first.report.message, this.#first]]);
    let seen = this.#byMessage.get(message);
    if (!seen) {
      this.#byMessage.set(message, { report, severity, index });
      return true;
    }
    if (seen.index !== index) {
      seen.elsewhere ??= new Map();
      const there = seen.elsewhere.get(index);
      if (!there) {
        seen.elsewhere.set(index, { report, severity, index });
        return true;
      }
      seen = there;
    }
    seen.keys ??= new Set([keyOf(seen.report, seen.severity)]);
    const before = seen.keys.size;
    return seen.keys.add(keyOf(report, severity)).size > before;
  }
}

function keyOf(report: Report, severity: Severity): string {
  return JSON.stringify([
    report.issue_type,
    severity,
    report.action ?? null,
    report.resource ?? null,
    report.condition_key ?? null,
    report.field_name ?? null,
    report.suggestion ?? null,
  ]);
}
