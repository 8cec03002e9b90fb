import type { Report } from "../../engine/check.ts";
import { childNode, type NodeRef } from "../../json/node.ts";
import { parseOperator } from "../../policy/condition-operator.ts";
import type { Statement } from "../../policy/model.ts";
import { hasPlainCondition } from "../../policy/plain-form.ts";
import { isRecord } from "../../record.ts";
import { flattened, unlisted } from "../shared/list-fixes.ts";
import { quote, quoteList, quoteValue } from "../shared/quote.ts";
import { withoutStatement } from "./fixes.ts";
import { withOperators } from "./moved-members.ts";

/** What is wrong with the form of a condition: one finding for types, one for each empty list. */
export function* conditionReports(statement: Statement): Iterable<Report> {
  if (!statement.has("Condition") || hasPlainCondition(statement)) return;
  const value = statement.raw.Condition;
  const node = statement.at("Condition");
  if (!isRecord(value)) {
    yield wrongType(
      node,
      `\`Condition\` is ${quoteValue(value)}; it must be an object of operators.`,
      () => unlisted(value, node),
    );
    return;
  }
  const wrong = Object.keys(value).filter((operator) => !isRecord(value[operator]));
  const [first] = wrong;
  if (first !== undefined) {
    yield wrongType(
      childNode(node, first),
      `In \`Condition\`, the value of ${quoteList(wrong)} must be an object of condition keys; it is ${quoteValue(value[first])}.`,
      () =>
        unlisted(value[first], childNode(node, first), mostKeys) ??
        withOperators(value, node, statement.denies),
    );
  } else {
    const bad = wrongValue(value, node);
    if (bad) yield bad;
  }
  yield* emptyLists(value, node, statement);
}

/** Keys under one operator that a list holds one by one. */
const mostKeys = 50;

function wrongType(node: NodeRef, message: string, fix: NonNullable<Report["fix"]>): Report {
  return {
    issue_type: "invalid_element_type",
    field_name: "condition",
    node,
    message,
    suggestion:
      'Write operator, key and value, one inside the other: `{"StringEquals": {"aws:PrincipalOrgID": "o-a1b2c3d4e5"}}`.',
    aws_issue_code: "DATA_TYPE_MISMATCH",
    fix,
  };
}

function isScalar(value: unknown): boolean {
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean";
}

/** The first value that is neither a string, number or boolean nor a list of them. */
function wrongValue(condition: Readonly<Record<string, unknown>>, node: NodeRef): Report | null {
  for (const [operator, keys] of Object.entries(condition)) {
    if (!isRecord(keys)) continue;
    for (const [key, value] of Object.entries(keys)) {
      const at = childNode(childNode(node, operator), key);
      const list = Array.isArray(value) ? value : [value];
      const index = list.findIndex((one) => !isScalar(one));
      if (index < 0) continue;
      return wrongType(
        Array.isArray(value) ? childNode(at, index) : at,
        `The value of ${quote(key)} under ${quote(operator)} ${Array.isArray(value) ? "holds" : "is"} ${quoteValue(list[index])}; it must be a string, a number, a boolean or a list of these.`,
        () => flattened(value, at),
      );
    }
  }
  return null;
}

/** Under ForAllValues an empty list has an effect, which `condition_effect` reports. */
function* emptyLists(
  condition: Readonly<Record<string, unknown>>,
  node: NodeRef,
  statement: Statement,
): Iterable<Report> {
  for (const [operator, keys] of Object.entries(condition)) {
    if (!isRecord(keys)) continue;
    const parsed = parseOperator(operator);
    if (parsed?.setPrefix === "ForAllValues") continue;
    const code =
      parsed?.setPrefix === "ForAnyValue"
        ? "EMPTY_ARRAY_CONDITION_FORANYVALUE"
        : parsed?.ifExists
          ? "EMPTY_ARRAY_CONDITION_IFEXISTS"
          : "EMPTY_ARRAY_CONDITION";
    for (const [key, value] of Object.entries(keys)) {
      if (!Array.isArray(value) || value.length > 0) continue;
      yield {
        issue_type: "empty_element",
        field_name: "condition",
        condition_key: key,
        node: childNode(childNode(node, operator), key),
        message: `${quote(key)} under ${quote(operator)} has an empty list, so there is no value to compare with.`,
        suggestion: "List the values that are meant, or remove the entry.",
        aws_issue_code: code,
        fix: () =>
          parsed && !parsed.base.negated && !parsed.ifExists && parsed.base.type !== null
            ? withoutStatement(statement)
            : null,
      };
    }
  }
}
