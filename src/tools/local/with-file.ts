import type {
  LocalFinding,
  LocalValidationResult,
} from "../../../spec/tools/local/validate-policies.ts";
import type { ValidationResult } from "../../../spec/tools/validate-policies.ts";
import type { ValidatedDocument } from "../../local/validate-files.ts";

/** @returns the result with its file, which each finding carries too. */
export function withFile(
  result: ValidationResult,
  { file, document }: Pick<ValidatedDocument, "file" | "document">,
): LocalValidationResult {
  const { issues, ...rest } = result;
  // Both projections get the same key, so a list stays of one kind.
  const located = issues?.map((issue) => ({ ...issue, file })) as LocalFinding[] | undefined;
  return { ...rest, file, document, issues: located ?? null };
}
