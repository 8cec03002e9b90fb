import type { Finding } from "../../spec/finding.ts";
import type { Severity } from "../../spec/severity.ts";
import { webAddress } from "./artifact-uri.ts";
import { ruleIdOf } from "./fingerprints.ts";
import { sarifText, withoutPlaceholders } from "./sarif-text.ts";
import { familyOf, levelOf } from "./totals.ts";
import type { ReportInput, ReportRule } from "./types.ts";

/** `security-severity` scores. GitHub shows critical above 9, high above 7, medium above 4. */
const scores: Partial<Record<Severity, string>> = {
  critical: "9.5",
  high: "8.0",
  medium: "5.5",
  low: "2.0",
};

/** GitHub rejects longer descriptions. */
const maxFullDescription = 1024;

/** Descriptors of the rules of all findings, by ascending id. */
export function sarifRules({ policies, rules }: ReportInput) {
  const known = new Map(rules.map((rule) => [rule.check_id, rule]));
  const examples = new Map<string, Finding>();
  for (const { result } of policies) {
    const suppressed = (result.suppressed ?? []).map(({ finding }) => finding);
    for (const finding of [...result.findings, ...suppressed]) {
      const id = ruleIdOf(finding);
      if (!examples.has(id)) examples.set(id, finding);
    }
  }
  return [...examples]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([id, finding]) => descriptor(id, known.get(id), finding));
}

function descriptor(id: string, rule: ReportRule | undefined, finding: Finding) {
  const severity = severityOf(rule) ?? finding.severity;
  const family = familyOf(severity);
  const description = rule?.description ?? id;
  const helpUri = webAddress(rule?.documentation_url ?? finding.documentation_url);
  const score = scores[severity];
  return {
    id,
    name: id
      .split(/[^A-Za-z0-9]+/)
      .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
      .join(""),
    shortDescription: { text: sarifText(description) },
    fullDescription: { text: sarifText(clipped(firstParagraph(rule?.docstring) ?? description)) },
    help: helpOf(rule, finding, helpUri),
    ...(helpUri === undefined ? {} : { helpUri }),
    defaultConfiguration: { level: levelOf(severity) },
    properties: {
      tags: [family, "iam", ...(finding.risk_category === null ? [] : [finding.risk_category])],
      precision: "high",
      family,
      severity,
      default_severity: rule?.default_severity ?? severity,
      ...(score === undefined ? {} : { "security-severity": score }),
    },
  };
}

function severityOf(rule: ReportRule | undefined): Severity | undefined {
  return rule?.severity === "none" ? rule.default_severity : rule?.severity;
}

function firstParagraph(docstring: string | null | undefined): string | undefined {
  const paragraph = docstring
    ?.trim()
    .split(/\n\s*\n/)[0]
    ?.replace(/\s+/g, " ");
  return paragraph === "" ? undefined : paragraph;
}

function clipped(text: string): string {
  return text.length <= maxFullDescription
    ? text
    : `${text.slice(0, maxFullDescription - 1).toWellFormed()}…`;
}

/** The check's documentation, reasons and steps. It comes from this project or the operator, so it is trusted. */
function helpOf(rule: ReportRule | undefined, finding: Finding, helpUri: string | undefined) {
  const body = rule?.docstring?.trim() || rule?.description || ruleIdOf(finding);
  return {
    text: sarifText(helpUri === undefined ? body : `${body}\n\n${helpUri}`),
    markdown: withoutPlaceholders(
      helpUri === undefined ? body : `${body}\n\n[Documentation](<${helpUri}>)`,
    ),
  };
}
