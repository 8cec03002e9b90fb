import type { Report } from "../../engine/check.ts";
import type { ConditionType, Operator } from "../../policy/condition-operator.ts";
import type { ConditionEntry } from "../../policy/model.ts";
import { joinWords, quote } from "../shared/quote.ts";
import type { KeyTypes } from "./key-types.ts";

const operatorsOf: Readonly<Record<ConditionType, string>> = {
  String: "`StringEquals` or `StringLike`",
  Numeric: "`NumericEquals` or `NumericLessThan`",
  Date: "`DateLessThan` or `DateGreaterThan`",
  Bool: "`Bool`",
  Binary: "`BinaryEquals`",
  IPAddress: "`IpAddress` or `NotIpAddress`",
  ARN: "`ArnLike` or `ArnEquals`",
};

/** What there is to say about the operator's type and those of the key. */
export function* mismatch(
  { key, keyNode, operatorText }: ConditionEntry,
  { base }: Operator,
  { types, freeText }: KeyTypes,
): Iterable<Report> {
  const { type } = base;
  if (type === null || fits(type, types)) return;
  const [first] = types;
  const kinds = joinWords([...new Set(types)], 0, "or");
  if (type === "String" && types.includes("ARN")) {
    yield {
      issue_type: "type_mismatch_usable",
      severity: "warning",
      node: keyNode,
      message: `${quote(operatorText)} compares ${quote(key)}, whose values are ARNs, as plain text. It works, but a wildcard can then run across the colons between the parts of an ARN.`,
      suggestion: `Use ${base.negated ? "`ArnNotLike`" : "`ArnLike`"}, which compares part by part.`,
      aws_issue_code: /Like$/.test(base.name)
        ? "STRING_LIKE_OPERATOR_WITH_ARN_CONDITION_KEYS"
        : null,
    };
  } else if (type === "ARN" && freeText && types.includes("String")) {
    yield {
      issue_type: "type_mismatch_usable",
      severity: "warning",
      node: keyNode,
      message: `${quote(operatorText)} reads ${quote(key)} as an ARN, but its values are free text: a value that is no ARN never matches.`,
      suggestion: `Use ${base.negated ? "`StringNotLike`" : "`StringLike`"} unless every value is an ARN.`,
    };
  } else {
    yield {
      issue_type: "type_mismatch",
      node: keyNode,
      message: `${quote(operatorText)} is an operator for ${type} values, but ${quote(key)} has values of type ${kinds}, so the condition does not do what it says.`,
      suggestion: first ? `Use ${operatorsOf[first]}.` : null,
      // AWS accepts ARN operators on String keys.
      aws_issue_code: type === "ARN" && types.includes("String") ? null : "TYPE_MISMATCH",
    };
  }
}

/** Dates compare as epoch seconds under Numeric operators. */
function fits(operator: ConditionType, types: readonly ConditionType[]): boolean {
  return types.includes(operator) || (operator === "Numeric" && types.includes("Date"));
}
