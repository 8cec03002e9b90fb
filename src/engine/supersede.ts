import type { LeanFinding } from "../../spec/finding.ts";
import type { Statement } from "../policy/model.ts";
import type { Check } from "./check.ts";
import { incompleteIssueTypes, type Superseding } from "./collect.ts";
import type { Engine } from "./types.ts";

/**
 * If a check supersedes others on a statement (`full_wildcard` the narrower wildcard checks), the
 * findings of the others on that statement are dropped, and its message says so.
 * @param candidates The findings that may supersede others.
 * @param onCheckError Called if `covers` of a check throws; then nothing is dropped.
 */
export function supersede<Shown extends LeanFinding>(
  findings: readonly Shown[],
  candidates: readonly Superseding<Shown>[],
  onCheckError: Engine["onCheckError"],
): readonly Shown[] {
  const superseding = candidates.filter((one) =>
    isSuperseding(one.check, one.statement, onCheckError),
  );
  if (superseding.length === 0) return findings;

  /** Ids of the superseded checks, by the index of the statement. */
  const superseded = new Map<number, Set<string>>();
  for (const { statement, check } of superseding) {
    const ids = superseded.get(statement.index) ?? new Set();
    for (const id of check.supersedes ?? []) ids.add(id);
    superseded.set(statement.index, ids);
  }
  const dropped = new Map<number, Set<string>>();
  const left = findings.filter(({ statement_index, issue_type, check_id }) => {
    const goes =
      !incompleteIssueTypes.has(issue_type) && superseded.get(statement_index)?.has(check_id);
    if (!goes) return true;
    const ids = dropped.get(statement_index) ?? new Set();
    dropped.set(statement_index, ids.add(check_id));
    return false;
  });
  const replacing = new Set<LeanFinding>(superseding.map(({ finding }) => finding));
  return left.map((finding) => {
    const ids = replacing.has(finding) ? dropped.get(finding.statement_index) : undefined;
    // The engine's own record, so it may change.
    if (ids) finding.message = withNote(finding.message, ids);
    return finding;
  });
}

/** A check without `covers` supersedes others wherever it reports something. */
function isSuperseding(
  check: Check,
  statement: Statement,
  onCheckError: Engine["onCheckError"],
): boolean {
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
  return `${message} This finding replaces those of ${checks} on the statement: ${names.join(", ")}.`;
}
