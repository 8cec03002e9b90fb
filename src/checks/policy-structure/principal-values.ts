import type { Report } from "../../engine/check.ts";
import type { FixProposal } from "../../fixes/proposal.ts";
import { childNode, type NodeRef } from "../../json/node.ts";
import type { StatementElement } from "../../policy/model.ts";
import { flattened } from "../shared/list-fixes.ts";
import { quote, quoteValue } from "../shared/quote.ts";
import { quoted } from "./fixes.ts";
import { notStrings } from "./string-lists.ts";

/** Values of a principal element that are neither texts nor lists of texts, such as an account id without quotes. */
export function* principalValues(
  principals: Readonly<Record<string, unknown>>,
  element: StatementElement,
  node: NodeRef,
): Iterable<Report> {
  for (const [type, value] of Object.entries(principals)) {
    const at = childNode(node, type);
    const wrong = notStrings(value, at);
    if (!wrong) continue;
    yield {
      issue_type: "invalid_element_type",
      field_name: "principal",
      node: wrong.node,
      message: `${quote(type)} in \`${element}\` ${wrong.inside ? `holds ${wrong.inside}` : `is ${quoteValue(value)}`}; it must be a string or a list of strings.`,
      suggestion: "Write each principal as a string, account ids in quotes.",
      aws_issue_code: "DATA_TYPE_MISMATCH",
      fix: () => flattened(value, at) ?? accountInQuotes(value, at),
    };
  }
}

/** A number of fewer digits may have lost a zero at its beginning. */
function accountInQuotes(value: unknown, node: NodeRef): FixProposal | null {
  return typeof value === "number" && /^\d{12}$/.test(String(value)) ? quoted(value, node) : null;
}
