import type { LeanFinding } from "../../spec/finding.ts";
import type { Statement } from "../policy/model.ts";
import type { Check } from "./check.ts";
import { type Collected, checkExecutionError } from "./collect.ts";
import type { Engine } from "./run.ts";

/**
 * Where a check stands for others on a statement (`full_wildcard` for the narrower wildcard checks),
 * the others' findings on that statement go, and its message says so.
 * @param on `settings.suppress_superseded_findings`.
 * @param onCheckError Told when a check cannot say whether it stands; then it does not, and nothing goes.
 */
export function supersede<Shown extends LeanFinding>(
  collected: readonly Collected<Shown>[],
  on: boolean,
  onCheckError: Engine["onCheckError"],
): readonly Shown[] {
  const standIns = on
    ? collected.filter(
        ({ registered: { check }, statement, finding }) =>
          statement &&
          finding.issue_type !== checkExecutionError &&
          check.supersedes?.length &&
          stands(check, statement, onCheckError),
      )
    : [];
  if (standIns.length === 0) return collected.map(({ finding }) => finding);

  const superseded = new Map<number, Set<string>>();
  for (const { statement, registered } of standIns) {
    const ids = superseded.get(statement?.index ?? -1) ?? new Set();
    for (const id of registered.check.supersedes ?? []) ids.add(id);
    superseded.set(statement?.index ?? -1, ids);
  }
  const dropped = new Map<number, Set<string>>();
  const left: Collected<Shown>[] = [];
  for (const one of collected) {
    const { finding, statement } = one;
    const goes =
      statement !== null &&
      finding.issue_type !== checkExecutionError &&
      superseded.get(statement.index)?.has(finding.check_id);
    if (!goes) {
      left.push(one);
      continue;
    }
    const ids = dropped.get(statement.index) ?? new Set();
    dropped.set(statement.index, ids.add(finding.check_id));
  }
  const standing = new Set(standIns);
  return left.map((one) => {
    const ids = standing.has(one) ? dropped.get(one.finding.statement_index) : undefined;
    return ids ? { ...one.finding, message: withNote(one.finding.message, ids) } : one.finding;
  });
}

/** A check that does not say which statements it covers stands wherever it reports something. */
function stands(check: Check, statement: Statement, onCheckError: Engine["onCheckError"]): boolean {
  if (!check.covers) return true;
  try {
    return check.covers(statement);
  } catch (error) {
    onCheckError(check.check_id, error);
    return false;
  }
}

function withNote(message: string, ids: ReadonlySet<string>): string {
  const names = [...ids].sort().map((id) => `\`${id}\``);
  const checks = names.length === 1 ? "1 narrower check" : `${names.length} narrower checks`;
  return `${message} This finding stands for those of ${checks} on the statement: ${names.join(", ")}.`;
}
