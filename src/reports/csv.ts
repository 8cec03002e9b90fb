import { escapeInvisible } from "../policy/escape-invisible.ts";
import { totalsOf } from "./totals.ts";
import type { ReportInput } from "./types.ts";

const columns = [
  "Policy File",
  "Statement Index",
  "Statement SID",
  "Line Number",
  "Severity",
  "Issue Type",
  "Action",
  "Resource",
  "Condition Key",
  "Message",
  "Suggestion",
];

/**
 * Two blocks of RFC 4180 with a blank line between them: counts, then one row per finding. Statements
 * count from 1; the whole document has none.
 */
export function renderCsv(input: ReportInput): string {
  const rows = [
    ["Summary", "Count"],
    ...totalsOf(input).map(([name, count]) => [name, String(count)]),
    [],
    columns,
    ...input.policies.flatMap(({ file, result }) =>
      result.findings.map((finding) => [
        file,
        finding.statement_index < 0 ? "" : String(finding.statement_index + 1),
        finding.statement_sid ?? "",
        finding.location ? String(finding.location.start.line) : "",
        finding.severity,
        finding.issue_type,
        finding.action ?? "",
        finding.resource ?? "",
        finding.condition_key ?? "",
        finding.message,
        finding.suggestion ?? "",
      ]),
    ),
  ];
  return rows.map((row) => `${row.map(cell).join(",")}\r\n`).join("");
}

/** Beginnings that a spreadsheet takes for a formula, their full-width twins among them. */
const formula = /^[=+\-@\t\r\n＝＋－＠]/;

/**
 * One cell. A tab before a would-be formula makes it text; line ends and other controls are shown as
 * escapes, so that a row is one line for every reader, and cannot be forged.
 */
function cell(value: string): string {
  const guarded = (formula.test(value) ? "\t" : "") + escapeInvisible(value);
  return /[",;\t]|^ | $/.test(guarded) ? `"${guarded.replaceAll('"', '""')}"` : guarded;
}
