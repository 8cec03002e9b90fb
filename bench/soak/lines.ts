import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { AuditRecord, type Outcome } from "../../spec/audit.ts";

/** What a replica wrote in its life. */
export interface LogCount {
  /** Of the honest callers. */
  readonly auditRecords: number;
  readonly outcomes: Readonly<Partial<Record<Outcome, number>>>;
  /** Lines of standard output that are not audit record. */
  readonly foreign: readonly string[];
  /** Lines of standard error by level; `none`: no JSON line of ours. */
  readonly levels: Readonly<Record<string, number>>;
  /** Lines at `warn` and above, and those that are none of ours. */
  readonly remarkable: readonly string[];
}

const shownLines = 20;

/**
 * Reads all that a container has written, line by line, and keeps the remarkable ones.
 * @param subjects Prefix of the subjects whose audit records are counted.
 */
export async function countLines(container: string, subjects: string): Promise<LogCount> {
  const child = spawn("docker", ["logs", container], { stdio: ["ignore", "pipe", "pipe"] });
  const outcomes: Partial<Record<Outcome, number>> = {};
  const levels: Record<string, number> = {};
  const foreign: string[] = [];
  const remarkable: string[] = [];
  let auditRecords = 0;
  createInterface({ input: child.stdout }).on("line", (line) => {
    const record = AuditRecord.safeParse(parsed(line));
    if (record.success) {
      if (!record.data.subject?.startsWith(subjects)) return;
      auditRecords++;
      outcomes[record.data.outcome] = (outcomes[record.data.outcome] ?? 0) + 1;
    } else if (foreign.length < shownLines) foreign.push(line);
  });
  createInterface({ input: child.stderr }).on("line", (line) => {
    const level = levelOf(parsed(line));
    levels[level] = (levels[level] ?? 0) + 1;
    const usual = level === "info" || level === "debug";
    if (!usual && remarkable.length < shownLines) remarkable.push(line);
  });
  await once(child, "close");
  return { auditRecords, outcomes, foreign, levels, remarkable };
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

function levelOf(line: unknown): string {
  const known = typeof line === "object" && line !== null && "level" in line;
  return known ? String(line.level) : "none";
}
