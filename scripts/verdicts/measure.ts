/** Holds what the checks report against the labels of a set of policies. */
import type { Finding } from "../../spec/finding.ts";
import { builtinChecks } from "../../src/checks/index.ts";
import { resolveConfig } from "../../src/config/resolve.ts";
import { createEngine } from "../../src/engine/engine.ts";
import { validatePolicy } from "../../src/engine/run.ts";
import type { Engine } from "../../src/engine/types.ts";
import { parseDocument } from "../../src/policy/document.ts";
import { embeddedServices } from "../../src/services/embedded.ts";
import type { Entry, MustNotReport, MustReport } from "./entries.ts";
import { replacements } from "./replacements.ts";

/** Every built-in check under the default config, with the embedded reference data. */
export function defaultEngine(): Engine {
  const targets = builtinChecks.map((check) => ({ check, source: "builtin" as const }));
  const { config, registry } = resolveConfig(
    { value: {}, lineOf: () => null },
    "config.yaml",
    targets,
  );
  return createEngine(config, registry, embeddedServices(), (_checkId, error) => {
    throw error;
  });
}

/** What happened to one labelled policy. */
export interface Outcome {
  readonly entry: Entry;
  readonly isValid: boolean;
  readonly findings: readonly Finding[];
  /** Labels of faults that were reported. */
  readonly met: readonly MustReport[];
  /** Labels of faults that were not reported. */
  readonly missed: readonly MustReport[];
  /** Findings that a label forbids. */
  readonly unwanted: readonly Finding[];
}

function meets(finding: Finding, label: MustReport): boolean {
  const named = [label.check_id, ...label.or];
  const isPlace =
    (label.severity === undefined || label.severity === finding.severity) &&
    (label.statement_index === undefined || label.statement_index === finding.statement_index);
  if (named.includes(finding.check_id)) {
    const isType = label.issue_type === undefined || label.issue_type === finding.issue_type;
    const isOther = ![label.not_issue_type ?? []].flat().includes(finding.issue_type);
    return isPlace && isType && isOther;
  }
  // A check that took the subject over has its own issue types and severities.
  const { statement_index: index } = label;
  return replacements.some(
    ({ check_id, replacedBy }) =>
      named.includes(check_id) &&
      replacedBy === finding.check_id &&
      (index === undefined || index === finding.statement_index),
  );
}

function forbids(label: MustNotReport, finding: Finding): boolean {
  return (
    (label.check_id === "*" || label.check_id === finding.check_id) &&
    (label.issue_type === undefined || label.issue_type === finding.issue_type) &&
    (label.severity === undefined || label.severity === finding.severity) &&
    (label.statement_index === undefined || label.statement_index === finding.statement_index)
  );
}

/** @returns the outcome of each entry, in order. */
export async function measure(entries: readonly Entry[], engine: Engine): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  for (const entry of entries) {
    const { findings, is_valid } = await validatePolicy(
      {
        document: await parseDocument(entry.policy),
        name: null,
        declaredType: entry.policyType,
        label: "policy",
      },
      engine,
    );
    const isMet = (label: MustReport) => findings.some((finding) => meets(finding, label));
    outcomes.push({
      entry,
      isValid: is_valid,
      findings,
      met: entry.mustReport.filter(isMet),
      missed: entry.mustReport.filter((label) => !isMet(label)),
      unwanted: findings.filter((finding) =>
        entry.mustNotReport.some((label) => forbids(label, finding)),
      ),
    });
  }
  return outcomes;
}

/** Part of a whole, with the number of both. */
export interface Share {
  readonly hits: number;
  readonly of: number;
}

export interface Score {
  /** Sound policies that are valid. */
  readonly soundThatPass: Share;
  /** Faulty policies that are not valid. */
  readonly faultyThatFail: Share;
  /** Faults (labels of `must_report`) that a finding reports. */
  readonly faultsReported: Share;
  /** Findings that a label forbids. */
  readonly unwanted: number;
}

export function scoreOf(outcomes: readonly Outcome[]): Score {
  const good = outcomes.filter(({ entry }) => entry.kind === "good");
  const bad = outcomes.filter(({ entry }) => entry.kind === "bad");
  const sum = (count: (outcome: Outcome) => number) =>
    outcomes.reduce((total, outcome) => total + count(outcome), 0);
  const met = sum((outcome) => outcome.met.length);
  return {
    soundThatPass: { hits: good.filter(({ isValid }) => isValid).length, of: good.length },
    faultyThatFail: { hits: bad.filter(({ isValid }) => !isValid).length, of: bad.length },
    faultsReported: { hits: met, of: met + sum((outcome) => outcome.missed.length) },
    unwanted: sum((outcome) => outcome.unwanted.length),
  };
}
