import { asciiLower } from "../../ascii.ts";
import { editDistance } from "../../edit-distance.ts";
import type { CheckContext, Report } from "../../engine/check.ts";
import {
  baseOperators,
  type ConditionType,
  parseOperator,
} from "../../policy/condition-operator.ts";
import type { ConditionEntry, Statement } from "../../policy/model.ts";
import { isRecord } from "../../record.ts";
import { suggestNames } from "../../services/suggest.ts";
import { correctedStatement } from "../shared/corrected.ts";
import { renamedOperator } from "../shared/corrected-entry.ts";
import { fixedBy } from "../shared/fixed-by.ts";
import { didYouMean, quote } from "../shared/quote.ts";
import { withinBudget } from "../shared/suggestion-budget.ts";
import { typesOfKey } from "./key-types.ts";

export type NamedOperator = Pick<ConditionEntry, "operatorText" | "operatorNode">;

const names = baseOperators.map(({ name }) => name);
const setPrefixes = ["ForAllValues", "ForAnyValue"];
/** The suffix, also without its last letter. */
const ifExistsLike = /ifexists?$/i;

/** A name that AWS does not know, with the operator that is meant where that is clear. */
export function unknownOperator(
  { operatorText, operatorNode }: NamedOperator,
  statement: Statement,
  context: CheckContext,
): Report {
  const { policy } = context;
  const colon = operatorText.indexOf(":");
  const base = operatorText.slice(colon + 1);
  const about = {
    issue_type: "invalid_operator",
    field_name: "condition",
    node: operatorNode,
    message: `${quote(operatorText)} is not a condition operator; AWS refuses the document.`,
    aws_issue_code: "INVALID_CONDITION_OPERATOR",
  } as const;
  const swapped = swappedBlock(operatorText, statement);
  if (swapped) {
    return {
      ...about,
      message: `${quote(operatorText)} is a condition key and stands where the operator belongs; AWS refuses the document.`,
      suggestion: "Write operator, key and value, one inside the other.",
      ...fixedBy(() => correctedStatement(statement, { Condition: swapped }), {
        title: "Write the operator around the key",
        effect: "repairs",
      }),
    };
  }
  const meant = rearranged(operatorText) ?? ofKeyType(operatorText, statement, context);
  if (meant !== null) {
    return {
      ...about,
      suggestion: `Write ${quote(meant)}.`,
      ...fixedBy(() => renamedOperator(statement, operatorText, meant), {
        title: "Correct the name of the operator",
        effect: "repairs",
      }),
    };
  }
  if (parseOperator(base)) {
    const written = operatorText.slice(0, colon);
    const set = setPrefixes.find(
      (name) => editDistance(name.toLowerCase(), written.toLowerCase()) < 2,
    );
    return {
      ...about,
      suggestion: `The set prefixes are \`ForAllValues:\` and \`ForAnyValue:\`, as in ${quote(`${set ?? "ForAnyValue"}:${base}`)}.`,
      ...(set === undefined
        ? {}
        : fixedBy(() => renamedOperator(statement, operatorText, `${set}:${base}`), {
            title: "Correct the name of the set prefix",
            effect: "repairs",
          })),
    };
  }
  const stem = base.replace(ifExistsLike, "");
  const near = withinBudget(policy, () => suggestNames(names, stem));
  const [first, second] = near;
  if (first === undefined) {
    return {
      ...about,
      suggestion:
        "Take an operator from the IAM documentation, such as `StringEquals`, `ArnLike` or `Bool`.",
    };
  }
  const prefix = /^(?:ForAllValues|ForAnyValue):/i.exec(operatorText)?.[0] ?? "";
  const suffix = ifExistsLike.test(base) && first !== "Null" ? "IfExists" : "";
  const edits = (name: string) => editDistance(name.toLowerCase(), stem.toLowerCase());
  const isClear = edits(first) <= 2 && (second === undefined || edits(first) < edits(second));
  return {
    ...about,
    suggestion: didYouMean(
      (edits(first) === 0 ? [first] : near).map((name) => `${prefix}${name}${suffix}`),
    ),
    ...(isClear
      ? fixedBy(() => renamedOperator(statement, operatorText, `${prefix}${first}${suffix}`), {
          title: "Correct the name of the operator",
          effect: "repairs",
        })
      : {}),
  };
}

