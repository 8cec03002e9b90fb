/** Engines that note what the checks claim of their fixes, before the engine proves it. */
import type { FixEffect } from "../../spec/finding.ts";
import { builtinChecks } from "../../src/checks/index.ts";
import { resolveConfig } from "../../src/config/resolve.ts";
import type { Check, Report } from "../../src/engine/check.ts";
import { createEngine } from "../../src/engine/engine.ts";
import type { Engine } from "../../src/engine/types.ts";
import type { FixProposal } from "../../src/fixes/proposal.ts";
import { embeddedServices } from "../../src/services/embedded.ts";

export interface Recorded {
  /** Effects that the rules claim, by the title of the fix. */
  readonly claims: Map<string, Set<FixEffect>>;
  /** What the engine logged about checks and fixes. */
  readonly defects: string[];
}

const services = embeddedServices();

/** @param checks Sections of the config. */
export function engineFor(
  checks: Readonly<Record<string, unknown>>,
  { claims, defects }: Recorded,
): Engine {
  const note = (proposal: FixProposal | null) => {
    if (!proposal) return proposal;
    const known = claims.get(proposal.title) ?? new Set();
    claims.set(proposal.title, known.add(proposal.effect));
    return proposal;
  };
  const targets = builtinChecks.map((check) => ({
    check: noting(check, note),
    source: "builtin" as const,
  }));
  const { config, registry } = resolveConfig(
    { value: checks, lineOf: () => null },
    "config.yaml",
    targets,
  );
  return createEngine(config, registry, services, (checkId, error) => {
    defects.push(`${checkId}: ${error instanceof Error ? error.message : String(error)}`);
  });
}

type Note = (proposal: FixProposal | null) => FixProposal | null;

function noting(check: Check, note: Note): Check {
  const { runPolicy, runStatement, aws_codes } = check;
  function* noted(reports: Iterable<Report | null>): Iterable<Report | null> {
    for (const report of reports) {
      const fix = report?.fix;
      yield fix ? { ...report, fix: () => note(fix()) } : report;
    }
  }
  return {
    ...check,
    ...(runPolicy ? { runPolicy: (context) => noted(runPolicy.call(check, context)) } : {}),
    ...(runStatement
      ? {
          runStatement: (statement, context) => noted(runStatement.call(check, statement, context)),
        }
      : {}),
    ...(aws_codes
      ? {
          aws_codes: Object.fromEntries(
            Object.entries(aws_codes).map(([code, rule]) => {
              const { fix } = rule;
              return [code, fix ? { ...rule, fix: (place) => note(fix(place)) } : rule];
            }),
          ),
        }
      : {}),
  };
}
