import type { Finding } from "../../spec/finding.ts";
import { escapeInvisible } from "../policy/escape-invisible.ts";
import { onOneLine, pathOf, startOf, verdictLine } from "./totals.ts";
import type { ReportInput, ReportPolicy } from "./types.ts";

/** One line for each finding, `file:line:column: severity check: message`, and the verdict. */
export function renderConcise(input: ReportInput): string {
  const lines = input.policies.flatMap((policy) =>
    policy.result.findings.map((finding) => conciseLine(policy, finding)),
  );
  return `${[...lines, verdictLine(input)].join("\n")}\n`;
}

/** A finding on one line; editors and terminals link its beginning. */
export function conciseLine(policy: ReportPolicy, finding: Finding): string {
  const { line, column } = startOf(finding);
  const { severity, check_id, message } = finding;
  const text = `${pathOf(policy)}:${line}:${column}: ${severity} ${check_id}: ${message}`;
  return escapeInvisible(onOneLine(text));
}