/** `{"aws:SourceVpc": {"StringEquals": "vpc-1"}}` with the operator outside; null for other conditions. */
function swappedBlock(key: string, { raw }: Statement): Record<string, unknown> | null {
  const { Condition } = raw;
  const inside = isRecord(Condition) ? Condition[key] : undefined;
  if (!isRecord(Condition) || !isRecord(inside) || !/^[\w.-]+:./.test(key)) return null;
  const block = new Map<string, unknown>();
  for (const [name, keys] of Object.entries(Condition)) if (name !== key) block.set(name, keys);
  for (const [operator, value] of Object.entries(inside)) {
    const there = block.get(operator) ?? {};
    if (!parseOperator(operator) || !isRecord(there) || Object.hasOwn(there, key)) return null;
    block.set(operator, { ...there, [key]: value });
  }
  return Object.keys(inside).length > 0 ? Object.fromEntries(block) : null;
}

/** Other words for an operator. */
const otherNames: ReadonlyMap<string, string> = new Map([
  ["boolean", "Bool"],
  ["ip", "IpAddress"],
  ["notip", "NotIpAddress"],
  ["dategreater", "DateGreaterThan"],
  ["dateless", "DateLessThan"],
  ["numericgreater", "NumericGreaterThan"],
  ["numericless", "NumericLessThan"],
]);

/**
 * The operator whose parts are all there, in another order or with other characters between them:
 * `StringEquals:ForAnyValue`, `ForAnyValue.StringEquals`, `IfExistsStringLike`, `StringEquals_IfExists`.
 */
function rearranged(text: string): string | null {
  let rest = asciiLower(text).replace(/[^a-z]/g, "");
  const set = setPrefixes.find((name) => rest.includes(asciiLower(name)));
  if (set !== undefined) rest = rest.replace(asciiLower(set), "");
  const isOptional = rest.includes("ifexists");
  if (isOptional) rest = rest.replace("ifexists", "");
  const name =
    otherNames.get(rest) ?? baseOperators.find((one) => asciiLower(one.name) === rest)?.name;
  if (name === undefined) return null;
  const whole = `${set === undefined ? "" : `${set}:`}${name}${isOptional ? "IfExists" : ""}`;
  const parsed = parseOperator(whole);
  return parsed && (parsed.base.type !== null || !isOptional) ? whole : null;
}

/** `Equals` and `LessThan` need the type in front, which the keys tell. */
function ofKeyType(
  text: string,
  statement: Statement,
  context: Pick<CheckContext, "match">,
): string | null {
  const ending = asciiLower(text);
  const named = baseOperators.filter(({ name, type }) => {
    return type !== null && asciiLower(name) === `${prefixOf[type]}${ending}`;
  });
  if (named.length === 0) return null;
  const entries = statement.conditions.filter(({ operatorText }) => operatorText === text);
  const fitting = named.filter(({ type }) =>
    entries.every((entry) => {
      const types = typesOfKey(entry, statement, context);
      return types !== null && types !== "unconfirmed" && types.types.some((one) => one === type);
    }),
  );
  const [only] = fitting;
  return only && fitting.length === 1 && entries.length > 0 ? only.name : null;
}

const prefixOf: Readonly<Record<ConditionType, string>> = {
  String: "string",
  Numeric: "numeric",
  Date: "date",
  Bool: "bool",
  Binary: "binary",
  IPAddress: "ip",
  ARN: "arn",
};

/** Reports `NullIfExists`, with the fix. */
export function nullIfExists(
  { operatorText, operatorNode }: NamedOperator,
  statement: Statement,
): Report {
  return {
    issue_type: "invalid_operator",
    field_name: "condition",
    node: operatorNode,
    message: `${quote(operatorText)} does not exist: \`Null\` asks whether a key is there, so it takes no \`IfExists\`.`,
    suggestion: "Write `Null`.",
    aws_issue_code: "NULL_WITH_IF_EXISTS",
    ...fixedBy(() => renamedOperator(statement, operatorText, "Null"), {
      title: "Remove IfExists from Null",
      effect: "repairs",
    }),
  };
}
