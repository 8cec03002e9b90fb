import type { LeanFinding } from "../../spec/finding.ts";
import type { Statement } from "../policy/model.ts";
import type { Check } from "./check.ts";
import { checkExecutionError, type StandIn } from "./collect.ts";
import type { Engine } from "./types.ts";

/**
 * Where a check stands for others on a statement (`full_wildcard` for the narrower wildcard checks),
 * the others' findings on that statement go, and its message says so.
 * @param candidates Those of the findings that may stand for others.
 * @param onCheckError Told when a check cannot say whether it stands; then it does not, and nothing goes.
 */
export function supersede<Shown extends LeanFinding>(
  findings: readonly Shown[],
  candidates: readonly StandIn<Shown>[],
  onCheckError: Engine["onCheckError"],
): readonly Shown[] {
  const standIns = candidates.filter((one) => stands(one.check, one.statement, onCheckError));
  if (standIns.length === 0) return findings;

  /** Ids of the checks that are stood for, by the index of the statement. */
  const superseded = new Map<number, Set<string>>();
  for (const { statement, check } of standIns) {
    const ids = superseded.get(statement.index) ?? new Set();
    for (const id of check.supersedes ?? []) ids.add(id);
    superseded.set(statement.index, ids);
  }
  const dropped = new Map<number, Set<string>>();
  const left = findings.filter(({ statement_index, issue_type, check_id }) => {
    const goes =
      issue_type !== checkExecutionError && superseded.get(statement_index)?.has(check_id);
    if (!goes) return true;
    const ids = dropped.get(statement_index) ?? new Set();
    dropped.set(statement_index, ids.add(check_id));
    return false;
  });
  const standing = new Set<LeanFinding>(standIns.map(({ finding }) => finding));
  return left.map((finding) => {
    const ids = standing.has(finding) ? dropped.get(finding.statement_index) : undefined;
    return ids ? { ...finding, message: withNote(finding.message, ids) } : finding;
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
