import type { ConfiguredSeverity } from "../../spec/severity.ts";
import type { Statement } from "../policy/model.ts";
import type { Report } from "./check.ts";

/** The reports with a message on one statement: the first one, or the keys of all if there are more. */
type Seen = Report | Set<string>;

/** Reports with the same message, by the index of their statement. */
interface SameMessage {
  readonly index: number;
  seen: Seen;
  /** Reports on other statements than the first. */
  elsewhere?: Map<number, Seen>;
}

/**
 * Detects duplicate reports of a check. Nearly all reports differ in message or statement, so only
 * those that share both are compared field by field.
 */
export class Deduplicator {
  readonly #severity: ConfiguredSeverity;
  #first: { readonly message: string; readonly same: SameMessage } | undefined;
  #byMessage: Map<string, SameMessage> | undefined;

  /** @param severity Severity of reports that have none. */
  constructor(severity: ConfiguredSeverity) {
    this.#severity = severity;
  }

  add(report: Report, statement: Statement | null): boolean {
    const { message } = report;
    const index = statement?.index ?? -1;
    if (!this.#first) {
      this.#first = { message, same: { index, seen: report } };
      return true;
    }
    this.#byMessage ??= new Map([[this.#first.message, this.#first.same]]);
    const same = this.#byMessage.get(message);
    if (!same) {
      this.#byMessage.set(message, { index, seen: report });
      return true;
    }
    if (same.index === index) {
      const keys = this.#keysOf(same.seen);
      same.seen = keys;
      return this.#addTo(keys, report);
    }
    same.elsewhere ??= new Map();
    const there = same.elsewhere.get(index);
    if (!there) {
      same.elsewhere.set(index, report);
      return true;
    }
    const keys = this.#keysOf(there);
    if (keys !== there) same.elsewhere.set(index, keys);
    return this.#addTo(keys, report);
  }

  #keysOf(seen: Seen): Set<string> {
    return seen instanceof Set ? seen : new Set([this.#keyOf(seen)]);
  }

  #addTo(keys: Set<string>, report: Report): boolean {
    const before = keys.size;
    return keys.add(this.#keyOf(report)).size > before;
  }

  #keyOf(report: Report): string {
    return JSON.stringify([
      report.issue_type,
      report.severity ?? this.#severity,
      report.action ?? null,
      report.resource ?? null,
      report.condition_key ?? null,
      report.field_name ?? null,
      report.suggestion ?? null,
    ]);
  }
}
