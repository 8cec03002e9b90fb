import type { LeanFinding } from "../../spec/finding.ts";
import { severityRank } from "../../spec/severity.ts";

/** Findings with the same key say the same, whatever samples stand in the policy. */
function keyOf(finding: LeanFinding): string {
  const { check_id, issue_type, path, statement_index } = finding;
  return JSON.stringify([check_id, issue_type, path, statement_index]);
}

/**
 * @returns the findings of `first` that every other run has too, each with the mildest severity that it
 * has in any of them. Of findings with one key, as many as the run with the fewest has.
 */
export function inAll<Shown extends LeanFinding>(
  first: readonly Shown[],
  others: readonly (readonly LeanFinding[])[],
): Shown[] {
  const byRun = others.map((run) => Map.groupBy(run, keyOf));
  const taken = new Map<string, number>();
  const kept: Shown[] = [];
  for (const finding of first) {
    const key = keyOf(finding);
    const index = taken.get(key) ?? 0;
    taken.set(key, index + 1);
    const same = byRun.map((run) => run.get(key)?.[index]);
    if (same.some((one) => one === undefined)) continue;
    let { severity } = finding;
    for (const one of same) {
      if (one && severityRank[one.severity] < severityRank[severity]) severity = one.severity;
    }
    kept.push({ ...finding, severity });
  }
  return kept;
}

/** The findings of one alternative of a document. */
export interface AlternativeFindings<Shown extends LeanFinding> {
  readonly findings: readonly Shown[];
  /** As in "the condition `IsProduction` is false"; null: always. */
  readonly when: string | null;
  readonly byDefault: boolean;
}

/**
 * The findings of all alternatives, each once. One that not every alternative has says when it holds; if
 * it needs the default of a parameter, an error becomes a warning, because AWS may never see that value.
 */
export function union<Shown extends LeanFinding>(
  alternatives: readonly AlternativeFindings<Shown>[],
): Shown[] {
  const found = new Map<string, { finding: Shown; in: AlternativeFindings<Shown>[] }>();
  for (const alternative of alternatives) {
    const seen = new Map<string, number>();
    for (const finding of alternative.findings) {
      const { location, path, statement_index: _index, ...rest } = finding;
      // Statements shift where a condition removes one, so the place in the file tells them apart.
      const place = location ? location.start.offset : path;
      const base = JSON.stringify([rest.check_id, rest.issue_type, place, finding.message]);
      const nth = seen.get(base) ?? 0;
      seen.set(base, nth + 1);
      const key = `${nth} ${base}`;
      const known = found.get(key);
      if (known) known.in.push(alternative);
      else found.set(key, { finding, in: [alternative] });
    }
  }
  return [...found.values()].map(({ finding, in: holders }) => {
    if (holders.length === alternatives.length) return finding;
    const [holder] = holders;
    const needsDefault = holders.every(({ byDefault }) => byDefault);
    const severity = needsDefault && finding.severity === "error" ? "warning" : finding.severity;
    const when = holders.every((one) => one.when !== null) ? holder?.when : null;
    const message = when ? `${finding.message} This is so if ${when}.` : finding.message;
    return { ...finding, severity, message };
  });
}
