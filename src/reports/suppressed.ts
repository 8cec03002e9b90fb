import type { Suppression } from "../../spec/suppression.ts";
import type { Suppressed } from "../engine/exceptions.ts";
import type { ReportInput } from "./types.ts";

/** How many findings exceptions left out, and how many the baseline. */
export function suppressedCounts(list: readonly Pick<Suppressed, "suppression">[]) {
  const exceptions = list.filter(({ suppression }) => suppression.kind === "exception").length;
  return { exceptions, baseline: list.length - exceptions };
}

/** All findings of a report that were left out. */
export function suppressedIn({ policies }: Pick<ReportInput, "policies">): readonly Suppressed[] {
  return policies.flatMap(({ result }) => result.suppressed ?? []);
}

/** `3 findings left out: 2 by exceptions, 1 by the baseline.`; undefined: none was. */
export function suppressedInWords(
  list: readonly Pick<Suppressed, "suppression">[],
): string | undefined {
  if (list.length === 0) return undefined;
  const { exceptions, baseline } = suppressedCounts(list);
  const parts = [
    ...(exceptions > 0 ? [`${exceptions} by exceptions`] : []),
    ...(baseline > 0 ? [`${baseline} by the baseline`] : []),
  ];
  return `${list.length} ${list.length === 1 ? "finding" : "findings"} left out: ${parts.join(", ")}.`;
}

/** Why a finding was left out, with owner and last day. */
export function reasonInWords({ kind, reason, owner, expires }: Suppression): string {
  if (kind === "baseline") return "Known in the baseline.";
  const until = expires === null ? [] : [`until ${expires}`];
  const details = [...(owner === null ? [] : [owner]), ...until].join(", ");
  return details === "" ? `${reason}` : `${reason} (${details})`;
}
