/** Applies the fix of a finding and validates the result. */
import type { Finding, Fix } from "../../spec/finding.ts";
import { severityRank } from "../../spec/severity.ts";
import { validatePolicy } from "../../src/engine/run.ts";
import type { Engine } from "../../src/engine/types.ts";
import { applyPatch } from "../../src/fixes/patch.ts";
import { objectDocument, parseDocument } from "../../src/policy/document.ts";
import type { Subject } from "./corpora.ts";

export async function validated(
  policy: unknown,
  { policyType, baseline }: Subject,
  engine: Engine,
  fixes = true,
) {
  return validatePolicy(
    {
      document: typeof policy === "object" ? objectDocument(policy) : await parseDocument(policy),
      name: null,
      declaredType: policyType,
      label: "policy",
      fixes,
      ...(baseline === undefined ? {} : { baseline: objectDocument(baseline) }),
    },
    engine,
  );
}

/** The fix with the examples of its placeholders. */
function filledIn(fix: Fix): Fix {
  let text = JSON.stringify(fix.patch);
  for (const { placeholder, example } of fix.needs_input) {
    text = text.replaceAll(placeholder, JSON.stringify(example).slice(1, -1));
  }
  return { ...fix, patch: JSON.parse(text) as Fix["patch"] };
}

/** What came of one fix; `faults` is empty for one that keeps its promises. */
export interface Tried {
  readonly id: string;
  readonly finding: Finding;
  readonly fix: Fix;
  /** Undefined: it does not apply. */
  readonly after: unknown;
  readonly faults: readonly string[];
}

export async function tryFix(
  subject: Subject,
  policy: unknown,
  findings: readonly Finding[],
  finding: Finding,
  fix: Fix,
  engine: Engine,
): Promise<Tried> {
  const tried = { id: subject.id, finding, fix };
  const filled = filledIn(fix);
  if (filled.patch[0]?.op !== "test") return { ...tried, after: undefined, faults: ["no test"] };
  let after: unknown;
  try {
    after = applyPatch(policy, filled.patch);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return { ...tried, after: undefined, faults: [`does not apply: ${why}`] };
  }
  const faults: string[] = [];
  const result = await validated(after, subject, engine, false);
  const { gone, fresh } = changes(findings, result.findings, policy);
  if (!gone.includes(finding)) faults.push("the finding stays");
  const worst = Math.max(-1, ...gone.map(({ severity }) => severityRank[severity]));
  for (const one of fresh) {
    if (severityRank[one.severity] > worst) {
      faults.push(`new and more severe: ${one.severity} ${one.check_id}/${one.issue_type}`);
    }
  }
  return { ...tried, after, faults };
}

/** What a finding is about, without its place in the statement. */
const subjectOf = ({ check_id, issue_type, action, resource, condition_key }: Finding) =>
  JSON.stringify([check_id, issue_type, action, resource, condition_key]);

const placeOf = (finding: Finding) =>
  JSON.stringify([subjectOf(finding), finding.severity, finding.message, finding.path]);

/** @returns the findings of one list that the other does not have, each counted once. */
function without(of: readonly Finding[], those: readonly Finding[]): Finding[] {
  const places = Map.groupBy(those, placeOf);
  return of.filter((finding) => places.get(placeOf(finding))?.pop() === undefined);
}

/** Whether a finding is about the same fault: in the same statement, or in one that a fix has added. */
function isSame(before: Finding, after: Finding, statements: number): boolean {
  const { statement_index: index } = after;
  return (
    subjectOf(before) === subjectOf(after) &&
    (index === before.statement_index || index >= statements)
  );
}

function statementsOf(policy: unknown): number {
  const list =
    typeof policy === "object" && policy !== null && "Statement" in policy ? policy.Statement : [];
  return Array.isArray(list) ? list.length : 1;
}

/** The findings that are gone, and those that are new, with a fault that only moved in neither. */
function changes(before: readonly Finding[], after: readonly Finding[], policy: unknown) {
  const statements = statementsOf(policy);
  const fresh = without(after, before);
  const gone = without(before, after).filter((finding) => {
    const at = fresh.findIndex((one) => isSame(finding, one, statements));
    if (at >= 0) fresh.splice(at, 1);
    return at < 0;
  });
  // Where a fix makes two statements of one, a fault of the statement is in its copy, too, or in both in part.
  const isCopied = (one: Finding) =>
    one.statement_index >= statements &&
    before.some(
      ({ check_id, issue_type, severity }) =>
        check_id === one.check_id &&
        issue_type === one.issue_type &&
        severityRank[severity] >= severityRank[one.severity],
    );
  return { gone, fresh: fresh.filter((one) => !isCopied(one)) };
}
