/** The tables of bench/report/verdicts.md. */
import type { Finding } from "../../spec/finding.ts";
import type { Outcome, Score, Share } from "./measure.ts";

const percent = ({ hits, of }: Share): string =>
  of === 0 ? "-" : `${((100 * hits) / of).toFixed(1)} % (${hits} of ${of})`;

const row = (...cells: readonly (string | number)[]) => `| ${cells.join(" | ")} |`;

/** One column per set. */
export function scoreTable(scores: Readonly<Record<string, Score>>): string[] {
  const sets = Object.entries(scores);
  const line = (name: string, goal: string, value: (score: Score) => string) =>
    row(name, goal, ...sets.map(([, score]) => value(score)));
  return [
    row("", "goal", ...sets.map(([name]) => name)),
    row("---", "---", ...sets.map(() => "---:")),
    line("sound policies that pass", "98 %", (score) => percent(score.soundThatPass)),
    line("faulty policies that fail", "95 %", (score) => percent(score.faultyThatFail)),
    line("faults that are reported", "97 %", (score) => percent(score.faultsReported)),
    line("findings that a label forbids", "0", (score) => String(score.unwanted)),
  ];
}

/** Per check: labels that it met, findings that a label forbids, labels that it missed. */
export function checkTable(outcomes: readonly Outcome[]): string[] {
  const checks = new Map<string, { met: number; unwanted: number; missed: number }>();
  const count = (id: string, key: "met" | "unwanted" | "missed") => {
    const counts = checks.get(id) ?? { met: 0, unwanted: 0, missed: 0 };
    counts[key] += 1;
    checks.set(id, counts);
  };
  for (const { met, missed, unwanted } of outcomes) {
    for (const label of met) count(label.check_id, "met");
    for (const label of missed) count(label.check_id, "missed");
    for (const finding of unwanted) count(finding.check_id, "unwanted");
  }
  return [
    row("check", "true", "unwanted", "missed"),
    row("---", "---:", "---:", "---:"),
    ...[...checks]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([id, { met, unwanted, missed }]) => row(`\`${id}\``, met, unwanted, missed)),
  ];
}

const brief = (finding: Finding) =>
  `${finding.severity} ${finding.check_id}/${finding.issue_type} [${finding.statement_index}]`;

/** The policies on which a label and the checks disagree, one bullet each. */
export function disagreements(outcomes: readonly Outcome[], failing: readonly string[]): string[] {
  return outcomes.flatMap(({ entry, isValid, missed, unwanted, findings }) => {
    const faults: string[] = [];
    if (entry.kind === "good" && !isValid) {
      const reasons = findings.filter(({ severity }) => failing.includes(severity));
      faults.push(`fails: ${reasons.map(brief).join(", ")}`);
    }
    if (entry.kind === "bad" && isValid) faults.push("passes");
    for (const label of missed) {
      const where = label.statement_index === undefined ? "" : ` [${label.statement_index}]`;
      faults.push(`not reported: ${[label.check_id, ...label.or].join(" or ")}${where}`);
    }
    for (const finding of unwanted) faults.push(`unwanted: ${brief(finding)}`);
    return faults.length === 0 ? [] : [`- \`${entry.id}\`: ${faults.join("; ")}`];
  });
}

/** Findings on a set without labels, by check, issue type and severity. */
export function countTable(findings: readonly Finding[]): string[] {
  const counts = new Map<string, number>();
  for (const { check_id, issue_type, severity } of findings) {
    const key = `\`${check_id}\` | ${issue_type} | ${severity}`;
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return [
    row("check", "issue type", "severity", "findings"),
    row("---", "---", "---", "---:"),
    ...[...counts].sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, n]) => `| ${key} | ${n} |`),
  ];
}
