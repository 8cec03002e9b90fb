import { managedPolicies } from "../test/support/managed-policies.ts";
import { benchEngine, validate } from "./engine.ts";
import { costsOf } from "./measure.ts";
import type { Section } from "./report.ts";

/** What the fixes of findings cost: the same policies with and without them, in turns; the first rounds still compile. */
export async function fixesSection(rounds = 11): Promise<Section> {
  const engine = benchEngine();
  const policies = managedPolicies().map(({ document }) => document);
  const all = async (fixes: boolean) => {
    for (const policy of policies) await validate(policy, engine, fixes);
  };
  const costs = await costsOf(
    { without: () => all(false), with: () => all(true) },
    { rounds, atLeastS: 0 },
  );
  return {
    id: "fixes",
    title: "Fixes",
    about: `All ${policies.length} AWS managed policies as objects: each fix is proposed, tried on the policy and its promise proven.`,
    tables: [
      {
        title: "Processor time with fixes, as a multiple of that without (goal: at most 1.3)",
        rows: [{ run: "all checks", ratio: costs.with / costs.without, goal: "<= 1.3" }],
      },
    ],
  };
}
