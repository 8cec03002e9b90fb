import type { AuditRecord } from "../../spec/audit.ts";
import { lineWriter } from "../line-writer.ts";
import type { Log } from "../log.ts";

/** An audit record without its timestamp, which is added when it is written. */
export type AuditEntry = Omit<AuditRecord, "timestamp">;

/** Writes one audit record. Takes a function, so that errors while building the record are handled here too. */
export type Audit = (build: () => AuditEntry) => void;

/** Takes one line without its line break. */
export type LineSink = (line: string) => void;

/**
 * @param sink Throws if it cannot write.
 * @returns An audit that never fails a call: if a record cannot be written, it logs a warning without content.
 */
export function createAudit(sink: LineSink, log: Log): Audit {
  return (build) => {
    try {
      sink(auditLine(build()));
    } catch (error) {
      // Only the code, because the error's message can quote the record.
      log.warn({ error_code: codeOf(error) }, "An audit record could not be written.");
    }
  };
}

/**
 * What some readers take for the end of a line (U+0085, U+2028, U+2029), and what a terminal or an editor acts on
 * instead of showing it: the other C1 controls, DEL and the controls of the direction of text. JSON allows them raw.
 */
const unsafe = /[\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g;

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

/** Serialises a record with its keys in sorted order. */
function auditLine(entry: AuditEntry): string {
  const counts = Object.entries(entry.severity_counts).sort(([a], [b]) => (a < b ? -1 : 1));
  return JSON.stringify({
    config_digest: entry.config_digest,
    duration_s: Math.round(entry.duration_s * 1e6) / 1e6,
    outcome: entry.outcome,
    policy_count: entry.policy_count,
    scopes: entry.scopes.toSorted(),
    severity_counts: Object.fromEntries(counts),
    subject: entry.subject,
    timestamp: new Date().toISOString(),
    tool: entry.tool,
  } satisfies AuditRecord).replace(unsafe, escaped);
}

function codeOf(error: unknown): string {
  if (error instanceof Error && "code" in error && typeof error.code === "string") {
    return error.code;
  }
  return error instanceof Error ? error.name : typeof error;
}

/** Standard output. */
export function standardOutput(): LineSink {
  const write = lineWriter(1);
  return (line) => write(`${line}\n`);
}
