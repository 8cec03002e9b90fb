import type { JudgedDocument } from "../../local/judge-files.ts";
import type { ReportPolicy } from "../../reports/types.ts";

/** Formats for people tell the documents of a file apart; SARIF's locations do that themselves. */
export function reportPolicy(judged: JudgedDocument, format: string): ReportPolicy {
  const { label, document, text } = judged;
  const numbered = document !== null && format !== "sarif";
  return {
    file: numbered ? `${label} (document ${document + 1})` : label,
    result: { ...judged, fails_policy: !judged.is_valid },
    text,
  };
}
