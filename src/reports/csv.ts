import { escapeInvisible } from "../policy/escape-invisible.ts";
import { questionOf, verdictOf } from "./answers.ts";
import { suppressedInWords } from "./suppressed.ts";
import { startOf } from "./totals.ts";
import type { ReportInput } from "./types.ts";

const columns = [
  "Policy File",
  "Policy Type",
  "Statement Index",
  "Statement SID",
  "Line Number",
  "Column Number",
  "Severity",
  "Check ID",
  "Issue Type",
  "Action",
  "Resource",
  "Condition Key",
  "Message",
  "Suggestion",
  "Fingerprint",
] as const;

type Row = Partial<Record<(typeof columns)[number], string | number | null>>;

/**
 * One RFC 4180 table: a header, a row for each finding, and a row of issue type `answer` for each answer
 * to a question about access, and one of issue type `suppressed` for each policy of which findings were left
 * out, with their number. Statements, lines and columns count from 1; a finding about the whole
 * document has no statement.
 */
export function renderCsv({ policies }: ReportInput): string {
  const rows = policies.flatMap(({ file, place, result }): Row[] => {
    const about = { "Policy File": file, "Policy Type": result.policy_type };
    const findings = result.findings.map((finding): Row => {
      const { statement_index, location } = finding;
      const { line, column } = startOf(finding);
      return {
        ...about,
        "Statement Index": statement_index < 0 ? null : statement_index + 1,
        "Statement SID": finding.statement_sid,
        "Line Number": location ? line : null,
        "Column Number": location ? column : null,
        Severity: finding.severity,
        "Check ID": finding.check_id,
        "Issue Type": finding.issue_type,
        Action: finding.action,
        Resource: finding.resource,
        "Condition Key": finding.condition_key,
        Message: finding.message,
        Suggestion: finding.suggestion,
        Fingerprint: finding.fingerprint,
      };
    });
    const answers = (result.answers ?? []).map((answer): Row => {
      const said = `${questionOf(answer)}: ${verdictOf(answer)}`;
      const message = place ? `${place}: ${said}` : said;
      const { check_id } = answer;
      return { ...about, "Check ID": check_id, "Issue Type": "answer", Message: message };
    });
    const words = suppressedInWords(result.suppressed ?? []);
    const without = words ? [{ ...about, "Issue Type": "suppressed", Message: words }] : [];
    return [...findings, ...answers, ...without];
  });
  const lines = rows.map((row) => columns.map((name) => cell(String(row[name] ?? ""))));
  return [[...columns], ...lines].map((line) => `${line.join(",")}\r\n`).join("");
}

/** Characters that start a formula in spreadsheets, including their full-width forms. */
const formula = /^[=+\-@\t\r\n＝＋－＠]/;

/**
 * One cell. A leading tab turns a possible formula into text. Line ends and other control characters
 * are escaped, so that each row is one line for every reader and values cannot forge rows.
 */
function cell(value: string): string {
  const guarded = (formula.test(value) ? "\t" : "") + escapeInvisible(value);
  return /[",;\t]|^ | $/.test(guarded) ? `"${guarded.replaceAll('"', '""')}"` : guarded;
}
