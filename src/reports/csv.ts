import { escapeInvisible } from "../policy/escape-invisible.ts";
import { questionOf, verdictOf } from "./answers.ts";
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
 * Two RFC 4180 tables with an empty line between them: counts, then one row per finding. Statements
 * count from 1; a finding about the whole document has none.
 */
export function renderCsv(input: ReportInput): string {
  const rows = [
    ["Summary", "Count"],
    ...totalsOf(input).map(([name, count]) => [name, String(count)]),
    ...input.policies.flatMap(({ file, result: { answers = [] } }) =>
      answers.map((answer) => [`${questionOf(answer)}: ${file}`, verdictOf(answer)]),
    ),
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
