import type { Fix, LeanFinding } from "../../spec/finding.ts";
import { type Severity, severityRank } from "../../spec/severity.ts";
import { withoutNumbers } from "./once-per-place.ts";

/** Findings with the same key say the same, whatever samples the policy has. */
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
    kept.push({ ...finding, severity, fix: sharedFix([finding, ...same]) });
  }
  return kept;
}

/** The fix that all of the findings have, with the weakest promise that one of them gives; null if they differ. */
function sharedFix(findings: readonly (LeanFinding | undefined)[]): Fix | null {
  const fixes = findings.map((finding) => finding?.fix ?? null);
  const [first = null, ...others] = fixes;
  if (!first) return null;
  const edit = JSON.stringify(first.patch);
  if (!others.every((other) => other && JSON.stringify(other.patch) === edit)) return null;
  return others.every((other) => other?.effect === first.effect)
    ? first
    : (fixes.find((one) => one?.effect === "changes") ?? null);
}

/** The findings of one alternative of a document. */
export interface AlternativeFindings<Shown extends LeanFinding> {
  readonly findings: readonly Shown[];
  /** What was chosen for it, as in "the condition `IsProduction` is true". */
  readonly choices: readonly string[];
  readonly byDefault: boolean;
}

/**
 * The findings of all alternatives, each once, with the worst severity that one of them gives it. One that not every
 * alternative has says when it holds; an error that needs the default of a parameter is a warning, because AWS may never
 * see that value. A risk keeps its severity: a deployment without the parameter has it.
 */
export function union<Shown extends LeanFinding>(
  alternatives: readonly AlternativeFindings<Shown>[],
): Shown[] {
  const found = new Map<
    string,
    { finding: Shown; all: Shown[]; in: AlternativeFindings<Shown>[] }
  >();
  for (const alternative of alternatives) {
    const seen = new Map<string, number>();
    for (const finding of alternative.findings) {
      const { location, path, statement_index: _index, ...rest } = finding;
      // Statements shift where a condition removes one, so the place in the file tells them apart.
      const place = location ? location.start.offset : path;
      const message = withoutNumbers(finding.message);
      const base = JSON.stringify([rest.check_id, rest.issue_type, place, message]);
      const nth = seen.get(base) ?? 0;
      seen.set(base, nth + 1);
      const key = `${nth} ${base}`;
      const known = found.get(key);
      if (known) {
        known.in.push(alternative);
        known.all.push(finding);
      } else found.set(key, { finding, all: [finding], in: [alternative] });
    }
  }
  // A policy may have thousands of conditional parts, each of them a choice of every alternative.
  const choices = new Map<object, ReadonlySet<string>>(
    alternatives.map((one) => [one, new Set(one.choices)]),
  );
  const hasChoice: HasChoice = (one, choice) => choices.get(one)?.has(choice) === true;
  return [...found.values()].map(({ finding, all, in: holders }) => {
    const severity = worstOf(all, holders, alternatives.length);
    if (holders.length === alternatives.length) {
      return { ...finding, severity, fix: sharedFix(all) };
    }
    const others = alternatives.filter((one) => !holders.includes(one));
    const message = `${finding.message} This is so ${reasonOf(holders, others, hasChoice)}.`;
    // What repairs one alternative may spoil another.
    return { ...finding, severity, message, fix: null };
  });
}

/** @param findings One finding, as each of the holders has it. */
function worstOf(
  findings: readonly LeanFinding[],
  holders: readonly AlternativeFindings<LeanFinding>[],
  total: number,
): Severity {
  const failing = holders.filter((_, index) => findings[index]?.severity === "error");
  const isSure = failing.length === total || failing.some(({ byDefault }) => !byDefault);
  return findings
    .map(({ severity }) => (severity === "error" && !isSure ? "warning" : severity))
    .reduce((worst, one) => (severityRank[one] > severityRank[worst] ? one : worst));
}

type HasChoice = (one: AlternativeFindings<LeanFinding>, choice: string) => boolean;

/** Choices that a reason lists at most. */
const maxReasons = 3;

/**
 * When a finding holds: under one choice that only alternatives with the finding have, or several that no other has
 * together, or one for each of them.
 */
function reasonOf(
  holders: readonly AlternativeFindings<LeanFinding>[],
  others: readonly AlternativeFindings<LeanFinding>[],
  hasChoice: HasChoice,
): string {
  const isDeciding = (choice: string) => !others.some((other) => hasChoice(other, choice));
  const [first, ...further] = holders;
  const shared = (first?.choices ?? []).filter((choice) =>
    further.every((holder) => hasChoice(holder, choice)),
  );
  const deciding = shared.find(isDeciding);
  if (deciding !== undefined) return `if ${deciding}`;
  const together = shared
    .filter((choice) => !others.every((other) => hasChoice(other, choice)))
    .slice(0, maxReasons);
  const excludes = others.every((other) => !together.every((choice) => hasChoice(other, choice)));
  if (excludes) return `if ${together.join(" and ")}`;
  const own = new Set(holders.map(({ choices }) => choices.find(isDeciding)));
  return own.size > maxReasons || own.has(undefined)
    ? "for some parameters or conditions of the template, not for all"
    : `if ${[...own].join(" or ")}`;
}
