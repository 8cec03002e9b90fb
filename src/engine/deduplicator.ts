import type { ConfiguredSeverity } from "../../spec/severity.ts";
import type { Statement } from "../policy/model.ts";
import type { Report } from "./check.ts";

/** The reports of a message on one statement: the first, or the keys of all when there are more. */
type Seen = Report | Set<string>;

/** Reports that share a message, by the index of their statement. */
interface SameMessage {
  readonly index: number;
  seen: Seen;
  /** Those on other statements than the first. */
  elsewhere?: Map<number, Seen>;
}

/**
 * Tells whether a report of a check says something new. Nearly all do, and differ in message or
 * statement already; only those that share both are compared field by field.
 */
export class Deduplicator {
  readonly #severity: ConfiguredSeverity;
  #first: { readonly message: string; readonly same: SameMessage } | undefined;
  #byMessage: Map<string, SameMessage> | undefined;

  /** @param severity Of reports that have none of their own. */
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
