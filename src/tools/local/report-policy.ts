import type { ValidatedDocument } from "../../local/validate-files.ts";
import type { ReportPolicy } from "../../reports/types.ts";

/** Formats for people tell the documents of a file apart; SARIF's locations do that themselves. */
export function reportPolicy(validated: ValidatedDocument, format: string): ReportPolicy {
  const { label, document, text } = validated;
  const numbered = document !== null && format !== "sarif";
  return {
    file: numbered ? `${label} (document ${document + 1})` : label,
    result: { ...validated, fails_policy: !validated.is_valid },
    text,
  };
}
