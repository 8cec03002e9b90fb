import type { LocalValidationResult } from "../../../spec/tools/local/validate-policies.ts";
import type { ValidationResult } from "../../../spec/tools/validate-policies.ts";
import type { ValidatedDocument } from "../../local/validated-document.ts";

/** @returns The result with its file, also in each finding. */
export function withFile(
  result: ValidationResult,
  { file, document }: Pick<ValidatedDocument, "file" | "document">,
): LocalValidationResult {
  const { issues, ...rest } = result;
  // Every finding of the list gets the same key, so its type does not change.
  const located = issues?.map((issue) => ({ ...issue, file })) as LocalValidationResult["issues"];
  return { ...rest, file, document, issues: located ?? null };
}
