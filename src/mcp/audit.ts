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
  } satisfies AuditRecord);
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
