import { builtinChecks } from "../src/checks/index.ts";
import type { Check, Report } from "../src/engine/check.ts";
import { managedPolicies } from "../test/support/managed-policies.ts";
import { benchEngine, validateAll } from "./engine.ts";
import type { Section } from "./report.ts";

/** What several checks need is worked out once and counts for the first that asks. */
function clocked(check: Check, spent: Map<string, number>): Check {
  const { check_id, runPolicy, runStatement } = check;
  const timed = (run: () => Iterable<Report | null> | undefined): Iterable<Report | null> => {
    const started = performance.now();
    const reports = [...(run() ?? [])];
    spent.set(check_id, (spent.get(check_id) ?? 0) + performance.now() - started);
    return reports;
  };
  return {
    ...check,
    ...(runPolicy && { runPolicy: (context) => timed(() => runPolicy.call(check, context)) }),
    ...(runStatement && {
      runStatement: (statement, context) =>
        timed(() => runStatement.call(check, statement, context)),
    }),
  };
}

export async function sharesSection(): Promise<Section> {
  const spent = new Map<string, number>();
  const engine = benchEngine(builtinChecks.map((check) => clocked(check, spent)));
  const policies = managedPolicies().map(({ document }) => document);
  await validateAll(policies, engine);
  await validateAll(policies, engine);
  spent.clear();
  const started = performance.now();
  for (let round = 0; round < 3; round++) await validateAll(policies, engine);
  const total = performance.now() - started;
  const inChecks = [...spent.values()].reduce((sum, ms) => sum + ms, 0);
  const share = (ms: number) => `${((100 * ms) / total).toFixed(1)} %`;
  return {
    id: "shares",
    title: "Share of each check",
    about:
      "Time inside each check over the managed policies; the rest is parsing, normalising, and turning reports into findings.",
    tables: [
      {
        title: "Share of the whole",
        rows: [
          ...[...spent]
            .sort(([, a], [, b]) => b - a)
            .map(([check, ms]) => ({ part: check, share: share(ms) })),
          { part: "engine itself", share: share(total - inChecks) },
        ],
      },
    ],
  };
}
