import { childNode, type NodeRef } from "../../json/node.ts";
import type { Statement, StatementElement } from "../../policy/model.ts";
import { joinWords, quoteValue } from "../shared/quote.ts";

/** @returns whether the element is absent, a string or a list of strings that has some. */
export function isListOfStrings(statement: Statement, element: StatementElement): boolean {
  if (!statement.has(element)) return true;
  const value = statement.raw[element];
  if (typeof value === "string") return true;
  return (
    Array.isArray(value) && value.length > 0 && value.every((entry) => typeof entry === "string")
  );
}

/** @returns what stands where a string or a list of strings belongs; null when all is well. */
export function notStrings(
  value: unknown,
  node: NodeRef,
): { node: NodeRef; inside: string | null } | null {
  if (typeof value === "string") return null;
  if (!Array.isArray(value)) return { node, inside: null };
  const wrong = value.filter((entry) => typeof entry !== "string");
  if (wrong.length === 0) return null;
  const kinds = [...new Set(wrong.slice(0, 20).map(quoteValue))];
  return {
    node: childNode(
      node,
      value.findIndex((entry) => typeof entry !== "string"),
    ),
    inside: joinWords(kinds.slice(0, 5), kinds.length - Math.min(5, kinds.length)),
  };
}
