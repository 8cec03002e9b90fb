import type { Section } from "../report.ts";
import { criteria } from "./criteria.ts";
import type { Findings } from "./findings.ts";
import { tablesOf } from "./tables.ts";

/** @returns what happened, and whether every criterion holds that could be measured. */
export function verdict(found: Findings): { readonly section: Section; readonly passed: boolean } {
  const { minutes, share, stage, tally } = found;
  const measured = criteria(found);
  const table = {
    title: "Criteria",
    rows: measured.map(({ criterion, found: what, holds }) => ({
      criterion,
      found: what,
      holds: holds === undefined ? "not measured" : holds ? "yes" : "NO",
    })),
  };
  const tables = [table, ...tablesOf(found)];
  const about =
    `Two replicas of ${stage.image} behind nginx on one machine, ${minutes} minutes at ` +
    `${Math.round(100 * share)} % of the peak of that set-up, ${tally.windows.length} replacements${found.hostile ? ", three attackers" : ""}.`;
  const section = { id: "soak", title: "Soak of the container", about, tables };
  return { section, passed: measured.every(({ holds }) => holds !== false) };
}
