import type { AuditRecord } from "../../spec/audit.ts";
import { lineWriter } from "../line-writer.ts";
import type { Log } from "../log.ts";

/** What a call knows about itself when it ends; the time of writing is added here. */
export type AuditEntry = Omit<AuditRecord, "timestamp">;

/** Writes one audit record. Takes a function so that a failure to build the record stays in here too. */
export type Audit = (build: () => AuditEntry) => void;

/** Takes one line without its line break. */
export type LineSink = (line: string) => void;

/**
 * @param sink Throws when it cannot write.
 * @returns an audit that never fails a call: a record that cannot be written becomes a warning without content.
 */
export function createAudit(sink: LineSink, log: Log): Audit {
  return (build) => {
    try {
      sink(auditLine(build()));
    } catch (error) {
      // Not the error itself: what a sink complains about may be the line.
      log.warn({ error_code: codeOf(error) }, "An audit record could not be written.");
    }
  };
}

/** Keys are sorted: they are written in this order. */
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
