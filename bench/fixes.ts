import { managedPolicies } from "../test/support/managed-policies.ts";
import { benchEngine, validate } from "./engine.ts";
import { cpuSeconds } from "./measure.ts";
import type { Section } from "./report.ts";

/** Policies that are validated with and without fixes in turn, so that a slow moment hits both. */
const sliceSize = 50;
/** The first rounds still compile. */
const warmUp = 4;

/** What the fixes of findings cost: the same policies with and without them. */
export async function fixesSection(rounds = 15): Promise<Section> {
  const engine = benchEngine();
  const policies = managedPolicies().map(({ document }) => document);
  const sum = { with: 0, without: 0 };
  for (let round = -warmUp; round < rounds; round++) {
    for (let start = 0; start < policies.length; start += sliceSize) {
      const slice = policies.slice(start, start + sliceSize);
      // What comes second finds its data in the processor's caches.
      const isTurned = (round + start / sliceSize) % 2 !== 0;
      for (const fixes of isTurned ? [true, false] : [false, true]) {
        const started = cpuSeconds();
        for (const policy of slice) await validate(policy, engine, fixes);
        if (round >= 0) sum[fixes ? "with" : "without"] += cpuSeconds() - started;
      }
    }
  }
  return {
    id: "fixes",
    title: "Fixes",
    about: `All ${policies.length} AWS managed policies as objects: each fix is proposed, tried on the policy and its promise proven.`,
    tables: [
      {
        title: "Processor time with fixes, as a multiple of that without (goal: at most 1.3)",
        rows: [{ run: "all checks", ratio: sum.with / sum.without, goal: "<= 1.3" }],
      },
    ],
  };
}
