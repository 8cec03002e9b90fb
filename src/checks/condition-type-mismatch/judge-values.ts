import type { Report } from "../../engine/check.ts";
import type { ConditionType, Operator } from "../../policy/condition-operator.ts";
import { holdsVariable, isBoolean, isValueOf, valueFormats } from "../../policy/condition-value.ts";
import type { ConditionEntry } from "../../policy/model.ts";
import { joinWords, quote } from "../shared/quote.ts";
import type { KeyTypes } from "./key-types.ts";

/** What the values of one key are held against when its own type does not decide. */
const operatorFormats: Partial<
  Record<ConditionType, { issue_type: string; accepts(text: string): boolean }>
> = {
  IPAddress: {
    issue_type: "invalid_ip_cidr_format",
    accepts: (text) => isValueOf("IPAddress", text),
  },
  ARN: {
    issue_type: "invalid_arn_format_for_operator",
    accepts: (text) => text === "*" || text.startsWith("arn:") || text.includes("${"),
  },
  Bool: {
    issue_type: "invalid_bool_value_for_operator",
    accepts: (text) => isValueOf("Bool", text),
  },
};

/** Access Analyzer's code for a value that does not suit the operator it stands under. */
const codes: Partial<Record<ConditionType, string>> = {
  Bool: "TYPE_MISMATCH_BOOLEAN",
  Date: "TYPE_MISMATCH_DATE",
  Numeric: "TYPE_MISMATCH_NUMBER",
  Binary: "TYPE_MISMATCH_STRING",
  IPAddress: "TYPE_MISMATCH_IP_RANGE",
};

/**
 * Values that are not of the key's type, or, where that is unknown or another, of the operator's.
 * @param types Null: the type of the key is unknown.
 */
export function* judgeValues(
  entry: ConditionEntry,
  operator: Operator,
  types: KeyTypes | null,
): Iterable<Report> {
  const { type } = operator.base;
  if (type === null) {
    yield* judgeNull(entry);
    return;
  }
  if (types) {
    const bad = entry.values.find(({ text }) => !types.types.some((one) => isValueOf(one, text)));
    if (bad) {
      const kinds = [...new Set(types.types)];
      yield {
        issue_type: "invalid_value_format",
        node: bad.node,
        message: `${quote(bad.text)} is no value for ${quote(entry.key)}, which takes ${joinWords(
          kinds.map((kind) => valueFormats[kind]),
          0,
          "or",
        )}.${variableNote(bad.text, kinds)}`,
        suggestion: "Write the value in that form, or use the condition key that was meant.",
        aws_issue_code: types.types.includes(type) ? codeOf(type, bad.text) : null,
      };
    }
    if (types.types.includes(type)) return;
  }
  const format = operatorFormats[type];
  if (!format) return;
  for (const { text, node } of entry.values) {
    if (format.accepts(text)) continue;
    yield {
      issue_type: format.issue_type,
      node,
      message: `${quote(text)} is no value for ${quote(entry.operatorText)}, which compares with ${valueFormats[type]}.${variableNote(text, [type])}`,
      suggestion: "Write the value in that form, or use the operator that was meant.",
      aws_issue_code: codeOf(type, text),
    };
  }
}

function* judgeNull({ key, operatorText, values }: ConditionEntry): Iterable<Report> {
  const bad = values.find(({ text }) => !isBoolean(text));
  if (!bad) return;
  yield {
    issue_type: "invalid_value_format",
    severity: "warning",
    node: bad.node,
    message: `${quote(bad.text)} is no value for ${quote(operatorText)} on ${quote(key)}, which takes \`true\` (the key is absent) or \`false\` (it is there).`,
    suggestion: 'Write `"true"` or `"false"`.',
    aws_issue_code: "TYPE_MISMATCH_BOOLEAN",
  };
}

const variablesAllowed: ReadonlySet<ConditionType> = new Set(["String", "ARN", "Bool"]);

function variableNote(text: string, types: readonly ConditionType[]): string {
  return holdsVariable(text) && !types.some((type) => variablesAllowed.has(type))
    ? " AWS does not replace policy variables in such values."
    : "";
}

function codeOf(type: ConditionType, text: string): string | null {
  if (holdsVariable(text) && !variablesAllowed.has(type)) return "INVALID_VARIABLE_FOR_OPERATOR";
  return codes[type] ?? null;
}
