import { partsOf, type ValidatedDocument } from "../../local/validate-files.ts";
import type { ReportPolicy } from "../../reports/types.ts";

/** Adds the document number to the name of a file with several documents, except in SARIF, which has locations. */
export function reportPolicy(validated: ValidatedDocument, format: string): ReportPolicy {
  const { label, document, text, unwrapped } = validated;
  const part = document === null || text === null ? undefined : partsOf(label, text)[document];
  const numbered = document !== null && format !== "sarif";
  return {
    file: numbered ? `${label} (document ${document + 1})` : label,
    place: unwrapped?.label ?? null,
    result: { ...validated, fails_policy: !validated.is_valid },
    text,
    ...(part && { part: { text: part.text, offset: part.origin.offset } }),
  };
}
