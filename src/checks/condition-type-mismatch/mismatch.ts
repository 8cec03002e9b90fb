import type { Report } from "../../engine/check.ts";
import type { ConditionType, Operator } from "../../policy/condition-operator.ts";
import { isValueOf } from "../../policy/condition-value.ts";
import type { ConditionEntry, ConditionValue, Statement } from "../../policy/model.ts";
import { correctedEntry, operatorLike } from "../shared/corrected-entry.ts";
import { fixedBy } from "../shared/fixed-by.ts";
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
  entry: ConditionEntry,
  { base }: Operator,
  { types, freeText }: KeyTypes,
  statement: Statement,
): Iterable<Report> {
  const { key, keyNode, operatorText } = entry;
  const { type } = base;
  if (type === null || fits(type, types)) return;
  if (type === "String" && types.includes("ARN")) {
    // AWS accepts these; a wildcard under `StringEquals` is reported as such.
    if (!base.name.endsWith("Like")) return;
    const arnOperator = operatorLike(entry, base.negated ? "ArnNotLike" : "ArnLike");
    yield {
      issue_type: "type_mismatch_usable",
      severity: "warning",
      node: keyNode,
      message: `${quote(operatorText)} compares ${quote(key)}, whose values are ARNs, as plain text. It works, but a wildcard can then run across the colons between the parts of an ARN.`,
      suggestion: `Use ${quote(arnOperator)}, which compares part by part.`,
      aws_issue_code: "STRING_LIKE_OPERATOR_WITH_ARN_CONDITION_KEYS",
      ...(entry.values.every(({ text }) => isValueOf("ARN", text))
        ? fixedBy(() => correctedEntry(statement, entry, { operator: arnOperator }), {
            title: "Compare the ARN with an ARN operator, part by part",
            effect: entry.values.every(({ text }) => isPartwise(text)) ? "equivalent" : "changes",
          })
        : {}),
    };
    return;
  }
  if (type === "Bool" && types.includes("String") && entry.values.every(isTrueOrFalse)) {
    const text = operatorLike(entry, "StringEquals");
    yield {
      issue_type: "type_mismatch_usable",
      severity: "warning",
      node: keyNode,
      message: `${quote(operatorText)} compares ${quote(key)}, whose values are text, with true or false. It works where the text is one of these words.`,
      suggestion: `Use ${quote(text)}.`,
      aws_issue_code: "TYPE_MISMATCH",
      ...fixedBy(() => correctedEntry(statement, entry, { operator: text }), {
        title: "Compare the text with a String operator",
        effect: "changes",
      }),
    };
    return;
  }
  // Tags and encryption contexts hold any text, ARNs too.
  if (type === "ARN" && freeText && types.includes("String")) return;
  const [first] = types;
  const kinds = joinWords([...new Set(types)], 0, "or");
  const operator = first ? sameTest(entry, base, first) : null;
  yield {
    issue_type: "type_mismatch",
    node: keyNode,
    message: `${quote(operatorText)} is an operator for ${type} values, but ${quote(key)} has values of type ${kinds}, so the condition does not do what it says.`,
    suggestion: operator ? `Use ${quote(operator)}.` : first ? `Use ${operatorsOf[first]}.` : null,
    // AWS accepts ARN operators on String keys.
    aws_issue_code: type === "ARN" && types.includes("String") ? null : "TYPE_MISMATCH",
    ...(operator
      ? fixedBy(() => correctedEntry(statement, entry, { operator }), {
          title: "Use the operator of the key's type",
          effect: "repairs",
        })
      : {}),
  };
}

/** AWS documents such tests: https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-use-conditions.html */
function isTrueOrFalse({ text }: ConditionValue): boolean {
  return /^(?:true|false)$/i.test(text);
}

/** Only the last part of the ARN has wildcards, so none can run over a colon between the parts. */
function isPartwise(text: string): boolean {
  const [, partition, service, region, account, resource] = text.split(":");
  const fixed = [partition, service, region, account].join(":");
  return resource !== undefined && !/[*?]|\$\{/.test(fixed);
}

/** Not for dates: a test that was to be of a date asks for before or after, hardly ever for one second. */
const equalOf: Partial<Record<ConditionType, readonly [is: string, isNot: string]>> = {
  Numeric: ["NumericEquals", "NumericNotEquals"],
  IPAddress: ["IpAddress", "NotIpAddress"],
  ARN: ["ArnEquals", "ArnNotEquals"],
};

/** The operator of the wanted type that asks the same; null where it depends on what is meant. */
function sameTest(
  entry: ConditionEntry,
  { name, negated }: Operator["base"],
  wanted: ConditionType,
): string | null {
  if (!/Equals$|Like$|IgnoreCase$|^Bool$|IpAddress$/.test(name)) return null;
  if (/Less|Greater/.test(name)) return null;
  if (entry.values.length === 0 || !entry.values.every(({ text }) => isValueOf(wanted, text))) {
    return null;
  }
  if (wanted === "Bool") return negated ? null : operatorLike(entry, "Bool");
  if (wanted === "String") {
    const like = entry.values.some(({ text }) => /[*?]/.test(text));
    return operatorLike(entry, `String${negated ? "Not" : ""}${like ? "Like" : "Equals"}`);
  }
  const pair = equalOf[wanted];
  return pair ? operatorLike(entry, negated ? pair[1] : pair[0]) : null;
}

/** Dates compare as epoch seconds under Numeric operators. */
function fits(operator: ConditionType, types: readonly ConditionType[]): boolean {
  return types.includes(operator) || (operator === "Numeric" && types.includes("Date"));
}
