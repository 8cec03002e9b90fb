import type { Finding } from "../../spec/finding.ts";
import { escapeInvisible, escapeInvisibleLines } from "../policy/escape-invisible.ts";
import { levelOf, repositoryPathOf, startOf } from "./totals.ts";
import type { ReportInput, ReportPolicy } from "./types.ts";

const commands = { error: "error", warning: "warning", note: "notice" } as const;

/**
 * Workflow commands, one for each finding, which GitHub Actions shows as annotations of the lines. It
 * shows 10 of each kind for a step, so the worst come first.
 * @see https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-commands
 */
export function renderGithub(input: ReportInput): string {
  const order = ["error", "warning", "note"];
  const lines = input.policies.flatMap((policy) =>
    policy.result.findings.map((finding) => ({
      rank: order.indexOf(levelOf(finding.severity)),
      text: commandOf(policy, finding),
    })),
  );
  return lines
    .sort((a, b) => a.rank - b.rank)
    .map(({ text }) => `${text}\n`)
    .join("");
}

function commandOf(policy: ReportPolicy, finding: Finding): string {
  const { severity, check_id, message, suggestion, location } = finding;
  const { line, column } = startOf(finding);
  const end = location?.end;
  const properties: Record<string, string | number> = {
    file: repositoryPathOf(policy),
    line,
    endLine: end?.line ?? line,
    // GitHub takes columns only within one line.
    ...(end?.line === line ? { col: column, endColumn: end.column + 1 } : {}),
    title: `${severity} ${check_id}`,
  };
  const shown = Object.entries(properties).map(
    ([name, value]) => `${name}=${escapeProperty(escapeInvisible(String(value)))}`,
  );
  const text = suggestion === null ? message : `${message}\n${suggestion}`;
  const data = escapeInvisibleLines(text).map(escapeData).join("%0A");
  return `::${commands[levelOf(severity)]} ${shown.join(",")}::${data}`;
}

/** The characters that `@actions/core` escapes in the text of a command, other than line ends, which no text has here. */
function escapeData(text: string): string {
  return text.replaceAll("%", "%25");
}

/** The characters that `@actions/core` escapes in a property of a command. */
function escapeProperty(text: string): string {
  return escapeData(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
}
