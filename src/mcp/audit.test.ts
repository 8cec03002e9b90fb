import { pino } from "pino";
import { describe, expect, test } from "vitest";
import { AuditRecord } from "../../spec/audit.ts";
import { type AuditEntry, createAudit } from "./audit.ts";

const entry: AuditEntry = {
  tool: "query",
  subject: "someone",
  scopes: ["iam:validate", "iam:query"],
  config_digest: "a".repeat(64),
  policy_count: 0,
  duration_s: 1.23456789,
  outcome: "success",
  severity_counts: { low: 1, critical: 2, high: 3 },
};

function collect(sink?: (line: string) => void) {
  const lines: string[] = [];
  const logged: string[] = [];
  const log = pino({ base: null }, { write: (line: string) => logged.push(line) });
  const audit = createAudit(sink ?? ((line) => lines.push(line)), log);
  return { audit, lines, logged };
}

describe("an audit record", () => {
  test("is one line of JSON with sorted keys, sorted scopes and six decimals", () => {
    const { audit, lines } = collect();
    audit(() => entry);
    const [line = ""] = lines;
    const record = AuditRecord.parse(JSON.parse(line));
    expect(line).not.toContain("\n");
    expect(Object.keys(record)).toEqual(Object.keys(record).sort());
    expect(record).toMatchObject({ duration_s: 1.234568, scopes: ["iam:query", "iam:validate"] });
    expect(Object.keys(record.severity_counts)).toEqual(["critical", "high", "low"]);
  });

  test("stays one line whatever the subject holds", () => {
    const { audit, lines } = collect();
    audit(() => ({ ...entry, subject: 'a\nb\r\u2028"}' }));
    expect(lines[0]).not.toMatch(/[\n\r]/);
    expect(JSON.parse(lines[0] ?? "").subject).toBe('a\nb\r\u2028"}');
  });

  test("holds nothing raw that a reader takes for the end of a line, or a terminal acts on", () => {
    const subject = "a\u0085b\u2028c\u2029d\u009be\u202ef\u2066g\u200fh\u007fi\ufeff";
    const { audit, lines } = collect();
    audit(() => ({ ...entry, subject, scopes: ["x\u2028y"] }));
    const [line = ""] = lines;
    expect(line).toMatch(/^[\x20-\x7e]+$/);
    expect(JSON.parse(line)).toMatchObject({ subject, scopes: ["x\u2028y"] });
  });

  test("that cannot be built or written becomes one warning without its content", () => {
    const broken = collect(() => {
      throw Object.assign(new Error("on someone"), { code: "EIO" });
    });
    broken.audit(() => entry);
    broken.audit(() => {
      throw new RangeError("on someone");
    });
    broken.audit(() => {
      throw Object.assign(new TypeError("on someone"), { code: 5 });
    });
    broken.audit(() => {
      throw { code: "EIO", message: "on someone" };
    });
    const warnings = broken.logged.map((line) => JSON.parse(line));
    expect(warnings.map(({ error_code }) => error_code)).toEqual([
      "EIO",
      "RangeError",
      "TypeError",
      "object",
    ]);
    for (const { level, msg } of warnings) {
      expect([level, msg]).toEqual([40, "An audit record could not be written."]);
    }
    expect(broken.logged.join("")).not.toContain("someone");
  });
});
