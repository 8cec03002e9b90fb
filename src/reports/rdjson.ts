import type { Finding, Location } from "../../spec/finding.ts";
import { escapeInvisible } from "../policy/escape-invisible.ts";
import { webAddress } from "./artifact-uri.ts";
import { linesReader } from "./code-frame.ts";
import { escapeControls } from "./json-text.ts";
import { inlineMarkdown } from "./markdown-text.ts";
import { type Level, levelOf, pathOf } from "./totals.ts";
import type { ReportInput, ReportPolicy } from "./types.ts";

const severities: Record<Level, "ERROR" | "WARNING" | "INFO"> = {
  error: "ERROR",
  warning: "WARNING",
  note: "INFO",
};

/**
 * A report for reviewdog, which posts it as review comments.
 * @see https://github.com/reviewdog/reviewdog/blob/master/proto/rdf/reviewdog.proto
 */
export function renderRdjson({ policies }: ReportInput): string {
  const linesOf = linesReader();
  const diagnostics = policies.flatMap((policy) => {
    const lines = linesOf(policy.text);
    return policy.result.findings.map((finding) => diagnosticOf(policy, finding, lines));
  });
  const report = { source: { name: "validator-mcp" }, diagnostics };
  return `${escapeControls(JSON.stringify(report, null, 2))}\n`;
}

function diagnosticOf(policy: ReportPolicy, finding: Finding, lines: readonly string[] | null) {
  const { message, suggestion, severity, check_id, location } = finding;
  const edit = policy.edits?.get(finding);
  const url = webAddress(finding.documentation_url);
  const parts = suggestion === null ? [message] : [message, suggestion];
  return {
    message: parts.map(inlineMarkdown).join("\n\n"),
    location: {
      path: escapeInvisible(pathOf(policy)),
      range:
        location && lines
          ? rangeOf(location, lines)
          : { start: { line: location?.start.line ?? 1 } },
    },
    severity: severities[levelOf(severity)],
    code: { value: check_id, ...(url === undefined ? {} : { url }) },
    // A reviewer commits it with one click, so the text is that of the file, and it has no placeholder to fill in.
    ...(edit && lines && finding.fix?.needs_input.length === 0
      ? { suggestions: [{ range: rangeOf(edit.location, lines), text: edit.text }] }
      : {}),
  };
}

/** A range with columns in UTF-8 bytes from 1, the end exclusive. */
export function rangeOf({ start, end }: Location, lines: readonly string[]) {
  const position = ({ line, column }: Location["start"]) => ({
    line,
    column: Buffer.byteLength((lines[line - 1] ?? "").slice(0, column)) + 1,
  });
  return { start: position(start), end: position(end) };
}
