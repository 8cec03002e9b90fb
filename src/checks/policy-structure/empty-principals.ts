import type { Report } from "../../engine/check.ts";
import { childNode } from "../../json/node.ts";
import type { Statement } from "../../policy/model.ts";
import { isRecord } from "../../record.ts";
import { quote } from "../shared/quote.ts";
import { withoutEmptyKeys, withoutStatement } from "./fixes.ts";

/** Principal elements that name no principal. */
export function* emptyPrincipals(statement: Statement): Iterable<Report> {
  for (const element of ["Principal", "NotPrincipal"] as const) {
    if (!statement.has(element)) continue;
    const value = statement.raw[element];
    if (!isRecord(value)) continue;
    const about = {
      issue_type: "empty_element",
      field_name: "principal",
      suggestion: "Name the principals that are meant, or remove the statement.",
    } as const;
    if (Object.keys(value).length === 0) {
      yield {
        ...about,
        node: statement.at(element),
        message: `\`${element}\` is an empty object, so the statement is about no principal.`,
        fix: () => (element === "Principal" ? withoutStatement(statement) : null),
        aws_issue_code: "EMPTY_OBJECT_PRINCIPAL",
      };
    }
    for (const [type, names] of Object.entries(value)) {
      if (!Array.isArray(names) || names.length > 0) continue;
      yield {
        ...about,
        node: childNode(statement.at(element), type),
        message: `${quote(type)} in \`${element}\` has an empty list, so it contains no principal.`,
        fix: () => withoutEmptyKeys(statement, element),
        aws_issue_code: "EMPTY_ARRAY_PRINCIPAL",
      };
    }
  }
}
