import type { AccessAnswer } from "../../spec/access.ts";
import type { Finding, Fix } from "../../spec/finding.ts";
import type { Suppressed } from "../engine/exceptions.ts";
import { questionOf, verdictOf } from "./answers.ts";
import { diffLines } from "./edits.ts";
import { codeBlock, codeSpan, inlineMarkdown } from "./markdown-text.ts";
import { reasonInWords, suppressedInWords } from "./suppressed.ts";
import { countsInWords, fixNote, placeOf, titleOf, totalsOf } from "./totals.ts";
import type { FixEdit, ReportInput, ReportPolicy } from "./types.ts";

/** A report for people and models: counts, then the findings policy by policy. */
export function renderMarkdown(input: ReportInput): string {
  const blocks = [
    "# IAM policy validation report",
    origin(input),
    "## Summary",
    table(totalsOf(input)),
    "## Findings",
    ...input.policies.map(policySection),
  ];
  return `${blocks.join("\n\n")}\n`;
}

function origin({ generatedAt, version, dataDate, config_digest }: ReportInput): string {
  const data = dataDate === null ? "" : `, AWS reference data of ${codeSpan(dataDate)}`;
  return (
    `Made ${generatedAt.toISOString()} by validator-mcp ${codeSpan(version)}${data}, ` +
    `config ${codeSpan(config_digest)}.`
  );
}

function table(rows: readonly [name: string, count: number][]): string {
  return ["| | Count |", "| --- | ---: |", ...rows.map(([name, n]) => `| ${name} | ${n} |`)].join(
    "\n",
  );
}

function policySection(policy: ReportPolicy, index: number): string {
  const { result, edits } = policy;
  const verdict = result.fails_policy ? "fails" : "passes";
  return [
    `### ${index + 1}. ${codeSpan(titleOf(policy))} ${verdict}`,
    `${result.policy_type} (${result.policy_type_source}). ${countsInWords(result.findings)}.`,
    ...(result.answers?.length ? [result.answers.map(answerItem).join("\n")] : []),
    ...result.findings.map((finding) => findingItem(finding, edits?.get(finding))),
    ...(result.suppressed?.length ? [suppressedItems(result.suppressed)] : []),
  ].join("\n\n");
}

function suppressedItems(suppressed: readonly Suppressed[]): string {
  const items = suppressed.map(({ finding, suppression }) => {
    const { severity, check_id } = finding;
    const reason = codeSpan(reasonInWords(suppression));
    return `- **${severity}** ${codeSpan(check_id)}, ${whereabouts(finding)}: ${reason}`;
  });
  return [suppressedInWords(suppressed), "", ...items].join("\n");
}

function answerItem(answer: AccessAnswer): string {
  return `- ${codeSpan(questionOf(answer))}: ${inlineMarkdown(verdictOf(answer))}`;
}

function findingItem(finding: Finding, edit: FixEdit | undefined): string {
  const { severity, check_id, issue_type, message, suggestion, example } = finding;
  const blocks = [
    `**${severity}** ${codeSpan(check_id)} ${codeSpan(issue_type)}, ${whereabouts(finding)}`,
    inlineMarkdown(message),
    ...(suggestion === null ? [] : [`Suggestion: ${inlineMarkdown(suggestion)}`]),
    ...(finding.fix && edit ? fixBlocks(finding.fix, edit) : []),
    ...(example === null || edit ? [] : ["Example:", codeBlock(example).join("\n")]),
  ];
  const lines = blocks.join("\n\n").split("\n");
  return lines
    .map((line, at) => (line === "" ? "" : `${at === 0 ? "- " : "  "}${line}`))
    .join("\n");
}

/** A suggestion block is what GitHub offers to apply to the lines of a comment. */
function fixBlocks(fix: Fix, edit: FixEdit): string[] {
  const block = edit.isWholeLines
    ? codeBlock(edit.added.join("\n"), "suggestion")
    : codeBlock(diffLines(edit).join("\n"), "diff");
  return [`Fix: ${inlineMarkdown(fix.title)} (${fixNote(fix, codeSpan)})`, block.join("\n")];
}

function whereabouts(finding: Finding): string {
  const { statement_index, statement_sid, path } = finding;
  const statement = statement_index < 0 ? "whole document" : `statement ${statement_index + 1}`;
  const sid = statement_sid === null ? "" : ` (${codeSpan(statement_sid)})`;
  return [placeOf(finding), statement + sid, ...(path === "" ? [] : [codeSpan(path)])]
    .filter((part) => part !== undefined)
    .join(", ");
}
