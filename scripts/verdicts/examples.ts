/** Pastes the example of every finding and validates the result: rule 3 of docs/style.md for examples. */
import type { Finding } from "../../spec/finding.ts";
import { validatePolicy } from "../../src/engine/run.ts";
import type { Engine } from "../../src/engine/types.ts";
import { objectDocument } from "../../src/policy/document.ts";
import type { Outcome } from "./measure.ts";

/** What came of one pasted example. */
export interface Pasted {
  readonly id: string;
  readonly finding: Finding;
  /** What is wrong with it; empty for an example that keeps its promise. */
  readonly faults: readonly string[];
}

/** Issue types that say a statement, or a part of it, grants nothing. */
const inert: ReadonlySet<string> = new Set([
  "statement_never_applies",
  "resource_mismatch",
  "condition_never_true",
  "invalid_action",
  "invalid_condition_key",
]);

function steps(pointer: string): string[] {
  return pointer
    .split("/")
    .slice(1)
    .map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"));
}

/**
 * @returns a copy of `policy` with `value` at `pointer`.
 * @throws when the pointer leads nowhere.
 */
function replaceAt(policy: unknown, pointer: string, value: unknown): unknown {
  const path = steps(pointer);
  const last = path.pop();
  if (last === undefined) return value;
  const copy: unknown = structuredClone(policy);
  let holder = copy;
  for (const step of path) {
    if (typeof holder !== "object" || holder === null) throw new Error(`no node at ${pointer}`);
    holder = (holder as Record<string, unknown>)[step];
  }
  if (typeof holder !== "object" || holder === null) throw new Error(`no node at ${pointer}`);
  (holder as Record<string, unknown>)[last] = value;
  return copy;
}

/** Without the statement: an example that splits one moves what is still at fault to another. */
const kindOf = ({ check_id, issue_type, action }: Finding) =>
  `${check_id}/${issue_type}${action === null ? "" : ` of ${action}`}`;

const sameFault = (a: Finding, b: Finding) =>
  kindOf(a) === kindOf(b) &&
  a.statement_index === b.statement_index &&
  a.action === b.action &&
  a.resource === b.resource &&
  a.condition_key === b.condition_key;

/** @returns the kinds of `after` that occur more often than in `before`. */
function added(before: readonly Finding[], after: readonly Finding[]): string[] {
  const counts = new Map<string, number>();
  for (const finding of before) counts.set(kindOf(finding), (counts.get(kindOf(finding)) ?? 0) + 1);
  return after.flatMap((finding) => {
    const kind = kindOf(finding);
    const left = counts.get(kind) ?? 0;
    counts.set(kind, left - 1);
    return left > 0 ? [] : [kind];
  });
}

/** @returns one entry for each finding that has an example to paste. */
export async function pasteExamples(
  outcomes: readonly Outcome[],
  engine: Engine,
): Promise<Pasted[]> {
  const failing: readonly string[] = engine.settings.fail_on_severity;
  const pasted: Pasted[] = [];
  for (const { entry, findings } of outcomes) {
    if (typeof entry.policy !== "object" || entry.policy === null) continue;
    for (const finding of findings) {
      if (finding.example === null || finding.example_path === null) continue;
      const faults: string[] = [];
      try {
        const value: unknown = JSON.parse(finding.example);
        const policy = replaceAt(entry.policy, finding.example_path, value);
        const after = await validatePolicy(
          {
            document: objectDocument(policy),
            name: null,
            declaredType: entry.policyType,
            label: "policy",
          },
          engine,
        );
        if (after.findings.some((one) => sameFault(one, finding))) faults.push("the finding stays");
        const isFailing = ({ severity }: Finding) => failing.includes(severity);
        for (const kind of added(findings.filter(isFailing), after.findings.filter(isFailing))) {
          faults.push(`new: ${kind}`);
        }
        const isInert = ({ issue_type, severity }: Finding) =>
          inert.has(issue_type) && severity !== "info";
        for (const kind of added(findings.filter(isInert), after.findings.filter(isInert))) {
          faults.push(`grants nothing: ${kind}`);
        }
      } catch (error) {
        faults.push(error instanceof Error ? error.message : String(error));
      }
      pasted.push({ id: entry.id, finding, faults });
    }
  }
  return pasted;
}

/** Per check and issue type: findings, those with an example, and examples that keep the promise. */
export function exampleTable(findings: readonly Finding[], pasted: readonly Pasted[]): string[] {
  const rows = new Map<string, { findings: number; examples: number; good: number }>();
  const rowOf = ({ check_id, issue_type }: Finding) => {
    const key = `\`${check_id}\` | ${issue_type}`;
    const row = rows.get(key) ?? { findings: 0, examples: 0, good: 0 };
    rows.set(key, row);
    return row;
  };
  for (const finding of findings) rowOf(finding).findings += 1;
  for (const { finding, faults } of pasted) {
    rowOf(finding).examples += 1;
    if (faults.length === 0) rowOf(finding).good += 1;
  }
  return [
    "| check | issue type | findings | with an example | examples that hold |",
    "| --- | --- | ---: | ---: | ---: |",
    ...[...rows]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(
        ([key, { findings: all, examples, good }]) => `| ${key} | ${all} | ${examples} | ${good} |`,
      ),
  ];
}
